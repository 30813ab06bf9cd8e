// A Bloom filter for bloomlab in Go, with its standard library alone:
//
//	go build my_filter.go, and "command": ["./my_filter"]
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strconv"
	"strings"
)

var (
	m, k uint64
	seed string
	bits []uint64
)

// mixed is the mixer of SplitMix64 (Steele, Lea and Flood 2014).
func mixed(x uint64) uint64 {
	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
	x = (x ^ (x >> 27)) * 0x94D049BB133111EB
	return x ^ (x >> 31)
}

func positions(hex string) []uint64 {
	h := fnv.New64a()
	h.Write([]byte(seed))
	h.Write([]byte(hex))
	at := mixed(h.Sum64())
	step := mixed(at) | 1
	found := make([]uint64, k)
	for i := range found {
		found[i] = at % m
		at += step
	}
	return found
}

func contains(hex string) bool {
	for _, i := range positions(hex) {
		if bits[i/64]>>(i%64)&1 == 0 {
			return false
		}
	}
	return true
}

func main() {
	in := bufio.NewReader(os.Stdin)
	readLine := func() (string, bool) {
		line, err := in.ReadString('\n')
		return strings.TrimRight(line, "\r\n"), err == nil
	}
	fmt.Println("bloomlab-filter 1 text name=my_filter")
	for {
		line, more := readLine()
		if !more {
			return
		}
		words := strings.SplitN(line, " ", 6)
		answer := "ok"
		switch words[0] {
		case "create": // n, bits per key, rate, seed, options
			n, _ := strconv.ParseFloat(words[1], 64)
			bitsPerKey, _ := strconv.ParseFloat(words[2], 64)
			m = uint64(math.Ceil(n * bitsPerKey))
			k = uint64(math.Max(1, math.Round(math.Ln2*bitsPerKey)))
			seed = words[4]
			bits = make([]uint64, m/64+1)
		case "insert", "query":
			count, _ := strconv.Atoi(words[1])
			var answers strings.Builder
			for i := 0; i < count; i++ {
				key, _ := readLine()
				if words[0] == "insert" {
					for _, at := range positions(key) {
						bits[at/64] |= 1 << (at % 64)
					}
				} else if contains(key) {
					answers.WriteByte('1')
				} else {
					answers.WriteByte('0')
				}
			}
			if words[0] == "query" {
				answer = answers.String()
			}
		case "memory":
			answer = strconv.FormatUint(m, 10)
		default:
			answer = "unsupported"
		}
		fmt.Println(answer)
	}
}
