"""Objects of no category: random mechanisms and assemblies, and objects of families in tabletop scenes."""
