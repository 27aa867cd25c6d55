r"""How do the demo tasks' checks find a fact in prose? Patterns over the wordings of the lexicon.

Every blank is `\s`, since a line may break anywhere. A value is tied to what it belongs to: no full stop and
no digit stands between a service and its fee, so a fee never counts for its neighbour in the table.
"""

from __future__ import annotations

_TOP = r"(?:chief\s(?:executive|financial)\sofficer|CEO|CFO)"
_GIVEN = (
    r"(?:appoint(?:s|ed)|name[sd]|elect(?:s|ed)|chosen)\s{company_appointee}\sas\s(?:its\s)?(?:new\s|next\s)?"
)
_TAKEN = r"{company_appointee}\s(?:becomes|will\sbecome|to\sbecome|takes\sover\sas)\s"

PATTERNS = {
    "ROLE": rf"(?i)\b(?:{_GIVEN}|{_TAKEN})(?={_TOP}\b){{role}}\b(?!\s(?:executive|financial|officer)\b)",
    "DATED": (
        r"(?i)\b(?:(?:announced|published)\son\s|date\sof\sreport[\s|]{1,5}|veröffentlicht\sam\s)"
        r"{announced_on}"
    ),
    "LISTED": r"(?i)\b{company}[\s|]{1,5}(?:is\s)?admitted\sto\strading\son\sthe\sTamarin\sBoard\b",
    "FEE": r"(?i)\b{service}\b[^.;0-9]{0,80}\b{fee}\sorlings\b",
    "VALID": r"(?i)\b(?:valid|applies|in\sforce)\sfrom\s{valid_from}",
    "HAZARD": r"(?i)\b{product}\b[^.;]{0,40}(?:because\sof|risk\sof)\s{hazard}\b",
    "RECALLED": r"(?i)\b(?:recalled\son|recall\sannounced\son|date\sof\srecall:)\s{recalled_on}",
    "REPLACED": r"(?i)\breplaced\sby\sa\slater\snotice\b|\blater\snotice\shas\sreplaced\b",
}
"""Filled into the templates of task.toml by name."""
