"""What checks array shapes and types while the tests run: beartype, to which an int is a float too."""

from beartype import BeartypeConf, beartype

typechecker = beartype(conf=BeartypeConf(is_pep484_tower=True))
