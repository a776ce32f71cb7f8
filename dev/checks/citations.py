#!/usr/bin/env python3
"""Checks that what comments cite exists in the tree: sections of the contract, files, manual pages, functions.

    dev/checks/citations.py

It reads the comments in src, sql, t, nginx, systemd, dev, run, check and Makefile.am,
and all of docs, man and README.md:

    contract 5.5; contract 5.2 to 5.4, 6     sections of docs/contract.md
    src/service/err.c, sql/queries, t/unit/*.c   from the top of the tree; generated files count
    err.c, test_*.py                         a file of that name anywhere
    planwright.conf(5), .Xr planwright 8     a page in man/
    a word and ()                            a word in the code of src, sql, t or dev
    [text](README.md#heading), in documents  a file, and a heading in it

sql/migrations is left alone: databases know these files by their checksums.
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# Documents that are not in the tree: True refuses their names, now that no comment uses them.
FOREIGN_REFUSED = True
FOREIGN = re.compile(r"\bCONTRACT(\.md)?\b|\bservice-api\b|\bARCHITECTURE\b|\bPITFALLS\b|"
                     r"\bPERFORMANCE\b|\bEXPORTS\.md|\bSTYLE\.md|\bWEB\.md|\b[Tt]he seed\b|"
                     r"\b[Gg]eneral encoding rules\b")

MADE = {"src/db/stmt.c", "src/db/stmt.h", "src/db/schema.c", "systemd/planwright.service",
        "systemd/planwright-importer.service", "systemd/planwright-live.service",
        "systemd/planwright-sender.service", "systemd/planwright-sweep.service", "t/bench/trivial"}
FOLDERS = "docs|dev|src|sql|t|man|nginx|systemd"
NUMBERS = r"\d+(?:\.\d+)*"
CONTRACT = re.compile(rf"\bcontract(?:\.md)?,?\s+(?:parts?\s+|sections?\s+)?"
                      rf"({NUMBERS}(?:(?:,|\s+and|\s+to)\s+{NUMBERS})*)(?![\w%])", re.I)
SECTION = re.compile(rf"\bsections?\s+({NUMBERS}(?:(?:,|\s+and|\s+to)\s+{NUMBERS})*)")
PATH = re.compile(rf"(?<![\w/.@$~{{}}<>*-])((?:{FOLDERS})/(?:[\w.*@/-]|\[\w+\])*)")
NAME = re.compile(r"(?<![\w/.@$~{}<>*-])([\w*-]+\.(?:c|h|sql|awk|sh|py|md|case))(?![\w/*.]\w)\b")
PAGE = re.compile(r"\b(planwright[\w.-]*)\((\d)\)|^\.Xr (planwright\S*) (\d)", re.M)
CALL = re.compile(r"(?<![\w.:>-])([a-z]\w*_\w+|[a-z]{4,})\(\)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
# Functions of the system and its libraries.
LIBRARY = re.compile(r"(PQ|FCGX_|json_|curl_|gd|magic_|pg_|EVP_)\w*|set_config|generate_series|"
                     r"now|snprintf|malloc|free|fork|accept|printf|strtod|tolower|unnest")

COMMENTS = {
    ".c": r"/\*.*?\*/|//[^\n]*", ".sql": r"--[^\n]*|/\*.*?\*/",
    ".py": r'"""(?:.*?)"""|(?<![^\s])#[^\n]*', "#": r"(?<![^\s])#[^\n]*", "all": r".+",
}
STRINGS = {".c": r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', ".sql": r"'(?:[^']|'')*'"}


def comments(file):
    """The file's text with everything but comments blanked, and with the comments blanked."""
    text = file.read_text(encoding="utf-8")
    kind = {".h": ".c", ".md": "all"}.get(file.suffix, file.suffix)
    if file.parent.name == "man":
        kind = "all"
    comment = re.compile(COMMENTS.get(kind, COMMENTS["#"]), re.S)
    token = re.compile(f"({comment.pattern})|{STRINGS[kind]}", re.S) if kind in STRINGS else comment
    told, code, at = "", "", 0
    blank = lambda part: re.sub(r"\S", " ", part)
    for found in token.finditer(text):
        if kind in STRINGS and not found.group(1):
            continue
        told += blank(text[at:found.start()]) + found.group()
        code += text[at:found.start()] + blank(found.group())
        at = found.end()
    if kind != "all":  # a comment's marker at the start of a line must not separate two words
        told = re.sub(r"(?m)^([ \t]*)(/\*+|\*/|\*|--|//|#)", lambda m: m[1] + " " * len(m[2]), told)
    return told + blank(text[at:]), code + text[at:]


