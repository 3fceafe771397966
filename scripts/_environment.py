"""Makes the checkout ready to work in: every script here enters through this module.

It must start with whatever ``python3`` a person has, so it needs the standard library alone, and
it moves itself into the project's own Python in ``.venv`` before anything else is imported.
A step that was done before, with the same inputs, is not done again.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
PIP_INSTALL = (VENV_PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input")

#: The Python that Pyodide carries: bytecode for the browser can be made with no other.
PYTHON = "3.13"
#: The oldest Python the engine promises to run on.
OLDEST_PYTHON = "3.11"

#: Names Chromium goes by, in the order they are looked for.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: How tests start it: as root in a container, silent towards the outside.
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class Missing(Exception):
    """Something a script needs is not there; the text says what, and what a person can do."""


def say(line: str) -> None:
    """Print one line now, even into a pipe, so that a person sees what is being waited for."""
    print(line, flush=True)


def run_script(main: Callable[[], int | None]) -> NoReturn:
    """Run a script's work and leave with its status; what is missing is said plainly, status 2."""
    try:
        status = main()
    except Missing as problem:
        print(f"{_script_name()}: {problem}", file=sys.stderr, flush=True)
        status = 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        status = 130
    raise SystemExit(status or 0)


def enter(*, browser: bool = False) -> None:
    """Set the checkout up and go on inside its own Python.

    ``browser`` asks for Chromium as well, which only the tests need.
    Does not return when another Python started the script: that one replaces itself.
    """
    with only_one("set-up"):
        _set_up_python()
        _set_up_engine()
        _set_up_npm()
    if browser:
        find_or_install_browser()
    if not _inside():
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])


def call(
    *command: str | Path,
    failure: str,
    environment: Mapping[str, str] | None = None,
    directory: Path = ROOT,
    log: str | None = None,
) -> None:
    """Run a program, and say ``failure`` in one line if it cannot be run or does not succeed.

    With ``log``, a name, its output goes to ``build/logs/<log>.txt`` and is shown only by name.
    """
    words = [str(word) for word in command]
    merged = {**os.environ, **(environment or {})}
    if log is None:
        status = _status(words, directory, merged, None, failure)
        where = ""
    else:
        path = BUILD / "logs" / f"{log}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as output:
            status = _status(words, directory, merged, output.fileno(), failure)
        where = f"{_last_line(path)} The whole output is in {path.relative_to(ROOT)}."
    if status:
        raise Missing(f"{failure} {where}".strip())


def call_script(verb: str, *arguments: str) -> None:
    """Run another verb of ``scripts/``; it has said itself what went wrong when it fails."""
    command = [sys.executable, str(ROOT / "scripts" / verb), *arguments]
    status = subprocess.run(command, check=False).returncode
    if status:
        raise SystemExit(status)


def fingerprint(paths: Iterable[Path], *extra: str) -> str:
    """One short text that differs whenever a file below ``paths``, its name or ``extra`` does."""
    digest = hashlib.sha256()
    for text in extra:
        digest.update(f"{text}\0".encode())
    for path in sorted(_files(paths)):
        name = os.path.relpath(path, ROOT)
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{name}\0{content}\0".encode())
    return digest.hexdigest()


def up_to_date(stamp: Path, inputs: str) -> bool:
    """Whether ``stamp`` records that a step was finished with just these ``inputs``."""
    return stamp.is_file() and stamp.read_text(encoding="ascii") == inputs


def write_stamp(stamp: Path, inputs: str) -> None:
    """Record that a step was finished; call it last, so that an interrupted step runs again."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(inputs, encoding="ascii")


@contextmanager
def only_one(step: str) -> Iterator[None]:
    """Hold a step for this process, so that two scripts started together do not undo each other."""
    path = BUILD / "locks" / step
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Waiting for another script to finish the same step ({step}).")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def find_python(version: str) -> str | None:
    """The path of a Python of this version ("3.13") that really runs, or None.

    A name on PATH may be a shim for a version that is not there, so each candidate is asked.
    """
    for candidate in _python_candidates(version):
        if _python_version(candidate) == version:
            return candidate
    return None


def find_browser() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_or_install_browser() -> str:
    """The path of a Chromium, installed first where this user may; else Missing says how."""
    if not (found := find_browser()):
        _install_packages("Chromium, which the browser tests need,", "chromium")
        found = find_browser()
    if not found:
        raise Missing(_by_hand("Chromium, which the browser tests need,", "chromium"))
    return found


def _script_name() -> str:
    return f"scripts/{Path(sys.argv[0]).name}"


def _inside() -> bool:
    return Path(sys.prefix).resolve() == VENV.resolve()


def _status(
    words: list[str], directory: Path, environment: dict[str, str], output: int | None, failure: str
) -> int:
    """The exit status of a program, run with no input to wait for."""
    try:
        done = subprocess.run(
            words,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=None if output is None else subprocess.STDOUT,
            check=False,
        )
    except OSError as problem:
        raise Missing(f"{failure} {words[0]}: {problem.strerror}.") from None
    return done.returncode


def _last_line(path: Path) -> str:
    """The last line of a log that says something: where most programs put their reason."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line.strip() for line in reversed(lines) if line.strip()), "It said nothing.")


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_file():
            yield path
        elif path.is_dir():
            inside = (p for p in path.rglob("*") if "__pycache__" not in p.parts)
            yield from (p for p in inside if p.is_file())


