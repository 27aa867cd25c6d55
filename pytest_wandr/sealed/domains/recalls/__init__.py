"""Which invented products were recalled, which lots, and why? Nested: maker, product, lot (see `products`)."""
