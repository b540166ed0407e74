package main

// A random is the SplitMix64 generator of G. L. Steele, D. Lea and C. H. Flood
// (OOPSLA 2014). It is written out here so that the data never depends on the
// release of a library.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intn returns a number from 0 to n-1. The bias of the remainder is below
// n/2^64, which no test will notice.
func (r *random) intn(n int) int { return int(r.next() % uint64(n)) }

// perm returns 0 to n-1 in random order.
func (r *random) perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}
