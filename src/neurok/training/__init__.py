"""The one trainer that all models share, and what each model trains on."""
