"""Access control of the studio, and the files of its page, which are served from memory."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PAGE = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "neurok_token"
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Access:
    """The address that the studio listens on, and the token that it requires beyond this machine."""

    host: str = "127.0.0.1"
    token: str | None = None

    @staticmethod
    def at(host: str) -> Access:
        """Access without a token on a loopback address, with a new random token on any other."""
        return Access(host, None if host in LOOPBACK else secrets.token_urlsafe(18))

    def refusal(self, path: str, headers: Mapping[str, str], is_socket: bool) -> str | None:
        """The reason to refuse a request, or None if it is allowed.

        A page of another site could reach a studio on this machine through the visitor's browser (cross-site
        WebSocket hijacking, DNS rebinding). It is recognised by an Origin that differs from the Host, or by a
        Host that is not a name of this machine.
        """
        name = _name(f"//{headers.get('Host', '')}")
        if self.token is None and name not in LOOPBACK:
            return "This studio accepts requests from this machine only."
        origin = headers.get("Origin")
        if is_socket and (origin is None or urlsplit(origin).netloc != headers.get("Host")):
            return "This studio accepts connections from its own page only."
        if self.token is not None and not self._is_known(path, headers):
            return "Open the address that `neurok studio` printed: it contains the token."
        return None

    def _is_known(self, path: str, headers: Mapping[str, str]) -> bool:
        given = [*parse_qs(urlsplit(path).query).get("token", []), _cookie(headers.get("Cookie", ""))]
        return any(hmac.compare_digest(text.encode(), str(self.token).encode()) for text in given)

    def headers(self) -> dict[str, str]:
        """Headers of every response; a cookie carries the token for the files of the page."""
        if self.token is None:
            return HEADERS
        return HEADERS | {"Set-Cookie": f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"}

    def address(self, port: int) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}/" + (f"?token={self.token}" if self.token else "")


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _name(address: str) -> str:
    """The host of an address, without its port."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def page_files() -> dict[str, tuple[str, bytes]]:
    """The files of the page by URL path: content type and content."""
    files = {
        f"/{file.name}": (TYPES[file.suffix], file.read_bytes())
        for file in PAGE.iterdir() if file.suffix in TYPES
    }  # fmt: skip
    return files | {"/": files["/index.html"]}


def status_of(refusal: str | None, is_found: bool) -> HTTPStatus:
    if refusal is not None:
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.OK if is_found else HTTPStatus.NOT_FOUND
