"""A right filter but for keys of its choice: raises on the empty key ("empty"), or reports a part of
the integers below 2^32 whatever it holds ("integers"). Or raises at a call: "save", "load", "merge",
"remove"; or on keys that are text of that beginning: "text=https"."""
import hashlib
import sys

fault = sys.argv[1]


def positions(key):
    if fault == "empty" and not key:
        raise ValueError("a key has one byte at least")
    if fault.startswith("text=") and key.startswith(fault[5:].encode()):
        raise ValueError("no such keys")
    digest = hashlib.blake2b(key, digest_size=32, salt=seed).digest()
    if fault == "integers" and key[4:] == bytes(4) and digest[31] < 64:
        return []
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "little") % m for i in range(7)]


print("bloomlab-filter 1 text name=picky removes merges saves", flush=True)
for line in sys.stdin:
    call, *values = line.split()
    if call == fault:
        raise ValueError("this cannot be done")
    answer = "ok"
    if call == "create":
        m, seed = int(int(values[0]) * float(values[1])), int(values[3]).to_bytes(8, "little")
        bits = bytearray(m)
    elif call == "memory":
        answer = m
    elif call == "save":
        answer = bits.hex()
    elif call == "load":
        bits = bytearray.fromhex(values[0])
    elif call == "merge":
        bits = bytearray(a | b for a, b in zip(bits, bytes.fromhex(values[0])))
    else:
        keys = [positions(bytes.fromhex(sys.stdin.readline())) for _ in range(int(values[0]))]
        if call == "query":
            answer = "".join("1" if all(bits[i] for i in key) else "0" for key in keys)
        else:
            for i in (i for key in keys for i in key):
                bits[i] = min(255, bits[i] + 1) if call == "insert" else max(0, bits[i] - 1)
    print(answer, flush=True)
