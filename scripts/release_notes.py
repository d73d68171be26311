#!/usr/bin/env python3
"""release_notes.py VERSION

Prints the section of CHANGELOG.md about a version. Fails unless the version is that of the project (CMakeLists.txt)
and its section has a date: a commit that changes both is a release, which its tag then publishes
(.github/workflows/release.yml).
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def project_version(cmake: str) -> str:
    """Returns the version that the main CMakeLists.txt states."""
    found = re.search(r"^project\(quartz VERSION ([0-9.]+)", cmake, re.M)
    if found is None:
        raise ValueError("CMakeLists.txt states no version")
    return found[1]


def release_notes(changelog: str, version: str) -> str:
    """Returns the section of a version. Raises ValueError if there is none, or if it has no date."""
    sections = re.split(r"^## ", changelog, flags=re.M)[1:]
    for section in sections:
        heading, _, text = section.partition("\n")
        name, _, date = heading.partition(" - ")
        if name.strip("[] ") != version:
            continue
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date.strip()):
            raise ValueError(f"CHANGELOG.md: the section of {version} has no date")
        return text.strip() + "\n"
    raise ValueError(f"CHANGELOG.md has no section '## {version} - DATE'")


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    version = arguments[0]
    stated = project_version((ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if version != stated:
        print(f"release_notes.py: the version of the project is {stated}, not {version}", file=sys.stderr)
        return 1
    try:
        print(release_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version), end="")
    except ValueError as error:
        print(f"release_notes.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
