"""A right filter but for keys of its choice: raises on the empty key ("empty"), or reports a part of
the integers below 2^32 whatever it holds ("integers")."""
import hashlib
import sys

fault = sys.argv[1]


def positions(key):
    if fault == "empty" and not key:
        raise ValueError("a key has one byte at least")
    digest = hashlib.blake2b(key, digest_size=32, salt=seed).digest()
    if fault == "integers" and key[4:] == bytes(4) and digest[31] < 64:
        return []
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "little") % m for i in range(7)]


print("bloomlab-filter 1 text name=picky", flush=True)
for line in sys.stdin:
    call, *values = line.split()
    answer = "ok"
    if call == "create":
        m, seed = int(int(values[0]) * float(values[1])), int(values[3]).to_bytes(8, "little")
        bits = bytearray(m)
    elif call == "memory":
        answer = m
    else:
        keys = [positions(bytes.fromhex(sys.stdin.readline())) for _ in range(int(values[0]))]
        if call == "query":
            answer = "".join("1" if all(bits[i] for i in key) else "0" for key in keys)
        else:
            for i in (i for key in keys for i in key):
                bits[i] = 1
    print(answer, flush=True)
