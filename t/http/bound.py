"""Whether a statement is bound to one project, account, person or thing. PostgreSQL parses and plans it, with views
expanded, for unknown values; this module reads the plan. A row of a table is bound if the columns that determine
where it belongs each equal a single value, or something that is bound itself:

    m.project_id = $1                      one project
    t.story_id = s.id, s.id = $1           the parts of one thing
    l.id = any (s.label_ids), s.id = $1    what a bound row names
    s.id = any ($1)                        not bound: a list may name things of several projects

docs/shards.md says what each table belongs to. The catalog says which columns determine it: a foreign key to a table
that belongs to the same thing, or all columns of a unique key."""

import json
import re

# Parameters get numbers that no subquery's result has, since a plan writes both as $1, $2 …
SHIFT = 100
NAME = r'("[^"]+"|\w+)'
CONDITIONS = ("Index Cond", "Recheck Cond", "Filter", "Hash Cond", "Merge Cond", "Join Filter",
              "One-Time Filter")


class Schema:
    """For each table: what it belongs to, its columns, and its keys, each a set of columns."""

    def __init__(self, cursor, homes, own):
        """homes: "account", "person", "reference" or "local" for each table; own: additional columns that determine
        it, if there are any."""
        self.homes = homes
        cursor.execute("""select c.relname, array_agg(case when a.attisdropped then null
                else a.attname::text end order by a.attnum)
            from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
            where c.relnamespace = 'planwright'::regnamespace and c.relkind in ('r', 'p')
                and not c.relispartition group by 1""")
        self.columns = dict(cursor.fetchall())
        self.keys = {table: {frozenset([c]) for c in own.get(table, ())} for table in self.columns}
        cursor.execute("""select c.relname,
                array_agg(pg_get_indexdef(i.indexrelid, n, true) order by n), i.indisprimary
            from pg_index i join pg_class c on c.oid = i.indrelid
            cross join lateral generate_series(1, i.indnkeyatts) n
            where c.relnamespace = 'planwright'::regnamespace and i.indisunique and i.indpred is null
                and not c.relispartition
            group by c.relname, i.indexrelid, i.indisprimary""")
        self.unique = [(table, tuple(columns)) for table, columns, _ in cursor.fetchall()]
        for table, columns in self.unique:
            self.keys[table].add(frozenset(columns))
        cursor.execute("""select c.relname, a.attname, p.relname
            from pg_constraint k join pg_class c on c.oid = k.conrelid
            join pg_class p on p.oid = k.confrelid
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
            where k.connamespace = 'planwright'::regnamespace and contype = 'f'
                and cardinality(conkey) = 1""")
        keys = cursor.fetchall()
        cursor.execute("select inhrelid::regclass::text, inhparent::regclass::text from pg_inherits")
        self.whole = dict(cursor.fetchall())  # the partitioned table of each partition
        for table, column, parent in keys:
            if homes.get(table) == homes.get(parent):
                self.keys[table].add(frozenset([column]))

    def add(self, table, home):
        """Adds a table of which every row is bound."""
        self.homes[table], self.columns[table], self.keys[table] = home, [], {frozenset()}

    def is_split(self, table):
        """Whether its rows are spread over several machines."""
        return self.homes.get(table) in ("account", "person")


# --- the text of a plan ------------------------------------------------------------------------------

def split(text, word):
    """The pieces between occurrences of a word outside parentheses."""
    pieces, depth, quoted, begin = [], 0, False, 0
    for i, c in enumerate(text):
        quoted ^= c == "'"
        if not quoted:
            depth += (c in "([") - (c in ")]")
            if depth == 0 and i >= begin and text.startswith(word, i):
                pieces.append(text[begin:i])
                begin = i + len(word)
    return pieces + [text[begin:]]


def parts(condition):
    """The conditions that must all hold: "((a = 1) AND (b = 2))" has two."""
    text = condition
    while text.startswith("(") and len(split(text, ")")) == 2 and text.endswith(")"):
        text = text[1:-1]
        pieces = split(text, " AND ")
        if len(pieces) > 1:
            return [part for piece in pieces for part in parts(piece)]
        if text.endswith(" IS TRUE"):
            text = text.removesuffix(" IS TRUE")
    return [text]


def aliases(text):
    """The relations whose columns a text uses."""
    return {a.strip('"') for a, _ in re.findall(rf"{NAME}\.{NAME}", re.sub(r"'[^']*'", "''", text))}


# --- the plan ----------------------------------------------------------------------------------------

class Relation:
    """What a plan reads: a table, or rows that something else produces, such as a function or a subquery."""

    def __init__(self, table=None, call=None, cte=None):
        self.table, self.call, self.cte = table, call, cte
        self.bound = False
        self.equal = []   # (column or expression, what it equals, whether that is a list)
        self.inside = []  # the relations of a subquery


