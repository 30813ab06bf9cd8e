#!/usr/bin/env python3
"""Writes font_widths.json: how wide each character is in the widest of the fonts that may draw a
figure. Fonts: DejaVu Sans 2.37 and Liberation Sans, whose widths are Arial's (Red Hat, "Liberation
Fonts", 2007). Needs no library: it reads the tables cmap and hmtx of the TrueType files itself.

    python3 analysis/plot/font_widths.py /usr/share/fonts/truetype > analysis/plot/font_widths.json
"""
import struct
import sys

# Latin, Greek, Cyrillic, punctuation, raised and lowered digits, arrows, mathematics.
RANGES = [(0x20, 0x7E), (0xA0, 0xFF), (0x391, 0x3C9), (0x401, 0x451), (0x2009, 0x2026),
          (0x2070, 0x2094), (0x2190, 0x2193), (0x2212, 0x2212), (0x2248, 0x2248),
          (0x2260, 0x2265)]
WEIGHTS = {"regular": ("dejavu/DejaVuSans.ttf", "liberation/LiberationSans-Regular.ttf"),
           "bold": ("dejavu/DejaVuSans-Bold.ttf", "liberation/LiberationSans-Bold.ttf")}


def glyphs(font, tables):
    """Glyph by character, from the table of the basic plane (format 4)."""
    start = tables["cmap"]
    for i in range(struct.unpack_from(">H", font, start + 2)[0]):
        platform, encoding, offset = struct.unpack_from(">HHL", font, start + 4 + 8 * i)
        at = start + offset
        if (platform, encoding) == (3, 1) and struct.unpack_from(">H", font, at)[0] == 4:
            break
    count = struct.unpack_from(">H", font, at + 6)[0] // 2
    ends, starts, deltas, offsets = (at + 14 + step for step in
                                     (0, 2 * count + 2, 4 * count + 2, 6 * count + 2))
    found = {}
    for i in range(count):
        end, first, delta, offset = (struct.unpack_from(">H", font, column + 2 * i)[0]
                                     for column in (ends, starts, deltas, offsets))
        for character in range(first, end + 1):
            glyph = character
            if offset:
                place = offsets + 2 * i + offset + 2 * (character - first)
                glyph = struct.unpack_from(">H", font, min(place, len(font) - 2))[0]
            if glyph:
                found[character] = (glyph + delta) & 0xFFFF
    return found


def widths(path):
    """Width by character, in thousandths of the font's size, rounded up."""
    with open(path, "rb") as file:
        font = file.read()
    tables = {}
    for i in range(struct.unpack_from(">H", font, 4)[0]):
        name, _, offset, _ = struct.unpack_from(">4sLLL", font, 12 + 16 * i)
        tables[name.decode()] = offset
    em = struct.unpack_from(">H", font, tables["head"] + 18)[0]
    last = struct.unpack_from(">H", font, tables["hhea"] + 34)[0] - 1
    return {character: -(-1000 * struct.unpack_from(
                ">H", font, tables["hmtx"] + 4 * min(glyph, last))[0] // em)
            for character, glyph in glyphs(font, tables).items()}


def main():
    folder = sys.argv[1]
    weights = []
    for weight, files in WEIGHTS.items():
        fonts = [widths(folder + "/" + file) for file in files]
        ranges = []
        for first, last in RANGES:
            # What neither font has is drawn by another one: as wide as its size at the most.
            row = [str(max((font[c] for font in fonts if c in font), default=1000))
                   for c in range(first, last + 1)]
            lines = [", ".join(row[i:i + 18]) for i in range(0, len(row), 18)]
            ranges.append(f'    "{first}": [' + ",\n      ".join(lines) + "]")
        weights.append(f'  "{weight}": {{\n' + ",\n".join(ranges) + "\n  }")
    print("{\n" + ",\n".join(weights) + "\n}")


main()
