package server

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A machine is one whose true speed is known.
type machine struct {
	slower map[string]float64 // factor of the times by the program; 1 if it is missing
	all    float64            // factor of all times; 0 means 1
}

// noises are the standard deviations of the logarithm of the times of the programs: of one
// run, as on a virtual machine with other load, and of all runs of one calibration.
var noises = []struct {
	program      string
	run, session float64
}{
	{"arithmetic", 0.01, 0.005},
	{"branches", 0.02, 0.01},
	{"random memory", 0.06, 0.015},
	{"streaming memory", 0.05, 0.015},
	{"process start", 0.06, 0.015},
	{"output", 0.05, 0.01},
}

// calibrate returns the times of a calibration. One run in 20 is disturbed.
func (m *machine) calibrate(r *rand.Rand) Times {
	t := make(Times)
	for _, n := range noises {
		session := r.NormFloat64() * n.session
		factor := 1.0
		if f, ok := m.slower[n.program]; ok {
			factor = f
		}
		if m.all != 0 {
			factor *= m.all
		}
		for range 11 {
			x := 0.015 * factor * math.Exp(session+r.NormFloat64()*n.run)
			if r.IntN(20) == 0 {
				x *= 1 + r.ExpFloat64()*0.3
			}
			t[n.program] = append(t[n.program], x)
		}
	}
	return t
}

// A simulation has workers on machines of known speed, each of one truth.
type simulation struct {
	r        *rand.Rand
	pool     Pool
	names    []string
	machines map[string]*machine
	truth    map[string]int
	now      time.Time
}

// newSimulation has workers of each truth in a random order.
func newSimulation(seed uint64, each int, truths ...machine) *simulation {
	s := &simulation{r: rand.New(rand.NewPCG(seed, 18)), machines: make(map[string]*machine), truth: make(map[string]int)}
	for i := range truths {
		for n := range each {
			name := fmt.Sprintf("w%d-%d", i, n)
			s.names, s.machines[name], s.truth[name] = append(s.names, name), &truths[i], i
		}
	}
	return s
}

// round calibrates all workers once.
func (s *simulation) round() {
	s.r.Shuffle(len(s.names), func(i, j int) { s.names[i], s.names[j] = s.names[j], s.names[i] })
	for _, name := range s.names {
		s.calibrate(name)
	}
}

func (s *simulation) calibrate(name string) *Member {
	s.now = s.now.Add(time.Second)
	return s.pool.Calibrated(name, "k", "epyc", s.machines[name].calibrate(s.r), s.now)
}

// pairs counts the pairs of workers of equal machines in different classes, and those of
// different machines in one class.
func (s *simulation) pairs() (split, equal, merged, different int) {
	for i, a := range s.names {
		for _, b := range s.names[:i] {
			same := s.pool.Members[a].Class == s.pool.Members[b].Class
			if s.truth[a] == s.truth[b] {
				equal++
				if !same {
					split++
				}
			} else {
				different++
				if same {
					merged++
				}
			}
		}
	}
	return
}

// Classes are those of the machines' true speeds, but for the stated rates of error.
func TestClasses(t *testing.T) {
	for _, tt := range []struct {
		name          string
		truths        []machine
		split, merged float64 // the highest rates
	}{
		{"equal machines", []machine{{}, {all: 1}}, 0.01, 1},
		{"3 % slower, which is within the margin", []machine{{}, {all: 1.03}}, 0.02, 1},
		{"15 % slower", []machine{{}, {all: 1.15}}, 0.01, 0.01},
		{"three kinds, each 12 % slower than the one before", []machine{{}, {all: 1.12}, {all: 1.25}}, 0.01, 0.01},
		{"memory 25 % slower", []machine{{}, {slower: map[string]float64{"random memory": 1.25, "streaming memory": 1.25}}}, 0.01, 0.01},
	} {
		var split, equal, merged, different int
		for seed := range uint64(simulations) {
			s := newSimulation(seed, 6, tt.truths...)
			for range 8 {
				s.round()
			}
			a, b, c, d := s.pairs()
			split, equal, merged, different = split+a, equal+b, merged+c, different+d
		}
		falseSplit, falseMerge := float64(split)/float64(equal), float64(merged)/float64(different)
		t.Logf("%-50s false splits %.4f, false merges %.4f", tt.name, falseSplit, falseMerge)
		if falseSplit > tt.split || falseMerge > tt.merged {
			t.Errorf("%s: false splits %.4f, false merges %.4f; expected at most %v and %v", tt.name, falseSplit, falseMerge, tt.split, tt.merged)
		}
	}
}

