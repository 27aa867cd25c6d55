"""What do the invented towns charge for their services? A matrix of towns and services (see `towns`)."""
