"""Speed and memory: runs every system on generated or shipped objects, and gives times and sizes."""
