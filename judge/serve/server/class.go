package server

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"crucible/judge/measure/stat"
)

// Margin is the difference of times that does not matter: two workers can be told apart if
// the interval of the ratio of their times leaves out all of [1-Margin, 1+Margin], for one
// of the programs.
const Margin = 0.05

// confidence is that of the interval of each program. Intervals of 11 times need less than
// 0.996 to be bounded.
const confidence = 0.99

const (
	// toLeave is the number of consecutive calibrations after which a worker that can be
	// told apart from its class is taken out, and one that fits no class gets a new one.
	toLeave = 2
	// toReturn is the number of consecutive calibrations that must agree before a worker
	// gets work again, or joins a class after one of its own.
	toReturn = 3
	// mostCompared is the number of other members that make up the times of a class.
	mostCompared = 32
)

// Times are the CPU times of one calibration, by the program.
type Times map[string][]float64

// A Pool forms machine classes: workers whose times are comparable. The zero value has no
// workers. What [Pool.Calibrated] does depends on its arguments alone: it reads no clock
// and runs nothing.
type Pool struct {
	Members map[string]*Member `json:"members"`
	Numbers map[string]int     `json:"numbers"`          // of the newest class by the first part of its name
	Merged  map[string]string  `json:"merged,omitempty"` // the class into which one has merged
	Number  int                `json:"number,omitempty"` // of the changes in [WorkerBucket]
}

// A Member is a worker.
type Member struct {
	Kind   string    `json:"kind"`             // workers of different kinds are never in one class
	Class  string    `json:"class,omitempty"`  // "" until it is in one
	Since  time.Time `json:"since"`            // when it joined the class
	Last   time.Time `json:"last"`             // of the latest calibration
	Own    Times     `json:"own,omitempty"`    // the first calibrations, up to toReturn, with which it fitted the class
	Firsts int       `json:"firsts"`           // the number of calibrations in Own
	Recent []Times   `json:"recent,omitempty"` // up to toReturn calibrations, the newest last
	Apart  int       `json:"apart,omitempty"`  // consecutive calibrations that fit no class, or not that of the worker
	Agree  int       `json:"agree,omitempty"`  // consecutive calibrations that fit the class to which it goes
	Toward string    `json:"toward,omitempty"` // another class that it fits
	Out    string    `json:"out,omitempty"`    // why it was taken out, "" if it was not
	OutAt  time.Time `json:"out_at,omitzero"`
}

// Now returns the class into which a class has merged, or the class itself.
func (p *Pool) Now(class string) string {
	for p.Merged[class] != "" {
		class = p.Merged[class]
	}
	return class
}

// latest returns the newest calibration.
func (m *Member) latest() Times {
	if len(m.Recent) == 0 {
		return nil
	}
	return m.Recent[len(m.Recent)-1]
}

// Settled reports whether the worker needs no further calibration soon.
func (m *Member) Settled() bool { return m.Class != "" && m.Apart == 0 && m.Out == "" }

// A Ratio compares the times of one program on a worker with those of its class, without
// the worker, or if it is alone there with those at which it joined.
type Ratio struct {
	Program string
	Ratio   float64
	stat.Interval
}

// outside reports whether the interval leaves out the margin.
func (r *Ratio) outside() bool { return r.Lo > 1+Margin || r.Hi < 1-Margin }

// distance is how far the ratio is from 1.
func (r *Ratio) distance() float64 { return math.Abs(math.Log(r.Ratio)) }

// ratios returns the ratios of the programs that both have, by their names.
func ratios(of, to Times) (all []Ratio) {
	for _, program := range slices.Sorted(maps.Keys(of)) {
		if len(to[program]) > 0 {
			ratio, i := stat.MedianRatio(of[program], to[program], confidence)
			all = append(all, Ratio{program, ratio, i})
		}
	}
	return all
}

