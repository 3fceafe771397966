"""The diagram maker: what is typed becomes a picture with everything that goes with it."""

import re
import struct
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visitor
from browser.table import CODE, PREFIXES, ROOT
from halfmoon import maker, notation, words
from halfmoon.diagram import draw
from halfmoon.languages import LANGUAGES, translator
from halfmoon.maker import Made, Wish

CRESCENT: Final = "CR1-N-AAAAAAB"
SIDEWAYS: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
AXE: Final = ROOT / "node_modules" / "axe-core" / "axe.min.js"
every_language = pytest.mark.parametrize("language", LANGUAGES)


class Maker:
    """The page, and the engine to compare it with."""

    def __init__(self, page: Page, root: str, language: str = "en") -> None:
        self.page = page
        self.language = language
        self.address = f"{root}{PREFIXES[language]}maker/"
        self.entry = page.locator("#maker-text")
        self.problem = self.show("problem")

    def show(self, name: str) -> Any:
        return self.page.locator(f"[data-show='{name}']")

    def open(self, link: str = "") -> "Maker":
        """Go there and wait for the engine."""
        self.page.goto(self.address + (f"#{link}" if link else ""))
        expect(self.show("loading")).to_be_hidden()
        return self

    def wish(self, text: str, **choices: str) -> Made:
        return maker.make(Wish(text, **choices), self.language).made

    def expect(self, made: Made) -> None:
        """The page shows this diagram and all that goes with it."""
        expect(self.show("title")).to_have_text(made["title"])
        expect(self.show("drawing").locator("desc")).to_have_text(
            made["alternative_texts"][self.language]
        )
        for language, text in made["alternative_texts"].items():
            expect(self.show(f"words-{language}")).to_have_text(text)
        expect(self.show("link")).to_have_attribute(
            "href", re.compile(f"/play/#{re.escape(made['link'])}$")
        )

    def download(self, kind: str, folder: Path) -> tuple[str, bytes]:
        """The name and content of a file that is taken away."""
        with self.page.expect_download() as caught:
            self.page.locator(f"[data-do={kind}]").click()
        caught.value.save_as(folder / "taken")
        return caught.value.suggested_filename, (folder / "taken").read_bytes()


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page(permissions=["clipboard-read", "clipboard-write"])


@every_language
def test_the_published_deal_is_there_before_the_engine(
    visitor: Visitor, page: Page, language: str
) -> None:
    page.route("**/worker.js*", lambda route: None)
    shown = Maker(page, visitor.server, language)
    page.goto(shown.address)
    expect(shown.show("loading")).to_be_visible()
    shown.expect(shown.wish(CODE))
    for snippet in ("image", "frame", "element"):
        expect(shown.show(snippet)).to_contain_text(CODE)


@every_language
def test_a_wrong_move_is_explained_while_typing_and_the_position_before_it_shown(
    visitor: Visitor, page: Page, language: str
) -> None:
    shown = Maker(page, visitor.server, language).open()
    shown.entry.fill(f"{CODE} ")
    shown.entry.press_sequentially("1-8 1-2")
    with pytest.raises(notation.MoveMistake) as wrong:
        notation.replay(CODE, "1-8 1-2")
    expect(shown.problem).to_have_text(words.explain(wrong.value, translator(language)))
    expect(shown.entry).to_have_attribute("aria-invalid", "true")
    shown.expect(shown.wish(f"{CODE} 1-8"))
    shown.entry.fill(f"{CODE} 1-8")
    expect(shown.problem).to_be_empty()
    expect(shown.entry).to_have_attribute("aria-invalid", "false")


def test_what_belongs_to_an_earlier_code_cannot_be_taken_for_a_wrong_one(
    visitor: Visitor, page: Page
) -> None:
    shown = Maker(page, visitor.server).open()
    shown.entry.fill("HM1-N-AAAAAA1")
    expect(shown.problem).to_contain_text("“1”")
    expect(shown.show("result")).to_have_attribute("inert", "")
    shown.entry.fill(CRESCENT)
    expect(shown.show("result")).not_to_have_attribute("inert", "")
    shown.expect(shown.wish(CRESCENT))


@pytest.mark.parametrize(
    "text", [f"{CODE} 1-8 8-5-3", f"https://elsewhere.example/pl/half-moon/play/#{CODE}/1-8.8-5-3"]
)
def test_a_game_as_text_and_a_link_can_be_pasted(visitor: Visitor, page: Page, text: str) -> None:
    shown = Maker(page, visitor.server).open()
    shown.entry.fill(text)
    shown.expect(shown.wish(f"{CODE} 1-8 8-5-3"))
    assert page.url.endswith(f"#{CODE}/1-8.8-5-3")


