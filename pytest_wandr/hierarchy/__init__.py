"""Where does each record belong, and what does the tree add up to?

`shape` reads the tree of groups off a task, `entries` turns records and verdicts into what is placed,
`names` says which sibling names are one spelling or one identity, `place` builds the tree, `pages`
joins records into leaves, `rollup` carries precision and recall up, `paths` and `structure` read the
finished tree. docs/scoring.md is the contract; the sections named in this package are its sections.
"""
