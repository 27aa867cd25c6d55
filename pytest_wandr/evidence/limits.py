"""How much will be read before a page or an excerpt counts as too large?"""

MAX_BODY_BYTES = 32_000_000
MAX_TEXT_CHARS = 10_000_000
MAX_TAGS = 1_000_000
MAX_UNMATCHED = 50_000
MAX_DEPTH = 2_000
MAX_ATTRIBUTES = 5_000
MAX_EXCERPT_CHARS = 20_000
MAX_PIECES = 500
MAX_PDF_PAGES = 2_000
MAX_LINKS = 20_000
MAX_SPAN = 50


class TooLarge(Exception):
    """A stated cap was passed; the message says which. Never leaves the package."""
