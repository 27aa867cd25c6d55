"""Where does each record belong, and what does the tree add up to?

`shape` reads the tree of groups off a task; `entries` turns records, verdicts and rejected lines into what
is placed; `names` says which sibling values are one spelling or one identity, `pages` which records cite one
page; `rollup` is the arithmetic of precision and recall; `place` builds the tree with its values, `tree`
starts it off for a whole submission; `paths` and `structure` read the finished tree. docs/scoring.md is the
contract: the sections named here are its sections.
"""
