"""How are results shown and kept? Pure functions from what a run amounts to, to text and files."""