def test_the_address_names_the_diagram(visitor: Visitor, page: Page) -> None:
    shown = Maker(page, visitor.server).open(f"{CODE}/1-8")
    shown.expect(shown.wish(f"{CODE} 1-8"))
    expect(shown.entry).to_have_value(f"{CODE}/1-8")


def test_letters_layout_and_the_next_move_can_be_chosen(visitor: Visitor, page: Page) -> None:
    shown = Maker(page, visitor.server).open()
    expect(shown.show("layouts")).to_be_hidden()
    shown.entry.fill(CRESCENT)
    expect(shown.show("layouts")).to_be_visible()
    page.locator("[name=layout]").select_option("compact")
    page.locator("[name=indices]").select_option("french")
    page.locator("[name=next]").select_option("3-KC")
    drawing = shown.show("drawing")
    expect(drawing.locator(".layout-compact")).to_be_visible()
    expect(drawing.locator(".selected")).to_have_count(2)
    expect(drawing.locator("[data-index=R]").first).to_be_visible()
    for snippet in ("frame", "element"):
        text = shown.show(snippet).text_content()
        assert all(part in text for part in ("compact", "french", "3-KC"))
    shown.entry.fill(f"{CRESCENT} 3-KC")
    expect(drawing.locator(".selected")).to_have_count(0)
    expect(shown.problem).to_be_empty()


def test_the_svg_is_the_engine_s_own(visitor: Visitor, page: Page, tmp_path: Path) -> None:
    shown = Maker(page, visitor.server).open(f"{CODE}/1-8")
    shown.expect(shown.wish(f"{CODE} 1-8"))
    name, content = shown.download("svg", tmp_path)
    assert name == f"{CODE}-1.svg"
    record = notation.replay(CODE, "1-8")
    assert content.decode() == draw(record, translator("en"), standalone=True)


def test_the_png_is_twice_as_large_and_light(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page(color_scheme="dark")
    shown = Maker(page, visitor.server).open()
    name, content = shown.download("png", tmp_path)
    made = shown.wish(CODE)
    assert name == f"{CODE}.png"
    size = struct.unpack(">II", content[16:24])
    assert size == (round(2 * made["width"]), round(2 * made["height"]))
    colour = page.evaluate(
        """async (bytes) => {
            const blob = new Blob([new Uint8Array(bytes)], { type: "image/png" });
            const context = new OffscreenCanvas(40, 40).getContext("2d");
            context.drawImage(await createImageBitmap(blob), 0, 0);
            return [...context.getImageData(30, 10, 1, 1).data];
        }""",
        list(content),
    )
    assert min(colour) > 230


def test_everything_can_be_copied(visitor: Visitor, page: Page) -> None:
    shown = Maker(page, visitor.server, "pl").open()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for name in ("link", "words-nl", "image", "frame", "element"):
        page.locator(f"[data-copies={name}]").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == shown.show(name).text_content()
    expect(shown.show("announce")).not_to_be_empty()


@every_language
def test_without_scripts_there_is_a_picture_and_a_word_why(visitor: Visitor, language: str) -> None:
    page = visitor.page(java_script_enabled=False)
    shown = Maker(page, visitor.server, language)
    page.goto(shown.address)
    expect(shown.show("drawing").locator("svg")).to_be_visible()
    expect(page.locator(".maker noscript")).to_be_visible()
    expect(page.locator(".maker-needs-script")).to_be_hidden()


def test_an_engine_that_does_not_come_is_said_and_can_be_tried_again(
    visitor: Visitor, page: Page
) -> None:
    visitor.may_complain = True
    page.route("**/runtime/**", lambda route: route.abort())
    shown = Maker(page, visitor.server)
    page.goto(shown.address)
    expect(shown.show("failure")).to_be_visible()
    page.unroute("**/runtime/**")
    page.locator("[data-do=retry]").click()
    shown.entry.fill(CRESCENT)
    shown.expect(shown.wish(CRESCENT))
    expect(shown.show("failure")).to_be_hidden()


@every_language
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_it_fits_the_screen(visitor: Visitor, language: str, width: int) -> None:
    page = visitor.page(viewport={"width": width, "height": 800})
    shown = Maker(page, visitor.server, language).open(f"{CRESCENT}/3-KC.3-KC")
    expect(shown.problem).not_to_be_empty()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(SIDEWAYS) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(visitor: Visitor, scheme: Any) -> None:
    page = visitor.page(color_scheme=scheme)
    shown = Maker(page, visitor.server, "nl").open(f"{CODE}/1-8.1-2")
    expect(shown.problem).not_to_be_empty()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(({ violations }) => violations)")
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
