#!/usr/bin/env python3
"""Finds cycles: modules that include each other, SQL functions that call each other.

    dev/checks/circles.py [c] [sql]     one half, or both

A C module is a source file in src/ together with the header of the same name; it has an edge to each module whose
header either of them includes. A SQL function or view in sql/*.sql has edges to the functions that its body names,
followed by a parenthesis, and to the views that it names with their schema; a function that calls itself is no cycle.
Prints the nodes of each cycle and a shortest path around it, and how many there are; fails if there are any.
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
CREATE = re.compile(
    r"^\s*create\s+(?:or\s+replace\s+)?(function|procedure|view|materialized\s+view)\s+([\w.]+)", re.I)
# A SQL token that may contain a semicolon, or begins or ends an unquoted body.
TOKEN = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|\$(\w*)\$.*?\$\1\$|"
                   r"\bbegin\s+atomic\b|\bcase\b|\bend\b|;", re.S | re.I)


def c_modules():
    """{module: set of modules}, each named by its path below src/ without .c or .h"""
    graph = {}
    for file in sorted(TOP.glob("src/**/*.[ch]")):
        module = str(file.relative_to(TOP / "src").with_suffix(""))
        leads = {re.sub(r"\.h$", "", name) for name in INCLUDE.findall(file.read_text())}
        graph.setdefault(module, set()).update(leads - {module})
    return graph


def sql_statements(text):
    """The statements of a file, without comments."""
    statement, at, depth = "", 0, 0
    for token in TOKEN.finditer(text):
        word = token.group().lower()
        statement += text[at:token.start()]
        at = token.end()
        if word.startswith(("--", "/*")):
            continue
        if word == ";" and depth == 0:
            yield statement
            statement = ""
            continue
        if word.startswith("begin") or (word == "case" and depth):
            depth += 1
        elif word == "end" and depth:
            depth -= 1
        statement += token.group()
    yield statement + text[at:]


def sql_functions():
    """{name: set of names}; views are named with their schema"""
    bodies, kinds = {}, {}
    for file in sorted(TOP.glob("sql/*.sql")):
        for statement in sql_statements(file.read_text()):
            created = CREATE.match(statement)
            if created:
                kind, name = created.group(1).lower(), created.group(2).lower()
                kinds[name] = "view" if "view" in kind else "function"
                body = re.sub(r"(?m)--.*$", "", statement[created.end():]).lower()
                bodies[name] = bodies.get(name, "") + "\n" + body
    graph = {}
    for name, body in bodies.items():
        calls = set(re.findall(r"\b[a-z_]\w*(?=\s*\()", body))
        words = set(re.findall(r"\b[a-z_]\w*\.[a-z_]\w*\b", body))
        found = {other for other, kind in kinds.items() if (
            other.rpartition(".")[2] in calls if kind == "function" else other in words)}
        graph[name] = found - {name}
    return graph


def reached(graph, start):
    """{node: the node before it on a shortest path from start}"""
    before, front = {}, [start]
    while front:
        following = []
        for node in front:
            for other in sorted(graph.get(node, ())):
                if other not in before:
                    before[other] = node
                    following.append(other)
        front = following
    return before


def circles(graph):
    """The strongly connected sets of nodes, each as a shortest path around it and the list of its nodes."""
    ways = {node: reached(graph, node) for node in graph}
    done = set()
    for start in sorted(graph):
        if start in done or start not in ways[start]:
            continue
        members = {node for node in ways[start] if start in ways.get(node, ())}
        done |= members
        node, way = ways[start][start], [start]
        while node != start:
            way.insert(0, node)
            node = ways[start][node]
        yield [start] + way, sorted(members)


def main(halves):
    found = 0
    for half, graph in (("c", c_modules), ("sql", sql_functions)):
        if half not in halves:
            continue
        nodes = graph()
        if not nodes:
            print(f"{half}: nothing was found to look at")
            return 1
        for way, members in circles(nodes):
            found += 1
            print(f"{half}: {' -> '.join(way)}")
            if len(members) >= len(way):
                print(f"\t{len(members)} lead to each other: {', '.join(members)}")
        print(f"{half}: {len(nodes)} looked at, {sum(len(leads) for leads in nodes.values())} edges")
    print(f"{found} circles")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["c", "sql"]))
