"""Training store: takes recordings, writes one file per object and an index, and reads frames back."""
