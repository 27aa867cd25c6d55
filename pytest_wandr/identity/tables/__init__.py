"""Which words, forms and parameters carry no identity? Our own tables, versioned: a change moves scores."""

TABLES_VERSION = "3"
