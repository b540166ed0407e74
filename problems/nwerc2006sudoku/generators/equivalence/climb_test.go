package main

import "testing"

// The three searches of this package share no code: the one for promises, the one
// that counts steps, and all positions one after another.
func TestStepsAgreesWithMatch(t *testing.T) {
	rng := random(11)
	count := map[answer]int{}
	for n := range 240 {
		p := pair{done: climbGrid(&rng, n)}
		switch n % 4 {
		case 0:
			p.todo = someGivens(&rng, rng.intn(16), 0)
		case 1:
			p.todo = p.done.scramble(&rng).keep(&rng, rng.intn(82))
		case 2:
			p.todo, _ = misprint(&rng, p.done.scramble(&rng).keep(&rng, 1+rng.intn(30)))
		case 3:
			p.todo, _ = split(&rng, p.done.scramble(&rng).keep(&rng, 2+rng.intn(20)))
		}
		want := no
		if equivalent(p.done, p.todo) {
			want = yes
		}
		n, got := steps(p)
		if got != want {
			t.Errorf("steps(%s, %s) = %d, %d; want answer %d", p.done, p.todo, n, got, want)
		}
		count[want]++
	}
	if count[yes] < 50 || count[no] < 50 {
		t.Errorf("%d pairs with yes, %d with no: want 50 of each", count[yes], count[no])
	}
}

func TestOrdersOfBlankRowsAreNotToldApart(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rows  [9]bool
		count int
	}{
		{"no row", [9]bool{}, 1},
		{"one row", [9]bool{4: true}, 9},
		{"two of a band", [9]bool{3: true, 5: true}, 18},
		{"one of each band", [9]bool{0: true, 4: true, 8: true}, 162},
		{"all but one", [9]bool{true, true, true, true, true, true, true, true, false}, 1296},
	} {
		if got := len(different(tt.rows)); got != tt.count {
			t.Errorf("%s: %d orders, want %d", tt.name, got, tt.count)
		}
	}
}

func TestClimbOnlyGoesUp(t *testing.T) {
	for n := range 2 {
		rng := random(n)
		done := climbGrid(&rng, n)
		start := rng // climb draws its first givens from here
		p, ok := climb(&rng, done, 15)
		if !ok {
			t.Errorf("number %d: the answer is yes after %d changes", n, climbs)
			continue
		}
		first, answer := steps(pair{done, someGivens(&start, 15, 0)})
		last, _ := steps(p)
		if answer == no && last < first || last < 20000 {
			t.Errorf("number %d: %d steps, from %d: want more, and 20000 at least", n, last, first)
		}
	}
}

func TestChangesStayValid(t *testing.T) {
	rng := random(5)
	todo := grid{}
	most := 0
	for range 2000 {
		todo = change(&rng, todo)
		for i, d := range todo {
			if d > 0 && !todo.allows(i, d) {
				t.Fatalf("%s: cell %d conflicts", todo, i)
			}
		}
		most = max(most, givens(todo))
	}
	if most < 6 {
		t.Errorf("at most %d givens in 2000 changes, want 6 or more", most)
	}
}

// BenchmarkClimb makes pairs and tells how many steps the slowest took, and what
// they cost to decide.
func BenchmarkClimb(b *testing.B) {
	rng := random(1)
	most, n := 0, 0
	var slowest pair
	for b.Loop() {
		if p, ok := climb(&rng, climbGrid(&rng, n), 4+n%16); ok {
			if s, _ := steps(p); s > most {
				most, slowest = s, p
			}
		}
		n++
	}
	b.ReportMetric(float64(most), "steps/slowest")
	b.Logf("%d steps:\n%s\n%s", most, slowest.done, slowest.todo)
}

// BenchmarkSlow decides pairs that were found by climbing.
func BenchmarkSlow(b *testing.B) {
	rng := random(2)
	var slow []pair
	for n := range 6 {
		if p, ok := climb(&rng, climbGrid(&rng, n), 12); ok {
			slow = append(slow, p)
		}
	}
	count, n := 0, 0
	for b.Loop() {
		s, _ := steps(slow[n%len(slow)])
		count += s
		n++
	}
	b.ReportMetric(float64(count)/float64(n), "steps/pair")
}
