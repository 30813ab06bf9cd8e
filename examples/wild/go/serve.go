// Serves a filter of a Go package to bloomlab. A file beside this one says what it is called, and
// makes it: go build serve.go willf.go
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

type filter struct {
	insert, has func(key []byte) bool // insert: whether there is room
	bits        func() uint64
}

func number(text string) float64 {
	value, _ := strconv.ParseFloat(text, 64)
	return value
}

func main() {
	in := bufio.NewReader(os.Stdin)
	fmt.Println("bloomlab-filter 1 text name=go/" + name + " version=" + os.Getenv("WILD_VERSION"))
	for f := (filter{}); ; {
		line, _ := in.ReadString('\n')
		words, answer := append(strings.Fields(line), "end"), "ok"
		switch words[0] {
		case "create":
			rate := number(words[3])
			if rate == 0 { // from bits per key, by the usual formula
				rate = math.Exp(-number(words[2]) * math.Ln2 * math.Ln2)
			}
			f = create(uint64(number(words[1])), rate)
		case "end":
			return
		case "memory":
			answer = strconv.FormatUint(f.bits(), 10)
		case "insert", "query":
			digits := make([]byte, int(number(words[1])))
			for i := range digits {
				text, _ := in.ReadString('\n')
				key, _ := hex.DecodeString(strings.TrimSpace(text))
				digits[i] = '0'
				if words[0] == "insert" && !f.insert(key) {
					answer = "full"
				} else if words[0] == "query" && f.has(key) {
					digits[i] = '1'
				}
			}
			if words[0] == "query" {
				answer = string(digits)
			}
		}
		fmt.Println(answer)
	}
}
