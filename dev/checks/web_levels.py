"""The folders of web/src are levels: a file may import from its own folder and from those before it in the
list, and imports must not form cycles. Lazily loaded files count, too."""

import pathlib
import re
import sys

LEVELS = ["text", "api", "model", "ui", "app", "notes", "board", "story", "epic", "charts", "pages", ""]
IMPORT = re.compile(r'(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"', re.M)
ROOT = pathlib.Path("web/src").resolve()


def level(file):
    folder = file.relative_to(ROOT).parts[0] if file.parent != ROOT else ""
    return LEVELS.index(folder) if folder in LEVELS else None


def imported(file):
    for path in IMPORT.findall(file.read_text()):
        target = (file.parent / path).resolve()
        for suffix in (".ts", ".tsx"):
            if target.with_name(target.name + suffix).exists():
                yield target.with_name(target.name + suffix)


def rises(graph):
    for file, targets in graph.items():
        if level(file) is None:
            yield f"{file.relative_to(ROOT)}: its folder is not in the list of levels"
            continue
        for target in targets:
            if (level(target) or 0) > level(file):
                yield f"{file.relative_to(ROOT)} imports {target.relative_to(ROOT)}, which is above it"


def circle(graph):
    """A cycle of imports, or an empty list."""
    done, path = set(), []

    def visit(file):
        if file in path:
            return path[path.index(file):] + [file]
        if file in done:
            return []
        path.append(file)
        for target in graph[file]:
            if found := visit(target):
                return found
        path.pop()
        done.add(file)
        return []

    return next((found for file in graph if (found := visit(file))), [])


def main():
    graph = {file: sorted(imported(file)) for file in sorted(ROOT.rglob("*.ts*"))}
    for file in graph:
        graph[file] = [target for target in graph[file] if target in graph]
    faults = list(rises(graph))
    if ring := circle(graph):
        faults.append("a circle: " + " -> ".join(str(file.relative_to(ROOT)) for file in ring))
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
