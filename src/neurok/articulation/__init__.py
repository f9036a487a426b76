"""GEOPARD: how the parts of a static shape move, from candidates, a geometric simulator and a network."""
