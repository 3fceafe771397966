"""Works surveys off on several cores, and goes on where an earlier run was interrupted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

from halfmoon.games import GAMES
from surveys import SURVEYS, Counts, Survey, figures

JOB: Final = "job"
"""The key of a job's number in its line."""


def census(
    key: str,
    command: str,
    folder: Path,
    cores: int = 1,
    deals: int | None = None,
    progress: Callable[[str, int, int], None] = lambda title, done, jobs: None,
) -> dict[str, Any]:
    """The figures of a game; with ``deals``, from no more of them in each survey."""
    counts = {}
    for name, survey in SURVEYS.items():
        if survey.game.key == key:
            smaller = survey._replace(deals=min(survey.deals, deals or survey.deals))
            counts[name] = count(name, smaller, folder, cores, progress)
    return figures(GAMES[key], counts, command)


def count(
    name: str,
    survey: Survey,
    folder: Path,
    cores: int,
    progress: Callable[[str, int, int], None],
) -> Counts:
    """The counts of all jobs of a survey; those that are in the folder are not done again."""
    path = folder / f"{name}.jsonl"
    done = {job: counts for job, counts in kept(path).items() if job < survey.jobs}
    missing = [(name, job) for job in range(survey.jobs) if job not in done]
    title = f"{survey.game.name}, {survey.title}"
    progress(title, len(done), survey.jobs)
    if missing:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for job, counts in _worked_off(missing, cores):
                file.write(json.dumps({JOB: job, **counts}) + "\n")
                file.flush()
                done[job] = counts
                progress(title, len(done), survey.jobs)
    total: Counter[str] = Counter()
    for counts in done.values():
        total.update(counts)
    return dict(total)


def kept(path: Path) -> dict[int, Counts]:
    """The counts of the jobs in a file, by their numbers.

    What an interruption left of a last line is cut off, so that the next line can follow.
    """
    if not path.exists():
        return {}
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        path.write_bytes(whole)
    jobs: dict[int, Counts] = {}
    for line in whole.splitlines():
        counts = json.loads(line)
        jobs[counts.pop(JOB)] = counts
    return jobs


def _worked_off(jobs: list[tuple[str, int]], cores: int) -> Iterator[tuple[int, Counts]]:
    """The jobs' counts, in the order in which they are ready."""
    if cores == 1:
        yield from map(_work, jobs)
        return
    with Pool(cores) as pool:
        yield from pool.imap_unordered(_work, jobs)


def _work(job: tuple[str, int]) -> tuple[int, Counts]:
    name, number = job
    return number, SURVEYS[name].job(number)