// farthest returns the ratio by which two can best be told apart, or nil if they cannot.
func farthest(all []Ratio) (worst *Ratio) {
	for i := range all {
		if r := &all[i]; r.outside() && (worst == nil || r.distance() > worst.distance()) {
			worst = r
		}
	}
	return worst
}

// Ratios compares the latest calibration of a worker. Alone reports that the worker is
// compared with its own earlier times.
func (p *Pool) Ratios(name string) (all []Ratio, alone bool) {
	m := p.Members[name]
	if m == nil || m.Class == "" {
		return nil, false
	}
	reference, alone := p.reference(m.Class, name)
	return ratios(m.latest(), reference), alone
}

// reference returns the times of a class without one worker: those of the other members
// that were calibrated last, and about which there is no doubt. If there are none, they are
// the worker's own.
func (p *Pool) reference(class, without string) (t Times, alone bool) {
	others := slices.DeleteFunc(p.in(class, without), func(name string) bool { return p.Members[name].Apart > 0 })
	if len(others) == 0 {
		return p.Members[without].Own, true
	}
	slices.SortFunc(others, func(a, b string) int { return p.Members[b].Last.Compare(p.Members[a].Last) })
	t = make(Times)
	for _, name := range others[:min(len(others), mostCompared)] {
		t.add(p.Members[name].latest())
	}
	return t, false
}

// add appends other times.
func (t Times) add(more Times) {
	for program, times := range more {
		t[program] = append(t[program], times...)
	}
}

// in returns the names of the members of a class that are not taken out.
func (p *Pool) in(class, without string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(p.Members)) {
		if m := p.Members[name]; m.Class == class && m.Out == "" && name != without {
			names = append(names, name)
		}
	}
	return names
}

// fits reports whether a worker can be told apart neither from the members of a class
// together nor from any of them, and the largest distance of the ratios.
func (p *Pool) fits(name, class string) (ok bool, distance float64) {
	t := p.Members[name].latest()
	reference, _ := p.reference(class, name)
	all := ratios(t, reference)
	if len(all) == 0 || farthest(all) != nil {
		return false, 0
	}
	for _, other := range p.in(class, name) {
		if farthest(ratios(t, p.Members[other].latest())) != nil {
			return false, 0
		}
	}
	for i := range all {
		distance = max(distance, all[i].distance())
	}
	return true, distance
}

// nearest returns the other class that a worker fits best, "" if there is none. Others
// reports whether there are other classes of its kind.
func (p *Pool) nearest(name string) (best string, others bool) {
	m := p.Members[name]
	sizes := make(map[string]int)
	for _, o := range p.Members {
		if o.Kind == m.Kind && o.Class != "" && o.Out == "" {
			sizes[o.Class]++
		}
	}
	own := sizes[m.Class]
	delete(sizes, m.Class)
	least := math.Inf(1)
	for _, class := range slices.Sorted(maps.Keys(sizes)) {
		// Two classes merge into the larger one.
		if n := sizes[class]; m.Out == "" && (n < own || n == own && class > m.Class) {
			continue
		}
		if ok, distance := p.fits(name, class); ok && distance < least {
			best, least = class, distance
		}
	}
	return best, len(sizes) > 0
}

// Calibrated adds a calibration of a worker, which joins a class, stays in it, is taken
// out or comes back. Stem is the first part of the name of a class that it founds. Kind is
// equal for workers that may share a class.
func (p *Pool) Calibrated(name, kind, stem string, t Times, now time.Time) *Member {
	if p.Members == nil {
		p.Members, p.Numbers = make(map[string]*Member), make(map[string]int)
	}
	m := p.Members[name]
	if m == nil || m.Kind != kind {
		m = &Member{Kind: kind} // the compilers are others, or it is another machine
		p.Members[name] = m
	}
	m.Last = now
	m.Recent = append(m.Recent, t)
	m.Recent = m.Recent[max(0, len(m.Recent)-toReturn):]
	switch {
	case m.Class == "":
		p.place(name, stem, now)
	case m.Out != "":
		p.mayReturn(name, stem, now)
	default:
		p.stays(name, now)
	}
	return m
}