def _python_candidates(version: str) -> Iterator[str]:
    if ".".join(map(str, sys.version_info[:2])) == version:
        # Not the venv's own name: the venv may be about to be made again.
        yield os.path.realpath(sys.executable)
    for directory in os.get_exec_path():
        for name in (f"python{version}", "python3"):
            if path := shutil.which(name, path=directory):
                yield path
    for home in (os.environ.get("PYENV_ROOT"), Path.home() / ".pyenv"):
        if home:
            pythons = Path(home, "versions").glob(f"{version}.*/bin/python")
            yield from map(str, sorted(pythons, reverse=True))


def _python_version(python: str) -> str | None:
    """What version a Python says it is, or None when it does not run."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        said = subprocess.run(
            [python, "-I", "-c", ask], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return said.stdout.strip() if said.returncode == 0 else None


def _set_up_python() -> None:
    """Make ``.venv`` with the pinned packages, each checked against its hash."""
    requirements = ROOT / "requirements.txt"
    # The place is an input: a venv does not survive being moved.
    inputs = fingerprint([requirements], PYTHON, str(ROOT))
    stamp = VENV / "stamps" / "packages"
    if up_to_date(stamp, inputs) and VENV_PYTHON.exists():
        return
    python = _need_python()
    if VENV.exists():
        shutil.rmtree(VENV)
    say(f"Making .venv with Python {PYTHON}.")
    call(python, "-m", "venv", VENV, failure="The .venv could not be made.", log="venv")
    say("Installing the Python packages, which takes about a minute.")
    failure = "The Python packages could not be installed; is the package index within reach?"
    hashed = ("--require-hashes", "--requirement", requirements)
    call(*PIP_INSTALL, *hashed, failure=failure, log="python-packages")
    write_stamp(stamp, inputs)


def _need_python() -> str:
    what = f"Python {PYTHON}, which the site is built with,"
    packages = (f"python{PYTHON}", f"python{PYTHON}-venv")
    if not (found := find_python(PYTHON)):
        _install_packages(what, *packages)
        found = find_python(PYTHON)
    if not found:
        raise Missing(
            f"{what} was not found, neither on the PATH nor among pyenv's versions. "
            f"Install it (with your system's packages, or: pyenv install {PYTHON}) and run again."
        )
    if not _has_ensurepip(found):
        _install_packages(f"The venv module of {found}", packages[1])
        if not _has_ensurepip(found):
            raise Missing(_by_hand(f"The venv module of {found}", packages[1]))
    return found


def _has_ensurepip(python: str) -> bool:
    """Debian splits ensurepip off, and venv fails late and at length without it."""
    ask = [python, "-I", "-c", "import ensurepip, venv"]
    return subprocess.run(ask, capture_output=True, check=False).returncode == 0


def _set_up_engine() -> None:
    """Put the engine into ``.venv`` as it stands in the checkout, command and all."""
    inputs = fingerprint([ROOT / "engine" / "pyproject.toml", ROOT / "requirements.txt"])
    stamp = VENV / "stamps" / "engine"
    if up_to_date(stamp, inputs):
        return
    say("Installing the engine into .venv.")
    local = ("--no-index", "--no-deps", "--no-build-isolation", "--editable", ROOT / "engine")
    call(
        *PIP_INSTALL, *local, failure="The engine could not be installed into .venv.", log="engine"
    )
    write_stamp(stamp, inputs)


def _set_up_npm() -> None:
    """Fetch Pyodide, what makes bundles, and what the checks need, as package-lock.json has it."""
    inputs = fingerprint([ROOT / "package.json", ROOT / "package-lock.json", ROOT / ".npmrc"])
    # Inside the folder that npm empties: what npm undoes must not look done.
    stamp = ROOT / "node_modules" / ".stamp"
    if up_to_date(stamp, inputs):
        return
    what = "npm, which fetches Pyodide for the browser,"
    if not shutil.which("npm"):
        _install_packages(what, "nodejs", "npm")
    if not (npm := shutil.which("npm")):
        raise Missing(_by_hand(what, "npm"))
    say("Installing the npm packages.")
    failure = "The npm packages could not be installed; is the npm registry within reach?"
    call(npm, "ci", "--no-progress", failure=failure, log="npm")
    write_stamp(stamp, inputs)


def _by_hand(what: str, package: str) -> str:
    return f"{what} is not installed. Install it, on Debian with: sudo apt-get install {package}"


def _install_packages(what: str, *packages: str) -> None:
    """Install Debian packages where this user may; otherwise leave it to the caller to say so."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    say(f"{what} is not installed: asking apt-get for {' and '.join(packages)}.")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    failure = f"{what} is not installed, and apt-get update failed."
    call(apt, "update", failure=failure, environment=quiet, log="apt-update")
    known = subprocess.run(["apt-cache", "show", *packages], capture_output=True, check=False)
    if known.returncode:
        return
    failure = f"{what} is not installed, and apt-get could not install it."
    call(apt, "install", "--yes", *packages, failure=failure, environment=quiet, log="apt")
