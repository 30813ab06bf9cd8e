// Writes a filter of the keys key-0 ... key-(n-1) as bits-and-blooms does:
//
//	go run bits_and_blooms.go n p FILE
//
// With "read" before the file: loads it, and counts the keys found and absent keys reported.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/bits-and-blooms/bloom"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	p, _ := strconv.ParseFloat(os.Args[2], 64)
	if os.Args[3] == "read" {
		file, err := os.Open(os.Args[4])
		if err != nil {
			panic(err)
		}
		filter := &bloom.BloomFilter{}
		if _, err := filter.ReadFrom(file); err != nil {
			panic(err)
		}
		found, absent := 0, 0
		for i := 0; i < n; i++ {
			if filter.TestString(fmt.Sprintf("key-%d", i)) {
				found++
			}
			if filter.TestString(fmt.Sprintf("absent-%d", i)) {
				absent++
			}
		}
		fmt.Println(found, absent)
		return
	}
	filter := bloom.NewWithEstimates(uint(n), p)
	for i := 0; i < n; i++ {
		filter.AddString(fmt.Sprintf("key-%d", i))
	}
	file, err := os.Create(os.Args[3])
	if err != nil {
		panic(err)
	}
	if _, err := filter.WriteTo(file); err != nil {
		panic(err)
	}
	file.Close()
}
