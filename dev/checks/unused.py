"""Finds unused names. In the headers of src: functions and macros that no program uses, and enums of which
no program uses any constant. A use only by tests does not count. A function that only its own file calls
should be static. In C files: macros, and constants with a value, that occur only once."""

import collections
import pathlib
import re
import sys

# Tests call the whole of it, while programs use its parts: t/planning.
FOR_TESTS = {"planning_make_plan"}
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
ENUM = re.compile(r"\benum\s*\w*\s*\{(.*?)\}", re.S)
FUNCTION = re.compile(r"^(?!typedef|#)[a-z][\w \*]*?\b(\w+)\(", re.M)
VALUED = re.compile(r"\b([A-Za-z_]\w*)\s*=[^=]")
MACRO = re.compile(r"^#define (\w+)", re.M)


def constants(body):
    parts = [WORD.match(part.strip()) for part in re.sub(r"\([^()]*\)", "", body).split(",")]
    return [part[0] for part in parts if part]


def functions(text):
    for _ in range(2):
        text = re.sub(r"\{[^{}]*\}", "{}", text)
    return FUNCTION.findall(text)


class Tree:
    def __init__(self, *folders):
        files = sorted(f for folder in folders for f in pathlib.Path(folder).rglob("*.[ch]"))
        self.texts = {file: NOISE.sub(" ", file.read_text()) for file in files}
        self.words = {f: collections.Counter(WORD.findall(t)) for f, t in self.texts.items()}

    def uses(self, name, header):
        """How many times each file uses a name from the header; and the file that defines it."""
        uses, home = {}, None
        for file, words in self.words.items():
            n = words[name] - (file == header)
            if n > 0 and file.suffix == ".c" \
                    and re.search(rf"^[a-z][^\n;=]*\b{name}\(", self.texts[file], re.M):
                home = file
                n -= 1
            if n > 0:
                uses[file] = n
        return uses, home


def faults(tree, tests, header):
    text = tree.texts[header]
    for names in [[name] for name in MACRO.findall(text)] + [constants(b) for b in ENUM.findall(text)]:
        if names and not any(tree.uses(name, header)[0] for name in names):
            yield f"{header}: {names[0]} is used by no program"
    for name in functions(text):
        uses, home = tree.uses(name, header)
        if not uses and name not in FOR_TESTS:
            yield f"{header}: {name} is used by no program"
        elif list(uses) == [home] and not tests.uses(name, header)[0]:
            yield f"{header}: {name} is used by {home} alone"


def own_faults(tree, file):
    text = tree.texts[file]
    valued = [name for body in ENUM.findall(text) for name in VALUED.findall(body)]
    for name in MACRO.findall(text) + valued:
        if tree.words[file][name] == 1 and not name.startswith("_"):
            yield f"{file}: {name} is not used"


def main():
    tree, tests = Tree("src"), Tree("t")
    bad = [fault for header in tree.texts if header.suffix == ".h"
           for fault in faults(tree, tests, header)]
    bad += [fault for file in tree.texts if file.suffix == ".c" for fault in own_faults(tree, file)]
    print("\n".join(bad))
    sys.exit(bool(bad))


main()
