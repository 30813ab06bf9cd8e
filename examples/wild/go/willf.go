// github.com/willf/bloom, made for n keys and a rate. It has no seed.
package main

import "github.com/willf/bloom"

const name = "willf/bloom"

func create(n uint64, rate float64) filter {
	f := bloom.NewWithEstimates(uint(n), rate)
	return filter{
		insert: func(key []byte) bool { f.Add(key); return true },
		has:    f.Test,
		bits:   func() uint64 { return uint64(f.Cap()) },
	}
}
