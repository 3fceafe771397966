"""What the site adds to MkDocs, and the only file that knows it: thin events, helpers elsewhere.

MkDocs builds once a language, the other languages nested in the first one's ``on_post_build``;
the i18n plugin says which language is at work. Events that have to see what that plugin leaves
behind run after it, at ``AFTER_I18N``.
"""

import logging
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

import bundles
import catalogs
import installable
import offline
import previews
import rendering
import site_files
import sources
import styles
import vectors
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES
from halfmoon.mistake import Mistake
from halfmoon.notation import parse_game
from rendering import Compiled, Language, Links, Shown

AFTER_I18N: Final = -200
AFTER_SEARCH: Final = -60

HOME: Final = "index.md"
NOT_FOUND: Final = "404.md"
NOT_FOUND_PAGE: Final = "404.html"
PLAY_TEMPLATE: Final = "play.html"
PREVIEWS: Final = "assets/previews"
"""Where the pictures for links to pages lie in the site, and below ``build``."""
UNUSED_THEME_FILES: Final = (
    "assets/javascripts/lunr/",
    "assets/images/favicon",
    "assets/stylesheets/",
)
"""Theme files that no page asks for: stemmers of languages, the theme's own icon, and its styles,
which scripts/styles.py makes part of the site's."""
READING_ONLY: Final = "HALFMOON_WITHOUT_RUNTIME"
"""The environment variable for a site that is not meant to be played on."""


class Alternate(NamedTuple):
    """A page in one of the languages."""

    language: str
    name: str
    """The language's name for itself."""
    url: str
    absolute: str


class _Build:
    """What one build remembers from language to language."""

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}
        self.page_code, self.theme_code = Compiled(), Compiled()
        english = catalogs.page_translations("en")
        self.language: Language = Language("en", english, Path(), self.page_code)
        self.figures: dict[str, tuple[str, ...]] = {}
        self.shown: dict[str, Shown] = {}
        self.painter = previews.Painter()
        self.shortcuts: dict[str, list[installable.Shortcut]] = {}
        self.sheets: list[str] = []


_build = _Build()


# Settings and catalogs


def on_startup(command: str, dirty: bool) -> None:
    """Say the language in MkDocs' own warnings about pages."""
    logging.getLogger("mkdocs.structure.pages").addFilter(_name_language)


@event_priority(AFTER_I18N)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take up the next language: check all catalogs once, then translate the settings."""
    root = _root(config)
    if not _build.settings:
        _build.settings = _translatable(config)
        _stop_on_problems(root)
    name = _i18n(config).current_language
    translations = catalogs.page_translations(name, root)
    _build.language = Language(name, translations, Path(config.docs_dir), _build.page_code)
    _translate_settings(config)
    # The pages ask for one sheet, which the end of the build makes of the theme's and these.
    _build.sheets, config.extra_css = _build.sheets or list(config.extra_css), []
    config.theme.static_templates.discard(NOT_FOUND_PAGE)  # here it is a page like the others
    return config


def _translatable(config: MkDocsConfig) -> dict[str, Any]:
    return {
        "site_name": config.site_name,
        "site_description": config.site_description,
        "palette": deepcopy(config.theme["palette"]),
        "permalink_title": config.mdx_configs["toc"]["permalink_title"],
    }


def _stop_on_problems(root: Path) -> None:
    domains = [domain for domain in catalogs.DOMAINS if (root / domain.folder).is_dir()]
    try:
        problems = [problem for domain in domains for problem in catalogs.check(domain, root)]
    except sources.CatalogMistake as mistake:
        raise PluginError(str(mistake)) from mistake
    if problems:
        raise PluginError("\n".join(map(str, problems)))


def _translate_settings(config: MkDocsConfig) -> None:
    say, settings = _build.language.text, _build.settings
    config.site_name = say(settings["site_name"])
    config.site_description = say(settings["site_description"])
    config.mdx_configs["toc"]["permalink_title"] = say(settings["permalink_title"])
    palette = deepcopy(settings["palette"])
    for option in palette:
        option["toggle"]["name"] = say(option["toggle"]["name"])
    config.theme["palette"] = palette


def _i18n(config: MkDocsConfig) -> Any:
    return config.plugins["i18n"]


def _name_language(record: logging.LogRecord) -> bool:
    if record.levelno >= logging.WARNING:
        record.msg = f"[{_build.language.name}] {record.msg}"
    return True


# Files and navigation


@event_priority(AFTER_I18N)
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Refuse half-translated pages, keep one copy of each asset, name the page for dead links."""
    alone = sources.pages_without_all_languages(Path(config.docs_dir))
    if alone:
        raise PluginError("\n".join(alone))
    for file in list(files):
        if file.src_uri.startswith(UNUSED_THEME_FILES):
            files.remove(file)
        elif file.src_uri == NOT_FOUND:
            _publish(file, _with_language(NOT_FOUND_PAGE, _build.language.name), config)
        elif not file.is_documentation_page() and hasattr(file, "locale_alternate_of"):
            _publish(file, file.src_uri, config)
    return files


