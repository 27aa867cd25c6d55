"""What happens at the invented companies? New executives, told by many outlets (see `events`, `pages`)."""
