"""The engine against closed forms, energy, MuJoCo's joints and absurd demands."""
