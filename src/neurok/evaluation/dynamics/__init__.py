"""Evaluation of the engine against closed forms, energy balances, MuJoCo and extreme random conditions.

Takes generated objects, mechanisms and a store; gives errors, tables and figures.
"""
