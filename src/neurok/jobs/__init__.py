"""Runs many tasks safely: worker processes or Ray, a journal to resume from, a summary of skips."""
