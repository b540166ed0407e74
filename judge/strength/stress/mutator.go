package stress

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
)

// A Mutator makes inputs from existing ones. It learns which changes the input validators
// accept, from calls of Learn. Its methods may be called concurrently.
type Mutator struct {
	mu sync.Mutex
	learner
	pool       []*seed
	dictionary []*big.Int        // numbers that matter: bounds in validators and statements
	bounds     []string          // the names of the dictionary's numbers and their negatives
	classes    map[string]*class // by the position of tokens
	widths     [3]map[int]bool   // the numbers of tokens of the first lines
	shapes     map[[2]int]int    // how many valid inputs had so many lines and spaces
	repeated   float64           // the share of the latest mutants that repeated an input
	load       [2]int            // the cost of small and of large mutants so far
	climbing   bool              // inputs with a larger value are mutated more often, not smaller inputs
}

// A seed is a valid input in the pool.
type seed struct {
	d        *document
	size     int // in bytes
	sections []sections
	original int // index of its settings
	value    float64
}

// worse reports whether s is worth less than another seed.
func (m *Mutator) worse(s, than *seed) bool {
	if m.climbing {
		return s.value < than.value
	}
	return s.size > than.size // small inputs run faster and differ in fewer things
}

// A class has what occurs at corresponding positions of all valid inputs.
type class struct {
	low, high *big.Int // of the numbers; nil if there are none
	places    int      // digits after the decimal point
	words     []string // at most maxWords tokens that are not numbers
}

// Limits on what a Mutator keeps.
const (
	maxPool  = 2000
	maxBest  = 40 // inputs in the pool of a climbing Mutator
	maxWords = 64
	maxSeed  = 4 << 20 // bytes of an input that is mutated

	maxChanges = 20 // of one mutant
)

// A Mutant is an input that a Mutator made.
type Mutant struct {
	Input    []byte
	Original int // that of the input that it was made from

	changes int
	options []string // the choices that led to it
}

// NewMutator returns a Mutator without inputs. The seed decides all random choices.
// Numbers are bounds and other numbers worth trying, such as those in the sources of the
// input validators.
func NewMutator(random uint64, numbers []*big.Int) *Mutator {
	return &Mutator{
		learner:    learner{rand.New(rand.NewPCG(random, 0)), make(map[string]*tally)},
		dictionary: numbers, bounds: boundNames(numbers), classes: make(map[string]*class), shapes: make(map[[2]int]int),
		widths: [3]map[int]bool{{}, {}, {}},
	}
}

// Add adds a valid input. Original identifies its settings: mutants of the input have it,
// too. Value counts after Climb only.
func (m *Mutator) Add(input []byte, original int, value float64) {
	if len(input) > maxSeed {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	d := parse(input)
	s := &seed{d, len(input), d.sections(), original, value}
	m.observe(s)
	if m.climbing && len(m.pool) >= maxBest {
		least := 0
		for i := range m.pool {
			if m.worse(m.pool[i], m.pool[least]) {
				least = i
			}
		}
		if m.worse(m.pool[least], s) {
			m.pool[least] = s
		}
		return
	}
	if len(m.pool) == maxPool {
		i := m.rand.IntN(maxPool)
		if k := m.rand.IntN(maxPool); m.worse(m.pool[k], m.pool[i]) {
			i = k
		}
		m.pool[i] = s
		return
	}
	m.pool = append(m.pool, s)
}

// Climb makes the Mutator keep the inputs of the largest values, and mutate these. It is
// called before Add.
func (m *Mutator) Climb() { m.climbing = true }

// observe adds the tokens of a seed to their classes.
func (m *Mutator) observe(s *seed) {
	w := &work{Mutator: m, seed: s, d: s.d}
	w.region(0)
	for line := range min(s.d.end(), 2000) {
		if of := line - w.base; of >= 0 && of < len(m.widths) && len(m.widths[of]) < listWidths {
			m.widths[of][len(s.d.lines[line])] = true
		}
		for column, token := range s.d.lines[line] {
			if column > 2000 {
				break
			}
			c := m.class(w.classOf(line, column))
			if !isNumber(token) {
				if len(c.words) < maxWords && !slices.Contains(c.words, token) {
					c.words = append(c.words, token)
				}
				continue
			}
			if places := decimals(token); places > c.places {
				if c.low != nil {
					scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places-c.places)), nil)
					c.low.Mul(c.low, scale)
					c.high.Mul(c.high, scale)
				}
				c.places = places
			}
			n := scaled(token, c.places)
			if c.low == nil || n.Cmp(c.low) < 0 {
				c.low = new(big.Int).Set(n)
			}
			if c.high == nil || n.Cmp(c.high) > 0 {
				c.high = new(big.Int).Set(n)
			}
		}
	}
}

func (m *Mutator) class(name string) *class {
	c := m.classes[name]
	if c == nil {
		c = new(class)
		m.classes[name] = c
	}
	return c
}

