// github.com/DCSO/bloom, made for n keys and a rate. It has no seed.
package main

import "github.com/DCSO/bloom"

const name = "DCSO/bloom"

func create(n uint64, rate float64) filter {
	f := bloom.Initialize(n, rate)
	return filter{
		insert: func(key []byte) bool { f.Add(key); return true },
		has:    func(key []byte) bool { return f.Check(key) },
		bits:   func() uint64 { return f.NumBits() },
	}
}
