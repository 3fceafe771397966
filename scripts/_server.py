"""Serves a built site on this machine as a static host would, for a reader and for the tests."""

from __future__ import annotations

import os
import socket
import sys
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"


class SiteServer(ThreadingHTTPServer):
    """A server of one folder; port 0 takes any free port.

    Raises OSError when the port is taken or not allowed.
    """

    def __init__(self, directory: Path, port: int = 0) -> None:
        self.directory = directory.resolve()
        super().__init__((HOST, port), SiteRequest)

    @property
    def address(self) -> str:
        """What a person types into the browser, with the slash at its end."""
        return f"http://{HOST}:{self.server_port}/"

    def finish_request(self, request: Any, client_address: Any) -> None:
        SiteRequest(request, client_address, self, directory=str(self.directory))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle of a file is no error worth a traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class SiteRequest(SimpleHTTPRequestHandler):
    """One connection: files with their right types, and the site's page for what is not there."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    #: Only what the browser insists on, or what systems disagree about.
    extensions_map = {  # noqa: RUF012 (the base class has it so)
        **SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".map": "application/json",
        ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".txt": "text/plain; charset=utf-8",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/octet-stream",
        ".woff2": "font/woff2",
        ".xml": "application/xml",
        ".zip": "application/octet-stream",
    }

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """A folder without a page is nothing a reader should find."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        # Ask again each time, and get a short "not modified": a rebuilt site shows at once.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = self._not_found_page() if code == HTTPStatus.NOT_FOUND else None
        if page is None:
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: the one line with the address is what a person should be left with."""

    def _not_found_page(self) -> Path | None:
        """The nearest 404.html, from the folder asked for up to the root of the site."""
        root = Path(self.directory)
        asked = Path(self.translate_path(self.path))
        folders = [folder for folder in (asked, *asked.parents) if folder.is_relative_to(root)]
        pages = (folder / "404.html" for folder in (*folders, root))
        return next((page for page in pages if page.is_file()), None)


def port_is_free(port: int) -> bool:
    """Whether a server could be started on this port; an early answer, before a long build."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
