"""How well articulation is predicted: parts, joints, ranges."""