def _publish(file: File, address: str, config: MkDocsConfig) -> None:
    file.dest_uri = file.url = address
    file.abs_dest_path = str(Path(config.site_dir, address))


@event_priority(AFTER_I18N)
def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Translate the titles of the sections; pages bring their own."""
    for section in _sections(nav.items):
        section.title = _build.language.text(section.title)
    return nav


def _sections(items: list[Any]) -> Iterator[Section]:
    for item in items:
        if isinstance(item, Section):
            yield item
            yield from _sections(item.children)


# Pages


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Render the source in the language at work."""
    for key in sources.TRANSLATED_META:
        if key in page.meta:
            page.meta[key] = _text_of(page, key)
        elif key != "label":
            raise PluginError(f"docs/{page.file.src_uri}:1: the page has no {key}")
    if "label" in page.meta:
        page.title = page.meta["label"]
    if page.file.src_uri == NOT_FOUND:
        page.meta.update(template="not-found.html", unlisted=True)
    if page.meta.get("unlisted"):
        page.meta["search"] = {"exclude": True}
    try:
        rendered = rendering.render(_source(markdown, page, config, files), _build.language)
    except rendering.PageMistake as mistake:
        raise PluginError(str(mistake)) from mistake
    _build.figures[page.file.dest_uri] = rendered.figures
    _build.shown[page.file.dest_uri] = _main_diagram(page, rendered.shown)
    return rendered.markdown


def _text_of(page: Page, key: str) -> str:
    text = str(page.meta[key])
    one_language = getattr(page.file, "localization", None)
    return text if one_language else _build.language.text(text)


def _main_diagram(page: Page, shown: tuple[Shown, ...]) -> Shown:
    """What stands for a page: what its front matter says, or else its first diagram."""
    if text := page.meta.get("preview") or (not shown and page.meta.get("deal")):
        try:
            return Shown(parse_game(str(text)))
        except Mistake as mistake:
            raise PluginError(f"docs/{page.file.src_uri}:1: preview: {mistake}") from mistake
    game = GAMES[page.meta.get("game", next(iter(GAMES)))]
    return shown[0] if shown else Shown(previews.published(game))


