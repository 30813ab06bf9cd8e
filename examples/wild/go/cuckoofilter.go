// github.com/seiflotfy/cuckoofilter, made for n keys. Its rate cannot be chosen: fingerprints have
// eight bits.
package main

import "github.com/seiflotfy/cuckoofilter"

const name = "seiflotfy/cuckoofilter"

func create(n uint64, _ float64) filter {
	f := cuckoo.NewFilter(uint(n))
	return filter{
		insert: f.Insert,
		has:    f.Lookup,
		bits:   func() uint64 { return 8 * uint64(len(f.Encode())) },
	}
}
