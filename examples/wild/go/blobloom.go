// github.com/greatroar/blobloom, made for n keys and a rate. Its caller hashes: here by SHA-256.
package main

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/greatroar/blobloom"
)

const name = "greatroar/blobloom"

func hashed(key []byte) uint64 {
	digest := sha256.Sum256(key)
	return binary.LittleEndian.Uint64(digest[:8])
}

func create(n uint64, rate float64) filter {
	f := blobloom.NewOptimized(blobloom.Config{Capacity: n, FPRate: rate})
	return filter{
		insert: func(key []byte) bool { f.Add(hashed(key)); return true },
		has:    func(key []byte) bool { return f.Has(hashed(key)) },
		bits:   f.NumBits,
	}
}
