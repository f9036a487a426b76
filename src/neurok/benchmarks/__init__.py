"""Speed and memory: takes generated or shipped objects, runs every system on them, gives times and sizes."""
