"""Which worlds are there? One module or package per domain; only a domain knows its own facts and texts."""
