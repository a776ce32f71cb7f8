"""Malicious and damaged files."""
import os
import sqlite3
import struct
import zipfile

import make_dumps
import make_zips


def write(path, *parts):
    with open(path, "wb") as f:
        for part in parts:
            f.write(part)


def entry(path, name, content=b"x", mode=0o100644, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("185000001/good.txt", b"good")
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = mode << 16
        info.compress_type = method
        z.writestr(info, content)


def patched(path, at, value):
    """Changes the first file's entry in the archive's central directory."""
    with open(path, "r+b") as f:
        data = f.read()
        f.seek(data.index(b"PK\1\2") + at)
        f.write(value)


def make_zips_that_harm():
    entry("up.zip", "../../etc/cron.d/x")
    entry("root.zip", "/etc/passwd")
    entry("windows.zip", "7\\..\\..\\x.txt")
    make_zips.old_archive("old_up.zip", {"../../etc/cron.d/x": b"x"})
    make_zips.old_archive("old_root.zip", {"/etc/passwd": b"x"})
    make_zips.old_archive("old_disk.zip", {"C:/Users/x.csv": b"x"})
    make_zips.old_archive("old_story.zip", {"7/../../x.txt": b"x", "8/y.txt": b"y"})
    entry("control.zip", "7/a\x1b[31mred.txt")
    entry("link.zip", "7/passwd", b"/etc/passwd", 0o120777)
    make_zips.archive("bomb.zip", {"7/zeros": bytes(1 << 20)})
    patched("bomb.zip", 24, struct.pack("<I", 3 << 30))
    make_zips.archive("picture.zip", {"7/white.bmp": bytes(5 << 20)})
    entry("lzma.zip", "7/x.txt", b"x" * 100, method=zipfile.ZIP_LZMA)
    entry("cut.zip", "7/x.txt", os.urandom(1000))
    with open("cut.zip", "r+b") as f:
        f.truncate(900)
    make_zips.archive("encrypted.zip", {"7/x.txt": b"x"})
    patched("encrypted.zip", 8, b"\1\0")
    make_zips.archive("long.zip", {"7/x.txt": b"x" * 50})
    patched("long.zip", 24, struct.pack("<I", 40))
    make_zips.archive("sum.zip", {"7/x.txt": b"x" * 50})
    patched("sum.zip", 16, b"\0\0\0\0")
    # A hundred names for the same content.
    make_zips.archive("overlap.zip", {f"7/{i:03}.txt": b"" for i in range(100)})
    with zipfile.ZipFile("overlap.zip", "w") as z:
        z.writestr("7/big.bin", os.urandom(100000))
        first = z.filelist[0]
        for i in range(99):
            again = zipfile.ZipInfo(f"7/{i:03}.bin")
            again.file_size, again.compress_size = first.file_size, first.compress_size
            again.CRC, again.header_offset = first.CRC, first.header_offset
            z.filelist.append(again)
            z.NameToInfo[again.filename] = again
        z._didModify = True
    # The end of the archive claims that it has four billion files.
    end = struct.pack("<IIHHIIH", 0x07064b50, 0, 0, 0, 0, 1, 0)[:20]
    long_end = struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0, 1 << 32, 1 << 32,
        46 << 32, 0)
    locator = struct.pack("<IIQI", 0x07064b50, 0, 4, 1)
    assert len(end) == len(locator)
    write("many.zip", b"PK\3\4", long_end, locator,
        struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0))


def make_zips_that_broke():
    """Invalid names of attached files, and broken tables."""
    with zipfile.ZipFile("names.zip", "w") as z:
        for name in ("7/fine.txt", "7/" + "x" * 1100, "7/../../etc/x", "7/é.txt", "7/ü\x1b.txt", "a/b/7/no.txt"):
            z.writestr(name, b"x")
    with open("names.zip", "r+b") as f:
        data = f.read().replace("é".encode(), b"\xc3(")
        f.seek(0)
        f.write(data)
    table = b"Id,Title\n1,One\n2,Two\n"
    with zipfile.ZipFile("locked.zip", "w") as z:
        link = zipfile.ZipInfo("1/link")
        link.external_attr, link.create_system = 0o120777 << 16, 3
        z.writestr("1/locked.txt", b"x")
        z.writestr("1/odd.txt", b"x" * 100, zipfile.ZIP_LZMA)
        z.writestr(link, b"/etc/passwd")
        z.writestr("1/fine.txt", b"x")
        z.writestr("web.csv", table)
    patched("locked.zip", 8, b"\1\0")
    make_zips.archive("table_sum.zip", {"web.csv": table, "1/x.txt": b"x"})
    patched("table_sum.zip", 16, b"\0\0\0\0")
    make_zips.archive("table_start.zip", {"web.csv": table * 10, "1/x.txt": b"x"})
    with open("table_start.zip", "r+b") as f:
        f.seek(30 + len("web.csv"))
        f.write(b"\xff" * 8)
    make_zips.archive("table_head.zip", {"web.csv": b'Id,"Title\n1,One\n', "1/x.txt": b"x"})
    make_zips.archive("table_quote.zip", {"web/web.csv": b'Id,Title\n1,One\n2,"Two\n3,Three\n', "web/1/x.txt": b"x"})


