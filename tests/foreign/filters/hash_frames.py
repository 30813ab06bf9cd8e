"""FNV-1a by binary frames. With an argument the answers are that many bytes longer than asked for."""
import struct
import sys

longer = int(sys.argv[1]) if len(sys.argv) > 1 else 0
read, write = sys.stdin.buffer.read, sys.stdout.buffer.write


def digest(key):
    value = 0xCBF29CE484222325
    for byte in key:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


print("bloomlab-filter 1 binary name=hash_frames hashes", flush=True)
while header := read(24):
    operation, key_bytes, count, payload_bytes = struct.unpack("<IIQQ", header)
    payload = read(payload_bytes)
    if operation != 9:
        write(struct.pack("<IIQ", 2, 0, 0))
    else:
        seed, rest = payload[:8], payload[8:]
        if key_bytes:
            ends = range(0, key_bytes * count + 1, key_bytes)
        else:
            ends = struct.unpack(f"<{count + 1}Q", rest[: 8 * count + 8])
            rest = rest[8 * count + 8 :]
        seed = seed if any(seed) else b""
        digests = [digest(seed + rest[a:b]) for a, b in zip(ends, ends[1:])]
        write(struct.pack("<IIQ", 0, 0, 8 * count + longer))
        write(struct.pack(f"<{count}Q", *digests) + bytes(max(longer, 0)))
    sys.stdout.flush()