def _source(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> rendering.Page:
    text = Path(page.file.abs_src_path or "").read_text(encoding="utf-8")
    first_line = text.count("\n", 0, max(text.find(markdown), 0)) + 1
    links = _links(page, config, files)
    return rendering.Page(f"docs/{page.file.src_uri}", markdown, page.meta, links, first_line)


def _links(page: Page, config: MkDocsConfig, files: Files) -> Links:
    def found(source: str) -> File:
        file = files.get_file_from_path(source)
        if file is None:
            raise LookupError(f"there is no page {source}")
        return file

    return Links(
        relative=lambda source: get_relative_url(found(source).url, page.url),
        absolute=lambda source: urljoin(config.site_url or "", found(source).url),
        made=lambda path: get_relative_url(path, page.url),
    )


@event_priority(AFTER_SEARCH)
def on_page_context(
    context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, Any]:
    """Put the drawings in, which search should not read, and link the same page's languages."""
    figures = _build.figures[page.file.dest_uri]
    page.content = rendering.with_figures(page.content or "", figures)
    context["preview"] = None if page.meta.get("unlisted") else _preview(page, config)
    if page.meta.get("template") == PLAY_TEMPLATE:
        shortcuts = _build.shortcuts.setdefault(_build.language.name, [])
        shortcuts.append(installable.Shortcut(page.meta["title"], page.url))
    lost = page.file.src_uri == NOT_FOUND
    context["alternates"] = list(_alternates(config, "" if lost else page.url))
    if lost:
        context["base_url"] = _site_root(config).rstrip("/") or "/"
    return context


def _preview(page: Page, config: MkDocsConfig) -> dict[str, Any]:
    """The picture that a link to the page is shown with."""
    shown = _build.shown[page.file.dest_uri]
    made = previews.preview(shown.record, _build.language.words, shown.marks)
    _build.painter.order(made, _kept_previews(config))
    return {
        "address": urljoin(config.site_url or "", f"{PREVIEWS}/{made.name}"),
        "title": made.title,
        "width": previews.WIDTH,
        "height": previews.HEIGHT,
    }


def _kept_previews(config: MkDocsConfig) -> Path:
    return _root(config) / "build" / "previews"


def _alternates(config: MkDocsConfig, url: str) -> Iterator[Alternate]:
    """The page with this address in every language, the source language first."""
    path = _without_language(url)
    for language in _i18n(config).config.languages:
        address = _with_language(path, language.locale)
        absolute = urljoin(config.site_url or "", address)
        yield Alternate(language.locale, language.name, address or ".", absolute)


def _without_language(url: str) -> str:
    """A page's address below the root of its language."""
    first, _, rest = url.partition("/")
    path = rest if first in catalogs.TRANSLATED else url
    return "" if path in (".", "./") else path


def _with_language(path: str, language: str) -> str:
    return path if language == catalogs.SOURCE_LANGUAGE else f"{language}/{path}"


# Theme templates


@event_priority(AFTER_I18N)
def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Let the changed theme templates speak and draw."""
    language = _build.language
    rendering.speak(env, language.translations)
    env.bytecode_cache = _build.theme_code
    env.globals.update(
        language=language.name,
        language_root=_with_language("", language.name),
        board=language.board,
        opened=language.opened,
        made=language.made,
        play_pages={key: rendering.play_page(key).removesuffix(".md") + "/" for key in GAMES},
        site_root=_site_root(config),
    )
    return env


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent


def _site_root(config: MkDocsConfig) -> str:
    """The path of the site on its host, with a slash at its end."""
    return urlsplit(config.site_url or "").path.rstrip("/") + "/"


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Mend what the theme's templates get wrong and blocks cannot reach."""
    mended = site_files.mended(output)
    if page.file.src_uri == NOT_FOUND:
        return site_files.with_absolute_links(mended, _site_root(config) + page.url)
    return mended


# The built site


@event_priority(AFTER_I18N)
def on_post_build(config: MkDocsConfig) -> None:
    """Finish what concerns all languages, once the last of them is built."""
    if _i18n(config).building:
        return
    site = Path(config.site_dir)
    site_files.join_not_found(site, NOT_FOUND_PAGE, catalogs.TRANSLATED)
    site_files.split_search(site, catalogs.TRANSLATED)
    site_files.write_licences(site)
    _write_previews(config)
    if (Path(config.docs_dir) / "_data" / "examples.json").is_file():
        vectors.write(_build.language.data("examples"), site)
    _copy_runtime(_root(config), site)
    _bundle_scripts(site / "assets")
    installable.write(site, _site_root(config), _apps(_root(config)))
    styles.write(site, config.theme.dirs, _build.sheets)
    offline.write(site, catalogs.TRANSLATED)  # after all else: it lists what there is
    if problems := site_files.dead_links(site, _site_root(config)):
        raise PluginError("\n".join(problems))


def on_build_error(error: Exception) -> None:
    """Leave the pictures that are still to be drawn."""
    _build.painter.stop()


def _write_previews(config: MkDocsConfig) -> None:
    try:
        _build.painter.write(_kept_previews(config), Path(config.site_dir, PREVIEWS))
    except previews.PaintingMistake as mistake:
        raise PluginError(str(mistake)) from mistake


def _bundle_scripts(assets: Path) -> None:
    try:
        bundles.write(assets)
    except bundles.BundlingMistake as mistake:
        raise PluginError(str(mistake)) from mistake


def _apps(root: Path) -> Iterator[installable.App]:
    for language in LANGUAGES:
        say = catalogs.page_translations(language, root).gettext
        yield installable.App(
            language,
            _with_language("", language),
            say(_build.settings["site_name"]),
            say(_build.settings["site_description"]),
            tuple(_build.shortcuts.get(language, ())),
        )


def _copy_runtime(root: Path, site: Path) -> None:
    runtime = root / "build" / "runtime"
    if rendering.environment_says(READING_ONLY):
        return
    if not runtime.is_dir():
        raise PluginError(
            "build/runtime is missing, without which nobody can play: run scripts/runtime first,"
            f" or set {READING_ONLY}=1 for a site to read only"
        )
    shutil.copytree(runtime, site / "runtime", dirs_exist_ok=True)
    site_files.tell_worker(site / "assets" / "worker.js", runtime / "manifest.json")
