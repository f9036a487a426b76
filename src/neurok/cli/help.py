"""Formats the help page of a command, and suggests the nearest option for a misspelt one."""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import cleandoc

SCREEN_LINES, SCREEN_COLUMNS = 40, 100
FLAGS_COLUMNS = 30  # longer flags shift their explanation to the right
HELP_FLAGS = ("-h", "--help")


@dataclass(frozen=True)
class Option:
    """One option or positional argument of a command's parser."""

    flags: tuple[str, ...]  # empty for a positional argument
    value: str
    text: str
    default: str
    required: bool
    many: bool

    @property
    def positional(self) -> bool:
        return not self.flags

    @property
    def heading(self) -> str:
        """Flags and value, as in "-o, --output FILE"."""
        return " ".join(filter(None, (", ".join(self.flags), self.value)))

    @property
    def explanation(self) -> str:
        remark = f"(default {self.default})" if self.default else "(required)" if self.required else ""
        return " ".join(filter(None, (self.text, remark)))


def parser_settings(command: type, name: str) -> dict:
    """Arguments for tyro, shared by the help page and the run."""
    import tyro

    return {"f": command, "prog": f"neurok {name}", "config": (tyro.conf.FlagCreatePairsOff,)}


def options_of(command: type, name: str) -> list[Option]:
    """All options of a command, in the order of its fields."""
    import tyro

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        parser = tyro.extras.get_parser(**parser_settings(command, name), add_help=False)  # pyright: ignore
    return [_option(action) for action in parser._actions]


def _option(action) -> Option:
    text, _, tail = (action.help or "").rpartition("(")
    known = re.fullmatch(r"(?:default: (.*)|required|repeatable)\)", tail)
    text = (text if known else action.help or "").strip()
    default = (known[1] if known else None) or ""
    if default == "True":  # the flag switches the feature off
        text = f"Don't {text[:1].lower()}{text[1:]}"
    value = _value(action.metavar)
    return Option(
        flags=tuple(action.option_strings),
        value=value,
        text=text,
        default="" if default in ("None", "False", "True") else _short(default),
        required=bool(action.required),
        many=action.nargs == "*" and not value.startswith("["),
    )


def _value(metavar) -> str:
    """Placeholder of the value, without the alternative None."""
    shown = metavar if isinstance(metavar, str) else " ".join(metavar or ())
    return shown.replace("{None,", "{").replace("{None}|", "")


def _short(number: str) -> str:
    """Shortens a number: 0.016666666666666666 becomes 0.01667."""
    return f"{float(number):.4g}" if re.fullmatch(r"\d+\.\d{6,}", number) else number


def wants_help(arguments: Sequence[str]) -> bool:
    return any(argument in HELP_FLAGS for argument in arguments)


def help_page(command: type, name: str, arguments: Sequence[str]) -> str:
    """Help page of at most one screen; `--help all` explains every option."""
    options = options_of(command, name)
    position = next(i for i, argument in enumerate(arguments) if argument in HELP_FLAGS)
    if list(arguments[position + 1 : position + 2]) == ["all"]:
        return _page(command, name, options, len(options))
    pages = (_page(command, name, options, shown) for shown in range(len(options), -1, -1))
    return next(page for page in pages if page.count("\n") < SCREEN_LINES)


def _page(command: type, name: str, options: list[Option], shown: int) -> str:
    """Page that explains the first `shown` options and lists the others."""
    places = [_place(option) for option in options if option.positional]
    lines = [" ".join(["usage: neurok", name, *places, "[OPTIONS]"]), ""]
    lines += [
        wrapped for line in cleandoc(command.__doc__ or "").split("\n\n") for wrapped in _paragraph(line)
    ]
    lines += [line for option in options[:shown] for line in _entry(option)]
    rest = options[shown:]
    if rest:
        named = " ".join(option.flags[-1] for option in rest)
        lines += ["", *textwrap.wrap(f"also: {named}", SCREEN_COLUMNS, break_on_hyphens=False)]
        lines += [f"neurok {name} --help all explains these options."]
    return "\n".join(lines) + "\n"


def _place(option: Option) -> str:
    shown = f"{option.value} ..." if option.many else option.value
    return shown if option.required or option.many else f"[{shown}]"


def _paragraph(text: str) -> list[str]:
    """Wraps prose to the screen; examples stay unchanged."""
    if text.startswith("Example"):
        return [*text.split("\n"), ""]
    return [*textwrap.wrap(" ".join(text.split()), SCREEN_COLUMNS, break_on_hyphens=False), ""]


def _entry(option: Option) -> list[str]:
    heading = f"  {option.heading:<{FLAGS_COLUMNS}}  "
    indent = " " * (FLAGS_COLUMNS + 4)
    return textwrap.wrap(
        option.explanation or "…", SCREEN_COLUMNS, initial_indent=heading, subsequent_indent=indent,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def misspelt(arguments: Sequence[str], options: Sequence[Option]) -> str | None:
    """Message for the first unknown option, or None."""
    known = [flag for option in options for flag in option.flags]
    for argument in arguments:
        flag = argument.partition("=")[0]
        if not re.match(r"--?[A-Za-z]", flag) or flag.replace("_", "-") in known:
            continue
        near = _nearest(flag, known)
        return f"unknown option {flag}" + (f"; did you mean {near}?" if near else ".")
    return None


def _nearest(flag: str, known: Sequence[str]) -> str | None:
    """Known option most similar to the flag, by full name or last word (--steps for --train.steps)."""
    names = {name.lstrip("-"): name for name in known if name.startswith("--")}
    names |= {name.rpartition(".")[2]: name for name in known if "." in name and name not in names}
    close = get_close_matches(flag.lstrip("-"), names, n=1)
    return names[close[0]] if close else None