// Mutate makes an input from one of the pool, by one change or several. The result may
// equal an earlier one, and may be invalid. It returns nil if there is nothing to mutate.
func (m *Mutator) Mutate() *Mutant {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.pool) == 0 {
		return nil
	}
	s := m.pick()
	if m.crowded() {
		s = m.smallest(s)
	}
	w := &work{Mutator: m, seed: s, d: s.d.clone()}
	// Where most single changes have been made already, more are made at once.
	mean := 0.7 + 2*m.repeated
	changes := 1 + int(min(m.rand.ExpFloat64()*mean, maxChanges))
	for range changes {
		w.region(-1)
		names := make([]string, len(operators))
		for i := range operators {
			names[i] = operators[i].name
		}
		i := m.choose(names)
		if operators[i].apply(w) {
			w.options = append(w.options, names[i])
		}
	}
	input := w.d.bytes()
	m.load[index(len(input) > largeInput)] += runCost + len(input)
	return &Mutant{input, s.original, changes, w.options}
}

// Programs take longer on large inputs, so only a share of the time is spent on these. The
// cost of an input is its size and runCost, which stands for starting the programs.
const (
	runCost    = 16 << 10
	largeInput = 64 << 10
)

// crowded reports whether large inputs have had their share, a quarter.
func (m *Mutator) crowded() bool { return m.load[1] > m.load[0]/3 }

// smallest returns the smallest of a seed, if that is large, and of others.
func (m *Mutator) smallest(s *seed) *seed {
	for range 8 {
		if s.size <= largeInput || m.climbing {
			return s
		}
		if other := m.pool[m.rand.IntN(len(m.pool))]; other.size < s.size {
			s = other
		}
	}
	return s
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A Fate is what became of a mutant.
type Fate int

const (
	Invalid  Fate = iota // an input validator rejects it
	Valid                // all input validators accept it
	Repeated             // the same input was made before
)

// Learn improves later mutants by the result of one.
func (m *Mutator) Learn(mutant *Mutant, f Fate) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.Sort(mutant.options)
	options := slices.Compact(mutant.options)
	m.repeated *= 0.99
	switch f {
	case Repeated:
		m.repeated += 0.01
		m.learn(options, 0.2, 0)
	case Valid:
		m.learn(options, 1, m.worth(mutant.Input))
	case Invalid:
		// One of the changes is the reason, and which one is not known.
		m.learn(options, 1/float64(mutant.changes), 0)
	}
}

// worth returns how useful a valid input is, from 0 to 1: less if there are many of its
// size, because changes that keep the size are valid more often.
func (m *Mutator) worth(input []byte) float64 {
	shape := [2]int{bytes.Count(input, []byte("\n")), bytes.Count(input, []byte(" "))}
	if len(m.shapes) > maxPool {
		clear(m.shapes)
	}
	m.shapes[shape]++
	return max(0.4, 1-float64(m.shapes[shape])/50)
}

// pick returns a seed, a good one more often than others.
func (m *Mutator) pick() *seed {
	tries := make([]*seed, 3)
	for i := range tries {
		tries[i] = m.pool[m.rand.IntN(len(m.pool))]
	}
	best, worst := tries[0], tries[0]
	for _, s := range tries[1:] {
		if m.worse(best, s) {
			best = s
		}
		if m.worse(s, worst) {
			worst = s
		}
	}
	switch m.rand.IntN(8) {
	case 0, 1, 2:
		return best
	case 3:
		if !m.climbing {
			return worst // most of the pool is small after a while
		}
	}
	return tries[0]
}

// A work is the change of one document. Operators change a region: a section, or all of
// the document.
type work struct {
	*Mutator
	seed      *seed
	d         *document
	base, end int // the region's lines
	options   []string
}

// region sets the region: a random section, or the one of that number if it is not
// negative, or all of the document if it has no sections.
func (w *work) region(number int) {
	w.base, w.end = 0, w.d.end()
	all := w.d.sections()
	if len(all) == 0 {
		return
	}
	s := all[0]
	if number < 0 {
		if w.rand.IntN(8) == 0 {
			return
		}
		number = w.rand.IntN(max(1, len(s.starts)-1))
	}
	if number+1 < len(s.starts) {
		w.base, w.end = s.bounds(number)
	}
}

// listWidths is the number of different widths of a line that show that it is a list.
const listWidths = 4

// classOf names the class of the token at a position. The tokens of a list are alike,
// except the first one, which may be their number.
func (w *work) classOf(line, column int) string {
	of := line - w.base
	if of < 0 {
		of = -1
	}
	if of >= 0 && of < len(w.widths) && len(w.widths[of]) >= listWidths {
		return fmt.Sprintf("%d/list/%d", of, min(column, 1))
	}
	return fmt.Sprintf("%d/%d/%d", min(of, 3), min(len(w.d.lines[line]), 9), min(column, 9))
}

// pickOption chooses among options by what was learnt, and remembers the choice.
func (w *work) pickOption(options []string) int {
	i := w.choose(options)
	w.options = append(w.options, options[i])
	return i
}
