"""Playthroughs: games kept as files, which are played again and compared."""

from pathlib import Path

from halfmoon import notation
from halfmoon.game import Game
from halfmoon.notation import Record


def played_again(path: Path) -> str:
    """The playthrough file as it should be: its first lines say which game, the rest follows."""
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    remarks = [line for line in head if line.startswith("#")]
    code, moves = (line.partition(":")[2] for line in head if line.startswith(("deal:", "moves:")))
    record = notation.replay(code, moves)
    piles = zip(record.game.places, record.positions[0].piles, strict=True)
    lines = [
        *remarks,
        f"deal: {record.code}",
        f"moves: {' '.join(record.moves)}".rstrip(),
        "",
        *facts(record.game),
        "",
        *(f"{place:>2}  {' '.join(map(str, pile))}" for place, pile in piles),
        "",
        *(step(record, number) for number in range(len(record.positions))),
    ]
    return "\n".join(lines) + "\n"


def facts(game: Game) -> list[str]:
    """Every number a game states about itself."""
    values = {name: getattr(game, name) for name in dir(game) if not name.startswith("_")}
    return [f"{name} = {value}" for name, value in values.items() if type(value) is int]


def step(record: Record, number: int) -> str:
    """A line for one position: move, score, outcome, how many moves follow, what lies on top."""
    game, position = record.game, record.positions[number]
    move = record.moves[number - 1] if number else ""
    tops = " ".join(f"{pile[-1]}/{len(pile)}" if pile else "-" for pile in position.piles)
    legal = len(game.legal_moves(position))
    return (
        f"{number:>3} {move:<9} {game.score(position):>4} {game.outcome(position):<8}"
        f" {legal:>3}  {tops}"
    )
