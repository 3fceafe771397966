"""Cards, places, moves and messages as words of a language; the translator is an argument."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from halfmoon.cards import ACE, FACES, JACK, KING, QUEEN, Card, Rank
from halfmoon.game import Game, Kind
from halfmoon.languages import Translator
from halfmoon.mistake import N_, NN_, Mistake, shown
from halfmoon.notation import Record
from halfmoon.position import Outcome, Pile, Place, Position

RANK_NAMES: Final = {ACE: N_("ace"), JACK: N_("jack"), QUEEN: N_("queen"), KING: N_("king")}
SUIT_NAMES: Final = {
    "S": N_("spades"),
    "H": N_("hearts"),
    "D": N_("diamonds"),
    "C": N_("clubs"),
}
INDICES: Final = {"local": "", "international": "A J Q K", "french": "A V D R"}
"""The letters for ace, jack, queen and king; the language's own are in its catalog."""


_PLACES: Final[dict[Kind, tuple[str, str]]] = {
    "pile": NN_(
        "pile {place}: {count} card, {card} on top", "pile {place}: {count} cards, {card} on top"
    ),
    "fan": NN_(
        "fan {place}: {count} card, {cards}",
        "fan {place}: {count} cards, from the top down: {cards}",
    ),
    "ace foundation": NN_(
        "ace foundation {place}: {count} card, {card} on top",
        "ace foundation {place}: {count} cards, {card} on top",
    ),
    "king foundation": NN_(
        "king foundation {place}: {count} card, {card} on top",
        "king foundation {place}: {count} cards, {card} on top",
    ),
}
_SUMMARIES: Final[dict[Kind, tuple[str, str]]] = _PLACES | {
    "fan": NN_(
        "fan {place}: {count} card, {card} on top", "fan {place}: {count} cards, {card} on top"
    ),
}
"""What is said of a place while the game goes on: no more than has changed."""
_EMPTY_PLACES: Final[dict[Kind, str]] = {
    "pile": N_("pile {place}: empty"),
    "fan": N_("fan {place}: empty"),
}


_KEPT: Final = 512
"""How many places are kept in words: those of a few tables, and of some moves in each."""


class UnknownIndices(Mistake):
    """A choice of index letters that does not exist."""


def card_name(card: Card, translator: Translator) -> str:
    """A card in words, in the nominative.

    >>> from halfmoon.languages import translator
    >>> card_name(Card(ACE, "H"), translator("en")), card_name(Card(7, "H"), translator("nl"))
    ('ace of hearts', 'harten 7')
    """
    suit = translator.gettext(SUIT_NAMES[card.suit])
    if card.rank in RANK_NAMES:
        template = translator.pgettext("ace or face card", "{rank} of {suit}")
        return template.format(rank=translator.gettext(RANK_NAMES[card.rank]), suit=suit)
    template = translator.pgettext("number card", "{rank} of {suit}")
    return template.format(rank=card.rank, suit=suit)


def card_names(cards: Iterable[Card], translator: Translator) -> str:
    """Cards in words, as a list."""
    return _listed(card_name(card, translator) for card in cards)


def index_letters(indices: str, translator: Translator) -> dict[Rank, str]:
    """The letters printed on aces and face cards. Raises ``UnknownIndices``.

    >>> from halfmoon.languages import translator
    >>> index_letters("local", translator("pl"))
    {1: 'A', 11: 'W', 12: 'D', 13: 'K'}
    """
    if indices not in INDICES:
        raise UnknownIndices(
            N_("There are no indices called “{indices}”. The choices are: {choices}."),
            indices=shown(indices),
            choices=", ".join(INDICES),
        )
    letters = INDICES[indices] or translator.pgettext("letters on the cards", "A J Q K")
    return dict(zip((ACE, *FACES), letters.split(), strict=True))


def place_in_words(game: Game, position: Position, place: Place, translator: Translator) -> str:
    """A place and what can be seen of it: how many cards, and the top card or all of a fan."""
    return _place(game, position, place, translator, _PLACES)


def _place(
    game: Game,
    position: Position,
    place: Place,
    translator: Translator,
    templates: Mapping[Kind, tuple[str, str]],
) -> str:
    index = game.index(place)
    pile, kind = position.piles[index], game.kinds[index]
    if not pile:
        return translator.gettext(_EMPTY_PLACES[kind]).format(place=place)
    return _filled_place(place, pile, templates[kind], translator)


@lru_cache(_KEPT)
def _filled_place(
    place: Place, pile: Pile, template: tuple[str, str], translator: Translator
) -> str:
    """A place with cards; from one reply to the next few places change."""
    return translator.ngettext(*template, len(pile)).format(
        place=place,
        count=len(pile),
        card=card_name(pile[-1], translator),
        cards=", ".join(card_name(card, translator) for card in reversed(pile)),
    )