def make_texts():
    write("deep.json", b"[" * 100000)
    write("deep_object.json", b'{"a":' * 100 + b"1" + b"}" * 100)
    write("half.json", b'[{"kind":"story","id":1,"name":"A')
    write("no_comma.json", b'[{"kind":"story","id":1,"name":"A"} {"kind":"story"}]')
    write("twice.json", b'[{"kind":"story","id":1,"name":"A","name":"B"}]')
    write("not_utf8.json", b'[{"kind":"label","id":1,"name":"A"},\n'
        b'{"kind":"label","id":1,"name":"\xe4"}]')
    write("nothing.json", b'{"a": 1, "b": [2]}')
    write("word.json", b'[1, "two", {"kind":"label","id":1,"name":"A"}, null]')
    write("empty.csv")
    write("text.txt", b"Dear all,\nhere is the export.\n")
    write("page.html", b"<!DOCTYPE html><title>Sign in</title>")
    write("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100))
    write("export.csv.gz", b"\x1f\x8b\x08" + bytes(20))
    write("utf16.csv", "Id,Title\n".encode("utf-16"))
    os.mkfifo("pipe")
    os.makedirs("linked/7")
    os.symlink("/etc/passwd", "linked/7/passwd")
    write("linked/7/a.txt", b"a")
    os.makedirs("empty")


def make_databases():
    good = make_dumps.PIVOTAL_TRACKER_DUMP
    make_dumps.database("view.db", good.replace("create table story (", "create table tale (")
        .replace("into story ", "into tale ") + "create view story as select * from tale;")
    make_dumps.database("loop.db", "create table project (id, name);"
        "create view story as with recursive t(id) as (select 1 union all select id + 1 from t)"
        " select id, 'x' as name from t;")
    make_dumps.database("called.db", "create table story (id integer primary key, name text,"
        " story_type text as (upper(name)), current_state text);"
        "insert into story (id, name) values (1, 'a');")
    db = sqlite3.connect("made_up.db")
    db.execute("create virtual table story using fts4(id, name, story_type, current_state)")
    db.commit()
    db.close()
    make_dumps.database("not_utf8.db", "create table story (id integer primary key, name text,"
        " story_type text, current_state text); insert into story values"
        " (1, cast(x'41e442' as text), 'bug', 'started');")
    make_dumps.database("huge_row.db", "create table story (id integer primary key, name text,"
        " story_type text, current_state text); insert into story values"
        " (1, cast(zeroblob(20000000) as text), 'bug', 'started');")
    make_dumps.database("other.db", "create table invoice (id integer primary key);")
    make_dumps.database("torn.db", make_dumps.STORYEXPORTER)
    with open("torn.db", "r+b") as f:
        f.truncate(8192)
    make_dumps.database("logged.db", make_dumps.STORYEXPORTER)
    write("logged.db-wal", b"x" * 100)
    make_tree_without_end("tree.db")
    make_tree_without_end("shared.db", 1, 200000)


def make_tree_without_end(path, levels=5, longest=50):
    """A table whose interior pages all lead to the same leaf: 400 to the power of 5 rows; or so
    many times a long text."""
    db = sqlite3.connect(path)
    db.execute("pragma page_size = 4096")
    db.execute("create table story (id, name, story_type, current_state)")
    db.executemany("insert into story values (?, ?, 'bug', 'started')",
        ((i, "x" * (50 if i < 2999 else longest)) for i in range(3000)))
    db.commit()
    db.close()
    with open(path, "rb") as f:
        data = bytearray(f.read())
    child = struct.unpack(">I", data[4096 + 8:4096 + 12])[0]
    for level in range(levels):
        page = bytearray(4096)
        cells = range(4096 - 6, 4096 - 6 * 401, -6)
        page[0:12] = struct.pack(">BHHHBI", 5, 0, len(cells), cells[-1], 0, child)
        for i, at in enumerate(cells):
            page[12 + 2 * i:14 + 2 * i] = struct.pack(">H", at)
            page[at:at + 6] = struct.pack(">IBB", child, 0x81, i % 128)
        if level < levels - 1:
            data += page
            child = len(data) // 4096
    data[4096:8192] = page
    data[28:32] = struct.pack(">I", len(data) // 4096)
    write(path, data)


def make_large():
    """Longer than what a reader may hold in memory: one story with very many comments."""
    with open("many_comments.json", "wb") as f:
        f.write(b'[{"kind":"story","id":900001,"name":"A","story_type":"bug",'
            b'"current_state":"started","comments":[')
        f.write(b",".join(b'{"id":%d,"text":"%s"}' % (i, b"t" * 500) for i in range(100001, 115001)))
        f.write(b'],"updated_at":"2023-10-02T08:00:00Z"},{"kind":"label","id":900002,"name":"L"}]')


def make():
    make_zips_that_harm()
    make_zips_that_broke()
    make_texts()
    make_databases()
    make_large()
