#!/usr/bin/env python3
"""Builds the site of the documentation in build/site/html. scripts/make_site.sh runs it in the environment that it needs.

Sphinx reads a copy of the pages, in which
- README.md of a folder is index.md, so that its address is the folder;
- the navigation follows the sections of docs/README.md;
- other files that pages link to, such as headers, are pages too;
- the names in docs/reference/python.md are followed by their descriptions.
Whatever Sphinx warns about is an error, and so is a link within the site that leads nowhere.
"""

from __future__ import annotations

import html.parser
import importlib
import inspect
import itertools
import os
import pathlib
import re
import shutil
import sys
import urllib.parse
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
SITE = ROOT / "build/site"
INDEX = ROOT / "docs/README.md"
NOTEBOOKS = "examples/notebooks"
PYTHON_PAGE = ROOT / "docs/reference/python.md"
LANGUAGES = {".h": "c", ".hpp": "cpp", ".cpp": "cpp", ".json": "json", ".txt": "cmake"}
PICTURES = {".png", ".svg"}

LINK = re.compile(r"(?<=\]\()([^()\s]+)(?=\))")
CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]*`", re.M | re.S)


# --- pages ---


def pages() -> list[pathlib.Path]:
    """Returns the Markdown files of the repository, without build trees and hidden folders."""
    found = (path for path in sorted(ROOT.rglob("*.md")) if path.is_file())
    return [path for path in found if not path.relative_to(ROOT).parts[0].startswith((".", "build"))]


def local_target(page: pathlib.Path, link: str) -> pathlib.Path | None:
    """Returns the file of the repository to which a link leads; None for other addresses and for the page itself."""
    name = link.partition("#")[0]
    return None if not name or re.match(r"[a-z]+:", link) else (page.parent / name).resolve()


def links_of(page: pathlib.Path) -> list[pathlib.Path]:
    """Returns the files to which a page links, in order."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = (local_target(page, link) for link in LINK.findall(text))
    return list(dict.fromkeys(target for target in targets if target is not None))


def name_in_site(path: pathlib.Path) -> str:
    """Returns the file of the copy for a file of the repository, relative to the root."""
    name = path.relative_to(ROOT).as_posix()
    if path.name == "README.md":
        return name[: -len("README.md")] + "index.md"
    is_page = path.suffix in {".md", ".ipynb"} | PICTURES
    return name if is_page else f"{name}.md"


def with_links_of_the_site(page: pathlib.Path, text: str) -> str:
    """Returns the text of a page with links to the files of the copy."""
    here = pathlib.PurePosixPath(name_in_site(page)).parent

    def renamed(match: re.Match[str]) -> str:
        target = local_target(page, match[0])
        if target is None:
            return match[0]
        anchor = match[0].partition("#")[1:]
        return os.path.relpath(name_in_site(target), here) + "".join(anchor)

    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(renamed, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(renamed, text[end:])])


# --- navigation ---


def sections_of_index() -> dict[str, list[pathlib.Path]]:
    """Returns the sections of docs/README.md, each with the pages in its table."""
    sections = {}
    for section in re.split(r"^## ", INDEX.read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, _, text = section.partition("\n")
        targets = (local_target(INDEX, LINK.findall(row)[0]) for row in re.findall(r"^\| \[.*$", text, re.M))
        sections[title] = [target for target in targets if target is not None]
    return sections


def navigation() -> dict[pathlib.Path, list[str]]:
    """Returns the tables of contents: for each page that has one, its lines. Pages that are in none of them, such as
    those about a folder of the sources, are reached by links."""
    sections = sections_of_index()
    chapters = {page: [target for target in links_of(page)
                       if target.parent == page.parent and target.suffix == ".md" or target.suffix in {".h", ".hpp"}]
                for page in itertools.chain(*sections.values())
                if page.name == "README.md" and page.parent.parent == INDEX.parent}  # fmt: skip
    chapters[ROOT / "docs/python.md"] = sorted(
        (target for target in links_of(ROOT / "docs/python.md") if target.suffix == ".ipynb"),
        key=links_of(ROOT / "docs/python.md").index,
    )
    contents = {page: toctree(page, chapter) for page, chapter in chapters.items()}
    contents[ROOT / "README.md"] = [
        line for title, entries in sections.items() for line in toctree(ROOT / "README.md", entries, title)
    ]
    return contents


def pages_in(contents: dict[pathlib.Path, list[str]]) -> set[pathlib.PurePosixPath]:
    """Returns the pages of the copy that tables of contents name, relative to its root."""
    found = set()
    for page, lines in contents.items():
        here = pathlib.PurePosixPath(name_in_site(page)).parent
        for line in lines:
            if line and not line.startswith((":", "```")):
                found.add(pathlib.PurePosixPath(os.path.normpath(here / line)))
    return found


