"""Is this judge good enough for this task, and what would a run cost? For authors of tasks and of runs."""
