// The filter of github.com/syndtr/goleveldb, made of all keys at once and sized by whole bits per
// key: those of the usual formula for the rate, rounded up.
package main

import (
	"math"

	bloom "github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"
)

const name = "syndtr/goleveldb"

func create(_ uint64, rate float64) filter {
	policy := bloom.NewBloomFilter(int(math.Ceil(-math.Log(rate) / math.Ln2 / math.Ln2)))
	var keys [][]byte
	var built []byte
	build := func() []byte {
		if built == nil {
			generator, buffer := policy.NewGenerator(), util.Buffer{}
			for _, key := range keys {
				generator.Add(key)
			}
			generator.Generate(&buffer)
			built = buffer.Bytes()
		}
		return built
	}
	return filter{
		insert: func(key []byte) bool { keys, built = append(keys, key), nil; return true },
		has:    func(key []byte) bool { return policy.Contains(build(), key) },
		bits:   func() uint64 { return 8 * uint64(len(build())-1) },
	}
}