// place puts a worker without a class into one. A worker that fits none must do so twice
// before it founds one.
func (p *Pool) place(name, stem string, now time.Time) {
	m := p.Members[name]
	to, others := p.nearest(name)
	if m.Apart++; to == "" && others && m.Apart < toLeave {
		return
	}
	if to == "" {
		p.Numbers[stem]++
		to = fmt.Sprintf("%s-%d", stem, p.Numbers[stem])
	}
	m.join(to, now)
}

// join puts the worker into a class.
func (m *Member) join(class string, now time.Time) {
	m.Class, m.Since, m.Own = class, now, make(Times)
	m.Own.add(m.latest())
	m.Firsts = 1
	m.Apart, m.Agree, m.Toward, m.Out, m.OutAt = 0, 0, "", "", time.Time{}
}

// stays takes a worker out that can be told apart from its class.
func (p *Pool) stays(name string, now time.Time) {
	m := p.Members[name]
	all, alone := p.Ratios(name)
	if worst := farthest(all); worst != nil {
		m.Agree, m.Toward = 0, ""
		most := toLeave
		if len(p.in(m.Class, name)) == 1 && farthest(ratios(m.latest(), m.Own)) == nil {
			most *= 2 // of two workers, it seems to be the other one that has changed
		}
		if m.Apart++; m.Apart >= most {
			m.Out, m.OutAt, m.Apart = reason(worst, alone), now, 0
		}
		return
	}
	m.Apart = 0
	if m.Firsts < toReturn {
		m.Firsts++
		m.Own.add(m.latest())
	}
	p.mayMerge(name, now)
}

// reason returns why a worker is taken out.
func reason(r *Ratio, alone bool) string {
	shown, decimals := r.Outwards(2, 1+Margin, 1-Margin)
	with := "the times of its class"
	if alone {
		with = "its own times when it joined its class"
	}
	return fmt.Sprintf("%s: %.*f [%.*f to %.*f] of %s", r.Program, decimals, r.Ratio, decimals, shown.Lo, decimals,
		shown.Hi, with)
}

// mayMerge merges the class of a worker into another one when all its workers have fitted
// that one for some time: two workers can be told apart by bad luck.
func (p *Pool) mayMerge(name string, now time.Time) {
	m := p.Members[name]
	to, _ := p.nearest(name)
	if to != m.Toward || to == "" {
		m.Agree, m.Toward = 0, to
	}
	if to == "" {
		return
	}
	m.Agree++
	all := p.in(m.Class, "")
	for _, other := range all {
		if o := p.Members[other]; o.Toward != to || o.Agree < toReturn {
			return
		}
	}
	if p.Merged == nil {
		p.Merged = make(map[string]string)
	}
	p.Merged[m.Class] = to
	for _, other := range all {
		p.Members[other].join(to, now)
	}
}

// mayReturn puts a worker back that was taken out and fits its class for some time. If its
// calibrations agree with each other instead, it joins another class or founds one.
func (p *Pool) mayReturn(name, stem string, now time.Time) {
	m := p.Members[name]
	if all, _ := p.Ratios(name); farthest(all) == nil {
		if m.Agree++; m.Agree >= toReturn {
			m.Out, m.OutAt, m.Agree = "", time.Time{}, 0
			delete(p.Merged, m.Class) // if the others have merged, the class has a member again
		}
		return
	}
	m.Agree = 0
	if len(m.Recent) < toReturn || m.OutAt.IsZero() || !m.steady() {
		return
	}
	m.Apart = toLeave
	p.place(name, stem, now)
}

// steady reports whether no two of the recent calibrations can be told apart.
func (m *Member) steady() bool {
	for i := range m.Recent {
		for j := range i {
			if farthest(ratios(m.Recent[i], m.Recent[j])) != nil {
				return false
			}
		}
	}
	return true
}