def alternative_text(game: Game, position: Position, translator: Translator) -> str:
    """The whole table in words, place by place: what a diagram shows, for those who hear it."""
    places = (place_in_words(game, position, place, translator) for place in game.places)
    return _listed(places) + "."


def title(record: Record, translator: Translator) -> str:
    """What a diagram shows, in a line: game, deal and number of moves."""
    game, moves = translator.gettext(record.game.name), record.move_count
    if not moves:
        return translator.gettext("{game}, deal {code}").format(game=game, code=record.code)
    template = translator.ngettext(
        "{game}, deal {code}, after {count} move", "{game}, deal {code}, after {count} moves", moves
    )
    return template.format(game=game, code=record.code, count=moves)


def summary(record: Record, translator: Translator) -> str:
    """A position in a line to send with its link: game, deal, moves and score."""
    return translator.gettext("{title}. Score: {score}.").format(
        title=title(record, translator), score=record.score
    )


def move_in_words(record: Record, number: int, translator: Translator) -> str:
    """The cards that the record's move ``number`` (from 1) takes from the table, as a list.

    >>> from halfmoon.languages import translator
    >>> from halfmoon.notation import replay
    >>> move_in_words(replay("HM1-N-AAAAAAB", "1-8"), 1, translator("en"))
    '5 of spades; 6 of diamonds'
    """
    game, move = record.game, record.moves[number - 1]
    if move in game.spoken:
        redeals = record.positions[number].redeals
        return translator.gettext(game.spoken[move].made).format(redeals=redeals)
    tops = [game.top(record.positions[number - 1], place) for place in move.places]
    if not game.drags:
        return card_names((card for card in tops if card), translator)
    assert tops[0] is not None, "a record holds no move of a card that is not there"
    source, goal = move.places
    return translator.gettext("{card} from {source} to {goal}").format(
        card=card_name(tops[0], translator), source=source, goal=goal
    )


def moves_in_words(record: Record, translator: Translator) -> tuple[str, ...]:
    """Every move of a record, in words."""
    numbers = range(1, record.move_count + 1)
    return tuple(move_in_words(record, number, translator) for number in numbers)


def move_made(record: Record, translator: Translator) -> str:
    """What the record's last move has done: the cards it took, the places as they are now."""
    cards = move_in_words(record, record.move_count, translator)
    if record.moves[-1] in record.game.spoken:
        return f"{cards} {_tops_now(record, translator)}"
    if record.game.drags:
        done = translator.gettext("Moved: {move}.").format(move=cards)
    else:
        done = translator.gettext("Removed: {cards}.").format(cards=cards)
    return f"{done} {_places_now(record, record.moves[-1].places, translator)}"


def _tops_now(record: Record, translator: Translator) -> str:
    """The new top cards, after a move that has changed many places at once."""
    before, after = record.positions[-2:]
    changed = [new[-1] for old, new in zip(before.piles, after.piles, strict=True) if old != new]
    return translator.gettext("Now on top: {cards}.").format(cards=card_names(changed, translator))


def move_undone(undone: Record, translator: Translator) -> str:
    """What taking back the last move of ``undone`` has done."""
    move = undone.moves[-1]
    if move in undone.game.spoken:
        redeals = undone.positions[-2].redeals
        return translator.gettext(undone.game.spoken[move].undone).format(redeals=redeals)
    cards = move_in_words(undone, undone.move_count, translator)
    if undone.game.drags:
        return translator.gettext("Undone: {move}.").format(move=cards)
    return translator.gettext("Back on the table: {cards}.").format(cards=cards)


def _places_now(record: Record, places: Iterable[Place], translator: Translator) -> str:
    game, position = record.game, record.position
    now = (_place(game, position, place, translator, _SUMMARIES) for place in places)
    return translator.gettext("Now: {places}.").format(places=_listed(now))


def selected(
    game: Game, position: Position, selection: Iterable[Place], translator: Translator
) -> str:
    """Which cards are selected."""
    cards = [card for place in selection if (card := game.top(position, place))]
    if not cards:
        return translator.gettext("No card is selected.")
    return translator.gettext("Selected: {cards}.").format(cards=card_names(cards, translator))


def hint(game: Game, translator: Translator) -> str:
    """The game's rule in a line."""
    return translator.gettext(game.hint).format(game=game)


def refusal(game: Game, key: str, translator: Translator) -> str:
    """Why a tap removed nothing."""
    return translator.gettext(game.refusals[key]).format(game=game)


def verdict(record: Record, outcome: Outcome, translator: Translator) -> str:
    """How the game has ended, or nothing while it goes on."""
    template = record.game.verdicts.get(outcome)
    if template is None:
        return ""
    return translator.gettext(template).format(game=record.game, score=record.score)


def explain(mistake: Mistake, translator: Translator) -> str:
    """What is wrong with somebody's input and what to do, in their language."""
    values = {
        name: explain(value, translator) if isinstance(value, Mistake) else value
        for name, value in mistake.values.items()
    }
    return translator.gettext(mistake.template).format(**values)


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(parts)
