"""Evaluation of the engine against closed forms, energy balances, MuJoCo and extreme random conditions."""
