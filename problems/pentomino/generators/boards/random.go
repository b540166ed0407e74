package main

// A source is the splitmix64 generator of Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators" (OOPSLA 2014), figure 16.
//
// Committed data must be rebuilt bit for bit by any later Go, and the standard
// library promises its generators but not how Perm, Shuffle and IntN draw from
// them. These few lines are integer arithmetic only and belong to us.
type source uint64

func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return mix(uint64(*s))
}

// mix changes about half of the bits, whatever changes in z. No two numbers
// become the same.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n), all equally likely. n must be positive.
func (s *source) below(n int) int {
	// The last, incomplete run of n values would favour the small ones.
	most := ^uint64(0) - ^uint64(0)%uint64(n)
	for {
		if v := s.next(); v < most {
			return int(v % uint64(n))
		}
	}
}

// order returns 0..n-1 in random order (Fisher and Yates).
func (s *source) order(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := s.below(i + 1)
		p[i], p[j] = p[j], i
	}
	return p
}
