"""The type checker of array shapes and types during tests: beartype, configured to accept int as float."""

from beartype import BeartypeConf, beartype

typechecker = beartype(conf=BeartypeConf(is_pep484_tower=True))
