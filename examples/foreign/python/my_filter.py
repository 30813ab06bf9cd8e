"""A Bloom filter for bloomlab, in Python's standard library alone: lines in, lines out."""
import hashlib
import sys


def positions(key):
    digest = hashlib.blake2b(key, digest_size=16, salt=seed).digest()
    first, step = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little") | 1
    return [(first + i * step) % m for i in range(k)]


print("bloomlab-filter 1 text name=my_filter", flush=True)
for line in sys.stdin:
    call, *values = line.split()
    answer = "ok"
    if call == "create":  # n, bits per key, rate, seed, options
        m, seed = int(int(values[0]) * float(values[1])), int(values[3]).to_bytes(8, "little")
        k, bits = max(1, round(0.693 * float(values[1]))), bytearray(m)
    elif call == "memory":
        answer = m
    else:  # insert or query: the number of keys, then each in hex on a line
        keys = [positions(bytes.fromhex(sys.stdin.readline())) for _ in range(int(values[0]))]
        if call == "query":
            answer = "".join("1" if all(bits[i] for i in key) else "0" for key in keys)
        else:
            for i in (i for key in keys for i in key):
                bits[i] = 1
    print(answer, flush=True)
