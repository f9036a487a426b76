"""Hand it a static 3D object; it comes alive."""
