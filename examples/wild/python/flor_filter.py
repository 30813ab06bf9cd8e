"""Serves BloomFilter of flor to bloomlab, made for n keys and a rate. It has no seed."""
import math
import os
import sys

from flor import BloomFilter

print("bloomlab-filter 1 text name=python/flor version=" + os.environ["WILD_VERSION"], flush=True)
for line in sys.stdin:
    call, *values = line.split()
    answer = "ok"
    if call == "create":
        n, bits, rate = int(values[0]), float(values[1]), float(values[2])
        # A size in bits becomes the rate that the usual formula gives for it.
        bloom = BloomFilter(n, rate or math.exp(-bits * math.log(2) ** 2))
    elif call == "memory":
        answer = bloom.m
    else:
        keys = [bytes.fromhex(sys.stdin.readline()) for _ in range(int(values[0]))]
        if call == "query":
            answer = "".join("1" if key in bloom else "0" for key in keys)
        else:
            for key in keys:
                try:
                    bloom.add(key)
                except BloomFilter.CapacityError:
                    answer = "full"
    print(answer, flush=True)
