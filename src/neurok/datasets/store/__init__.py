"""The training store: one file per recorded object and an index, written whole or not at all."""
