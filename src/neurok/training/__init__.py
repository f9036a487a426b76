"""Training: takes a store and a configuration, runs one loop with a task per model, and gives weights."""
