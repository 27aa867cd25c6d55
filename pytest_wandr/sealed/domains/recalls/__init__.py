"""Which invented products were recalled, and why? Nested: maker, product, lot (see `products`)."""
