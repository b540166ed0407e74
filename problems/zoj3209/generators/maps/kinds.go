package main

var (
	nBound     = bound{"n", 1, 30}
	mBound     = bound{"m", 1, 30}
	partsBound = bound{"parts", 1, 500}
	pBound     = bound{"rectangles", 1, 500}
	stepsBound = bound{"steps", 1, 1 << 30}
)

// kinds lists all kinds. Where nothing else is said a map has a cover.
var kinds = []kind{
	{"whole", []bound{nBound, mBound}, "one rectangle, which is the map", whole},
	{"tiny", nil, "up to 4 by 4 with up to 12 rectangles, with and without a cover", tiny},
	{"cuts", []bound{nBound, mBound, partsBound, pBound}, "parts of repeated straight cuts among other rectangles like them", cuts},
	{"pinwheels", []bound{nBound, mBound, {"least", 3, 30}, pBound}, "pinwheels in pinwheels down to a least side, among other rectangles like them", pinwheels},
	{"several", []bound{nBound, mBound, partsBound, {"covers", 1, 100}}, "covers of parts to twice as many, in one", several},
	{"missing", []bound{nBound, mBound, partsBound, pBound}, "as cuts, but no rectangle is on one cell: no cover", missing},
	{"corner", []bound{{"n", 2, 30}, {"m", 2, 30}}, "all dominoes but those on the last cell: no cover, which is seen last by who goes cell by cell", corner},
	{"board", []bound{{"n", 2, 30}, {"m", 2, 30}}, "all dominoes, and squares of 2 by 2 here and there", board},
	{"equal", []bound{nBound, mBound, partsBound, pBound}, "as cuts, with each rectangle many times", equal},
	{"strips", []bound{nBound, mBound, {"strips", 1, 30}, stepsBound, stepsBound},
		"strips with several covers each: at most so many steps with a bound, and more than so many without", strips},
	{"hard", []bound{nBound, mBound, pBound, {"tries", 1, 100000}, stepsBound}, "of so many maps with random rectangles the one with the most steps up to a number", hard},
	{"full", nil, "30 by 30 with 500 rectangles", full},
}

func whole(_ *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	t.rects = []rect{t.whole()}
	return t, true
}

func tiny(r *source, _ []int) (chart, bool) {
	t := chart{n: r.between(1, 4), m: r.between(1, 4)}
	for range r.between(1, 12) {
		t.rects = append(t.rects, anywhere(r, t.whole(), r.between(1, t.n), r.between(1, t.m)))
	}
	if r.below(2) == 0 {
		t.rects = append(t.rects, cut(r, t.whole(), r.between(1, 6))...)
	}
	return t.shuffled(r), true
}

// among adds rectangles of the sides that there are, somewhere else, until there
// are p.
func (t chart) among(r *source, p int) (chart, bool) {
	parts := len(t.rects)
	for len(t.rects) < p {
		like := t.rects[r.below(parts)]
		t.rects = append(t.rects, anywhere(r, t.whole(), like.width(), like.height()))
	}
	return t.shuffled(r), parts <= p
}

func cuts(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	t.rects = cut(r, t.whole(), arg[2])
	return t.among(r, arg[3])
}

func pinwheels(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	t.rects = pinwheel(r, t.whole(), arg[2])
	return t.among(r, arg[3])
}

func several(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	for range arg[3] {
		t.rects = append(t.rects, cut(r, t.whole(), r.between(arg[2], 2*arg[2]))...)
	}
	return t.shuffled(r), len(t.rects) <= 500
}

func missing(r *source, arg []int) (chart, bool) {
	t, ok := cuts(r, arg)
	x, y := r.below(t.n), r.below(t.m)
	s := chart{n: t.n, m: t.m}
	for _, q := range t.rects {
		if q.x1 <= x && x < q.x2 && q.y1 <= y && y < q.y2 {
			continue
		}
		s.rects = append(s.rects, q)
	}
	return s, ok && len(s.rects) > 0
}

// dominoes returns all of them on a map.
func dominoes(n, m int) []rect {
	var all []rect
	for x := range n {
		for y := range m {
			if x+1 < n {
				all = append(all, rect{x, y, x + 2, y + 1})
			}
			if y+1 < m {
				all = append(all, rect{x, y, x + 1, y + 2})
			}
		}
	}
	return all
}

func corner(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	for _, q := range dominoes(t.n, t.m) {
		if q.x2 < t.n || q.y2 < t.m {
			t.rects = append(t.rects, q)
		}
	}
	return t.shuffled(r), len(t.rects) <= 500
}

func board(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	t.rects = dominoes(t.n, t.m)
	for range t.n * t.m / 4 {
		t.rects = append(t.rects, anywhere(r, t.whole(), 2, 2))
	}
	return t.shuffled(r), len(t.rects) <= 500
}

func equal(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	t.rects = cut(r, t.whole(), arg[2])
	for parts := len(t.rects); len(t.rects) < arg[3]; {
		t.rects = append(t.rects, t.rects[r.below(parts)])
	}
	return t.shuffled(r), len(t.rects) <= arg[3]
}

// strips cuts the map across into strips of about the same width, and each of
// them along in three ways, of which one is into halves.
func strips(r *source, arg []int) (chart, bool) {
	t := chart{n: arg[0], m: arg[1]}
	k := arg[2]
	if k > t.n || t.m < 4 {
		return t, false
	}
	for i := range k {
		x1, x2 := i*t.n/k, (i+1)*t.n/k
		y := t.m / 2
		for _, at := range [][]int{{y}, {r.between(1, y-1), y}, {y - 1, y + 1}} {
			from := 0
			for _, to := range append(at, t.m) {
				t.rects = append(t.rects, rect{x1, from, x2, to})
				from = to
			}
		}
	}
	if len(t.rects) > 500 {
		return t, false
	}
	t = t.shuffled(r)
	_, without := search{limit: arg[4]}.run(t)
	_, with := search{bound: true, limit: arg[3]}.run(t)
	return t, with <= arg[3] && without > arg[4]
}

func hard(r *source, arg []int) (chart, bool) {
	var worst chart
	most := 0
	for range arg[3] {
		t := chart{n: arg[0], m: arg[1]}
		t.rects = cut(r, t.whole(), max(2, t.n*t.m/5))
		for len(t.rects) < arg[2] {
			t.rects = append(t.rects, anywhere(r, t.whole(), r.between(1, min(t.n, 3)), r.between(1, min(t.m, 3))))
		}
		if len(t.rects) > arg[2] {
			continue
		}
		t = t.shuffled(r)
		if _, steps := (search{bound: true, limit: arg[4]}).run(t); steps > most && steps <= arg[4] {
			worst, most = t, steps
		}
	}
	return worst, most > 0
}

// full has many large rectangles, which have the most cells together.
func full(r *source, _ []int) (chart, bool) {
	t := chart{n: 30, m: 30}
	t.rects = cut(r, t.whole(), 40)
	for len(t.rects) < 500 {
		t.rects = append(t.rects, anywhere(r, t.whole(), r.between(1, 30), r.between(1, 30)))
	}
	return t.shuffled(r), true
}