class Plan:
    def __init__(self, schema, plan):
        self.schema, self.relations, self.results, self.ctes = schema, {}, {}, {}
        self.inserts, self.conditions = [], []
        self.walk(plan, None)
        for condition, alias in self.conditions:
            for part in parts(condition):
                self.note(part, alias)
        self.settle()

    def walk(self, node, holder):
        name, kind, alias = node.get("Subplan Name", ""), node["Node Type"], node.get("Alias")
        below = node.get("Plans", [])
        if name.startswith("CTE "):
            holder = self.ctes[name[4:]] = Relation()
        elif name.startswith("InitPlan "):
            holder = Relation()
            self.results.update(dict.fromkeys(re.findall(r"\$\d+", name), holder))
        is_scan = kind.endswith("Scan") and alias is not None
        if kind == "ModifyTable" and node["Operation"] == "Insert":
            made, = (p for p in below if p["Parent Relationship"] == "Outer")
            self.inserts.append((node["Relation Name"], made.get("Output", [])))
        elif is_scan:
            table = node.get("Relation Name")
            relation = self.relations.setdefault(alias, Relation(
                self.schema.whole.get(table, table), node.get("Function Call"), node.get("CTE Name")))
            if holder is not None:
                holder.inside.append(relation)
            holder = relation if kind == "Subquery Scan" else holder
        elif kind == "Result" and holder is not None and not any(
                p["Parent Relationship"] == "Outer" for p in below):
            single = Relation()
            single.bound = True
            holder.inside.append(single)
        # A bitmap may be only one of several; the scan's Recheck Cond contains the whole condition.
        for condition in filter(None, map(node.get, CONDITIONS if kind != "Bitmap Index Scan" else ())):
            for text in [condition] if isinstance(condition, str) else condition:
                self.conditions.append((text, alias if is_scan else None))
        for child in below:
            self.walk(child, holder)

    def note(self, part, alias):
        """An equality counts for the relation on either side."""
        sides = split(part, " = ")
        if len(sides) != 2:
            return
        for own, other in (sides, sides[::-1]):
            names = aliases(own)
            if len(names) > 1:
                continue
            name = names.pop() if names else alias
            if name in self.relations:
                column = re.sub(rf'"?{re.escape(name)}"?\.', "", own)
                bare = re.fullmatch(r"\((\w+)\)::\w+", column)
                several = re.fullmatch(r"ANY \((?!ARRAY\[[^,]*\]\))(.*)\)", other)
                self.relations[name].equal.append(
                    (bare[1] if bare else column, several[1] if several else other, bool(several)))

    def settle(self):
        known = -1
        relations = [*self.relations.values(), *self.results.values(), *self.ctes.values()]
        while known < (known := sum(r.bound for r in relations)):
            for r in relations:
                r.bound = r.bound or self.is_bound(r)

    def is_bound(self, r):
        if r.table:
            home = self.schema.homes.get(r.table)
            known = {column for column, other, several in r.equal if self.is_one(home, other, several)}
            return any(key <= known for key in self.schema.keys.get(r.table, ()))
        if r.cte:
            return self.ctes[r.cte].bound
        if r.call and not re.search(r"\$\d", r.call):  # a list of constants, or of values of a row
            return self.is_one(None, r.call, False)
        if r.inside:
            return all(x.bound for x in r.inside)
        return any("." in other and self.is_one(None, other, several) for _, other, several in r.equal)

    def is_one(self, home, text, several):
        """Whether an expression of the plan is one value, or comes from bound rows on the same machine."""
        named = aliases(text)
        if named:
            return all(a in self.relations and self.relations[a].bound
                       and (home is None or self.homes_of(self.relations[a]) <= {home, "reference"})
                       for a in named)
        params = re.findall(r"\$\d+", text)
        if several or "SubPlan" in text:
            return bool(params) and all(p in self.results and self.results[p].bound for p in params)
        return True

    def homes_of(self, r):
        if r.table:
            return {self.schema.homes[r.table]}
        inside = [self.ctes[r.cte]] if r.cte else r.inside
        named = [self.relations[a] for a in aliases(r.call or "") if a in self.relations]
        return set().union(*(self.homes_of(x) for x in [*inside, *named] if x is not r))

    def unbound(self):
        """Tables with rows that are read, changed or inserted without being bound."""
        found = {r.table for r in self.relations.values()
                 if r.table and not r.bound and self.schema.is_split(r.table)}
        for table, output in self.inserts:
            known = {column for column, text in zip(self.schema.columns[table], output)
                     if not re.search(r"^NULL::|nextval\(", text)
                     and self.is_one(self.schema.homes.get(table), text, False)}
            if self.schema.is_split(table) and not any(k <= known for k in self.schema.keys[table]):
                found.add(table)
        return found


def explained(cursor, sql):
    """The plan of a statement for unknown values."""
    types = dict(re.findall(r"\$(\d+)::((?:double precision|[a-z]+)(?:\[\])?)", sql))
    highest = max(map(int, re.findall(r"\$(\d+)", sql)), default=0)
    declared = ["text"] * SHIFT + [types.get(str(n), "bigint") for n in range(1, highest + 1)]
    text = re.sub(r"\$(\d+)", lambda m: f"${int(m[1]) + SHIFT}", sql)
    cursor.execute("deallocate all; set plan_cache_mode = force_generic_plan")
    cursor.execute(f"prepare s({', '.join(declared)}) as {text}")
    cursor.execute("explain (verbose, costs off, format json) "
                   f"execute s({', '.join(['null'] * len(declared))})")
    (plan,), = cursor.fetchall()
    return (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]


def unbound(cursor, schema, sql, opaque=()):
    """Tables of a statement that are not bound. Functions whose plan EXPLAIN does not show (opaque) are included if
    they are not bound."""
    plan = explained(cursor, sql)
    called = {f for f in opaque if re.search(rf"\b{f}\(", json.dumps(plan))}
    return Plan(schema, plan).unbound() | called


def named(schema, sql):
    """The tables that a statement names. It is for statements that no database can parse, because they use temporary
    tables, or contain braces to be replaced by columns and tables. {table}: one that an import fills."""
    own = set(re.findall(r"(\w+)(?: *\([^()]*\))? as (?:materialized )?\(", sql))
    lists = re.findall(r"\b(?:from|join|update|into|using)\s+((?:[\w{}.]+(?: \w+)?(?:, )?)+)", sql)
    words = {item.split()[0] for items in lists for item in items.split(", ") if item.strip()}
    return {w for w in words - own
            if w == "{table}" or schema.is_split(w) and frozenset() not in schema.keys[w]}