def toctree(page: pathlib.Path, entries: list[pathlib.Path], caption: str = "") -> list[str]:
    here = pathlib.PurePosixPath(name_in_site(page)).parent
    lines = ["", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return [*lines, *(os.path.relpath(name_in_site(entry), here) for entry in entries), "```", ""]


# --- the reference of the Python package ---


def directive(module: str, name: str) -> str:
    """Returns the directive of Sphinx that describes a name of a module."""
    each = getattr(importlib.import_module(module), name)
    if each.__module__ == "quartz._core":
        return f".. autoapiclass:: quartz._core.{name}\n   :members:\n"
    if inspect.isclass(each):
        kind = "autoexception" if issubclass(each, Exception) else "autoclass"
        return f".. {kind}:: {module}.{name}\n   :members:\n"
    kind = "autofunction" if inspect.isfunction(each) else "autodata"
    return f".. {kind}:: {module}.{name}\n" + ("   :no-value:\n" if kind == "autodata" else "")


def with_descriptions(text: str) -> str:
    """Returns the page of the Python package with the description of each name behind the table that has it."""
    parts = []
    for section in re.split(r"^(?=## )", text, flags=re.M):
        parts.append(section)
        if module := re.match(r"## (quartz[\w.]*)\n", section):
            for name in re.findall(r"^\| `(\w+)` \|", section, re.M):
                parts.append(f"\n```{{eval-rst}}\n{directive(module[1], name)}```\n\n")
    return "".join(parts)


# --- the copy ---


def make_copy(source: pathlib.Path) -> None:
    """Writes what Sphinx reads to a folder."""
    all_pages = pages()
    linked = {target for page in all_pages for target in links_of(page)}
    others = sorted(linked - set(all_pages))
    if folders := [path for path in others if path.is_dir()]:
        names = ", ".join(path.relative_to(ROOT).as_posix() for path in folders)
        sys.exit(f"make_site.py: the site has no page for a folder; link to a file in it: {names}")
    files = [path for path in others if path.suffix not in PICTURES | {".ipynb"}]
    contents = navigation()
    shown = {"index.md", *map(str, pages_in(contents))}

    def write_page(name: str, text: str) -> None:
        write(source / name, text if name in shown else f"---\norphan: true\n---\n\n{text}")

    for page in all_pages:
        text = page.read_text(encoding="utf-8")
        if page == PYTHON_PAGE:
            text = with_descriptions(text)
        lines = with_links_of_the_site(page, text) + "\n".join(contents.get(page, []))
        write_page(name_in_site(page), lines)
    for path in others:
        if path in files:
            write_page(name_in_site(path), page_of_file(path))
        else:
            write(source / name_in_site(path), path.read_bytes())
    # AutoAPI reads the stub of the extension module only.
    stub = pathlib.Path(importlib.import_module("quartz").__file__ or "").parent / "_core.pyi"
    write(source / "python/quartz/_core.pyi", stub.read_bytes())
    write(source / "python/quartz/__init__.py", "")
    shutil.copy(ROOT / "docs/site/conf.py", source)
    write(source / "site/site.css", (ROOT / "docs/site/site.css").read_bytes())


def page_of_file(path: pathlib.Path) -> str:
    name = path.relative_to(ROOT).as_posix().removeprefix("include/")
    return f"# {name}\n\n```{{code-block}} {LANGUAGES.get(path.suffix, 'none')}\n{path.read_text(encoding='utf-8')}```\n"


def write(path: pathlib.Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


# --- links of the site ---


class Document(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def broken_links(folder: pathlib.Path) -> Iterator[str]:
    """Yields each link within a folder of HTML pages that leads to no file or to no anchor."""
    documents = {path.resolve(): Document(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    for path, document in documents.items():
        for link in document.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = urllib.parse.unquote(parts.fragment)
            is_missing = anchor and target in documents and anchor not in documents[target].anchors
            if not target.is_file() or is_missing:
                yield f"{path.relative_to(folder.resolve())}: {link}"


def main() -> int:
    shutil.rmtree(SITE, ignore_errors=True)
    source, output = SITE / "source", SITE / "html"
    make_copy(source)
    # Kernels must not read the settings of the user. Level 40 is that of errors.
    settings = SITE / "ipython/profile_default/ipython_kernel_config.py"
    write(settings, "c = get_config()\nc.IPKernelApp.log_level = 40\n")
    # Tests of the functions above run without Sphinx.
    import sphinx.cmd.build

    os.environ["IPYTHONDIR"] = str(SITE / "ipython")
    # In this process, so that the packages of the adapters are imported only once.
    arguments = ["--builder", "html", "--fail-on-warning", "--quiet", "--doctree-dir", str(SITE / "doctrees")]
    if (status := sphinx.cmd.build.main([*arguments, str(source), str(output)])) != 0:
        return status
    broken = list(broken_links(output))
    if broken:
        print("broken links:", *broken, sep="\n  ", file=sys.stderr)
        return 1
    print(output / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
