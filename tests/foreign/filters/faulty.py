"""A filter that does wrong what its first argument says, from the call of its second on."""
import os
import signal
import struct
import subprocess
import sys
import time

fault = sys.argv[1]
at_call = sys.argv[2] if len(sys.argv) > 2 else "query"


def do_wrong():
    if fault == "crash":
        os.abort()
    if fault == "hang":
        time.sleep(1000)
    if fault == "slow":
        time.sleep(0.002)
    if fault == "stubborn":  # hangs, with a child that left its group; both have the last argument
        wait = [sys.executable, "-c", "import time; time.sleep(1000)", sys.argv[3]]
        subprocess.Popen(wait, start_new_session=True)
        if os.access(".", os.W_OK):
            with open(sys.argv[3], "w") as file:
                print(os.environ["TMPDIR"], file=file)
        time.sleep(1000)
    if fault == "stop":  # its guard, again and again
        while True:
            os.kill(os.getppid(), signal.SIGSTOP)
    if fault == "raise":
        raise ValueError("a fault of its own")
    if fault == "words":  # its last ones, of as many letters as the last argument says
        sys.exit("\33[2J=cmd\t" + "é" * int(sys.argv[3]))
    if fault == "exit":
        sys.exit(3)
    if fault == "close":
        os.close(1)
        time.sleep(1000)
    if fault == "garbage":
        return "maybe"
    if fault == "bytes":
        sys.stdout.buffer.write(b"\xff\x00\x1b[31m\n")
        sys.stdout.buffer.flush()
    if fault == "endless":
        while True:
            os.write(1, b"0" * 65536)
    if fault == "memory":
        hog = []
        while True:
            hog.append(bytearray(16 << 20))
            time.sleep(0.005)
    if fault == "flood":  # reads nothing, and writes without end
        print("bloomlab-filter 1 text name=faulty", flush=True)
        while True:
            os.write(1, b"0\n" * 32768)
    if fault == "claim":  # in frames: to save as many bytes as the last argument says; and ends
        print("bloomlab-filter 1 binary name=faulty", flush=True)
        sys.stdin.buffer.read(24)
        sys.stdout.buffer.write(struct.pack("<IIQ", 0, 0, int(sys.argv[3])))
        sys.exit(0)
    if fault == "error":  # of as many bytes as the last argument says
        print("error\r" + "\1" * int(sys.argv[3]), flush=True)
    if fault == "short":
        return "1"
    if fault == "long":  # a digest of another key
        return "0" * 16 * (len(given) + 1)
    if fault == "letters":  # as many as asked for
        return "xyzt" * 4 * len(given)
    if fault == "chatter":  # on standard error, 16 MiB of it, and then no more
        for _ in range(1 << 14):
            print("chatter" * 146, file=sys.stderr)
        print("chatter", file=sys.stderr, flush=True)
        os.abort()
    if fault == "refuse":
        return "error this size cannot be had"
    if fault == "unsupported":
        return "unsupported"
    return None


keys = set()
if at_call == "greeting":
    print(do_wrong(), flush=True)
print("bloomlab-filter 1 text name=faulty version=0 hashes help=does wrong", flush=True)
for line in sys.stdin:
    call, *values = line.split()
    given = []
    if call in ("insert", "query", "hash"):
        given = [sys.stdin.readline().strip() for _ in range(int(values[0]))]
    answer = "ok"
    if call == "insert":
        keys.update(given[1:] if fault == "forget" else given)
    elif call == "query":
        answer = "".join("1" if key in keys else "0" for key in given)
    elif call == "hash":
        answer = "0123456789abcdef" * len(given)
    elif call == "memory":
        answer = 64 * len(keys)
    if call == at_call:
        answer = do_wrong() or answer
    print(answer, flush=True)