// A worker that was taken out comes back when its times are the old ones for some time. If
// they stay as they are, it founds another class, or joins one.
func TestReturn(t *testing.T) {
	s := newSimulation(1, 3, machine{})
	for range 3 {
		s.round()
	}
	slow := s.names[0]
	until := func(what string, is func(m *Member) bool) (calibrations int) {
		t.Helper()
		for n := range 10 {
			s.round()
			if is(s.pool.Members[slow]) {
				return n + 1
			}
		}
		t.Fatalf("%s: not after 10 calibrations: %+v", what, s.pool.Members[slow].Class)
		return 0
	}
	isOut := func(m *Member) bool { return m.Out != "" }
	isIn := func(m *Member) bool { return m.Out == "" }
	s.machines[slow] = &machine{all: 1.3}
	if n := until("drift", isOut); n != toLeave {
		t.Errorf("taken out after %d calibrations, expected %d", n, toLeave)
	}
	s.machines[slow] = &machine{}
	if n := until("the old times", isIn); n != toReturn || s.pool.Members[slow].Class != "epyc-1" {
		t.Errorf("in class %s after %d calibrations, expected epyc-1 after %d", s.pool.Members[slow].Class, n, toReturn)
	}
	s.machines[slow] = &machine{all: 1.3}
	until("drift", isOut)
	until("other times for some time", isIn)
	if c := s.pool.Members[slow].Class; c != "epyc-2" {
		t.Errorf("class %s, expected epyc-2", c)
	}
	// Classes that have become equal merge.
	s.machines[slow] = &machine{}
	until("drift", isOut)
	until("the times of the first class", func(m *Member) bool { return m.Out == "" && m.Class == "epyc-1" })
}

// A pool that is read from a file goes on as it was.
func TestRestart(t *testing.T) {
	s := newSimulation(2, 2, machine{}, machine{all: 1.3})
	for range 3 {
		s.round()
	}
	data, err := json.Marshal(&s.pool)
	if err != nil {
		t.Fatal(err)
	}
	var again Pool
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.pool, again); diff != "" {
		t.Errorf("after a restart (-before +after):\n%s", diff)
	}
	for _, name := range s.names {
		before := s.pool.Members[name].Class
		m := again.Calibrated(name, "k", "epyc", s.machines[name].calibrate(s.r), s.now)
		if m.Class != before {
			t.Errorf("%s: class %s, expected %s as before", name, m.Class, before)
		}
	}
	if m := again.Calibrated(s.names[0], "other compilers", "epyc", s.machines[s.names[0]].calibrate(s.r), s.now); m.Class != "epyc-3" {
		t.Errorf("class %s of a worker with other compilers, expected epyc-3", m.Class)
	}
}

func TestStem(t *testing.T) {
	for cpu, want := range map[string]string{
		"AMD EPYC 9V74 80-Core Processor":               "epyc",
		"Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz": "xeon",
		"Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz":      "i7",
		"AMD Ryzen 9 5950X 16-Core Processor":           "ryzen",
		"Apple M2":                                      "apple",
		"Neoverse-N1":                                   "neoverse",
		"":                                              "amd64",
		"\x1b[2J/../":                                   "amd64",
	} {
		if got := Stem(cpu, "amd64"); got != want {
			t.Errorf("Stem(%q) = %q, expected %q", cpu, got, want)
		}
	}
}

// simulations is the number of simulated pools of each kind.
const simulations = 60

// Workers that do not change are not taken out, and one that becomes slower is.
func TestDrift(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		out, calibrations, found, late, wrong := 0, 0, 0, 0, 0
		for seed := range uint64(simulations) {
			s := newSimulation(seed, workers, machine{})
			for range 10 {
				s.round()
				for _, m := range s.pool.Members {
					calibrations++
					if m.Out != "" {
						out++
					}
				}
			}
			slow := s.names[0]
			s.machines[slow] = &machine{all: 1.12}
			for n := range 4 {
				s.round()
				if m := s.pool.Members[slow]; m.Out != "" {
					found++
					late += n + 1
					if !strings.Contains(m.Out, " to ") {
						t.Errorf("%q: expected an interval", m.Out)
					}
					break
				}
			}
			for name, m := range s.pool.Members {
				if m.Out != "" && name != slow {
					wrong++
				}
			}
		}
		t.Logf("%d workers: taken out without reason %d of %d; 12 %% slower: found %d of %d after %.1f calibrations, others taken out %d", workers, out, calibrations, found, simulations, float64(late)/float64(max(found, 1)), wrong)
		if out*200 > calibrations || found < simulations*9/10 || wrong*50 > simulations {
			t.Errorf("%d workers: taken out without reason %d of %d, found %d of %d, others %d", workers, out, calibrations, found, simulations, wrong)
		}
	}
}
