"""FNV-1a as a hash function for bloomlab, in Python's standard library alone: lines in, lines out."""
import sys


def digest(key, seed):
    value = 0xCBF29CE484222325
    for byte in (seed.to_bytes(8, "little") if seed else b"") + key:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


print("bloomlab-filter 1 text name=my_hash hashes", flush=True)
for line in sys.stdin:
    call, *values = line.split()
    if call == "hash":  # the number of keys, the seed, then each key in hex on a line
        keys = [bytes.fromhex(sys.stdin.readline()) for _ in range(int(values[0]))]
        print("".join(f"{digest(key, int(values[1])):016x}" for key in keys), flush=True)
    else:
        print("unsupported", flush=True)