def headings(file):
    """The numbers of a document's headings, and their anchors."""
    titles = re.findall(r"(?m)^#+ +(.+?) *$", file.read_text(encoding="utf-8")) if file.exists() else []
    numbers = {m[1] for m in (re.match(rf"({NUMBERS})\.? ", title) for title in titles) if m}
    return numbers, {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class Tree:
    def __init__(self):
        skip = re.compile(r"(^|/)(\.|_check/|var/|build-aux/|autom4te|corpus/)|__pycache__|\.[oa]$")
        self.files = [f for f in sorted(TOP.rglob("*")) if f.is_file()
                      and not skip.search(str(f.relative_to(TOP)))]
        self.names = {f.name for f in self.files} | {name.rpartition("/")[2] for name in MADE}
        self.sections, _ = headings(TOP / "docs/contract.md")
        self.cited, self.words = {}, set()
        for file in self.files:
            where = str(file.relative_to(TOP))
            if not re.match(rf"({FOLDERS})/|README\.md$|CONTRIBUTING\.md$|(run|check|Makefile\.am)$", where):
                continue
            try:
                told, code = comments(file)
            except UnicodeDecodeError:
                continue
            if not where.startswith("sql/migrations/"):
                self.cited[where] = told
            if re.match(r"(src|sql|t|dev)/", where):
                self.words.update(re.findall(r"\w+", code))

    def has_path(self, path):
        path = path.rstrip(".")
        return path in MADE or path.endswith("/-") or any(TOP.glob(path.rstrip("/") or ".")) or any(
            re.fullmatch(path.replace(".", r"\.").replace("*", "[^/]*"), made) for made in MADE)

    def has_name(self, name):
        pattern = re.escape(name).replace(r"\*", ".*")
        return any(re.fullmatch(pattern, other) for other in self.names)

    def faults(self, where, told):
        """(position, message) of each citation of something that does not exist"""
        def sections(pattern):
            for m in pattern.finditer(told):
                for number in re.findall(NUMBERS, m[1]):
                    if number not in self.sections:
                        yield m.start(), f"docs/contract.md has no section {number}"
        yield from sections(CONTRACT)
        if where == "docs/contract.md":
            yield from sections(SECTION)
        for m in PATH.finditer(told):
            if not self.has_path(m[1]):
                yield m.start(), f"there is no {m[1]}"
        for m in NAME.finditer(told):
            if not self.has_name(m[1]) and not FOREIGN.match(m[1]):
                yield m.start(), f"no file is named {m[1]}"
        for m in PAGE.finditer(told):
            page = f"man/{m[1] or m[3]}.{m[2] or m[4]}"
            if not (TOP / page).exists():
                yield m.start(), f"there is no {page}"
        for m in CALL.finditer(told):
            if m[1] not in self.words and not LIBRARY.fullmatch(m[1]):
                yield m.start(), f"no code has a {m[1]}()"
        for m in LINK.finditer(told) if where.endswith(".md") else ():
            path, _, anchor = m[1].partition("#")
            file = (TOP / where).parent / path if path else TOP / where
            if ":" not in m[1] and (not file.exists() or anchor and anchor not in headings(file)[1]):
                yield m.start(), f"the link {m[1]} leads nowhere"
        for m in FOREIGN.finditer(told) if FOREIGN_REFUSED else ():
            yield m.start(), f"{m.group()} is not in the tree"


def main():
    tree, bad = Tree(), 0
    for where, told in tree.cited.items():
        for at, sentence in sorted(tree.faults(where, told)):
            bad += 1
            print(f"{where}:{told.count(chr(10), 0, at) + 1}: {sentence}")
    if not tree.sections:
        print("docs/contract.md has no sections")
    return 1 if bad or not tree.sections else 0


if __name__ == "__main__":
    sys.exit(main())
