"""Job execution: takes a function and tasks, runs them in processes or on Ray, and gives their results."""
