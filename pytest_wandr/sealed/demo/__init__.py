"""Which tasks does the sealed web ask? Eight packages: what they demand, their records, their recordings."""
