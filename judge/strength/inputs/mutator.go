package inputs

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
)

// A Mutator makes inputs from existing ones. It learns their structure, and which changes
// the input validators accept, from calls of Add and Learn. Its methods may be called
// concurrently.
type Mutator struct {
	mu sync.Mutex
	Chooser
	pool       []*seed
	dictionary []*big.Int        // numbers that matter: bounds in validators and statements
	bounds     []string          // the names of the dictionary's numbers and their negatives
	classes    map[string]*class // by the place of tokens
	shapes     map[[2]int]int    // how many valid inputs had so many lines and spaces
	repeated   float64           // the share of the latest mutants that repeated an input
	load       [2]int            // the cost of small and of large mutants so far
	byValue    bool              // inputs with a larger value are mutated more often, not smaller inputs

	structure
	strict bool    // as of structureOf
	others []*seed // inputs that do not have the structure, since it was learned
	due    int     // how many others there must be until it is learned again; 0 if it is not known
}

// A seed is a valid input in the pool.
type seed struct {
	d        *document
	size     int // in bytes
	sections [][2]int
	original int // index of its settings
	value    float64
}

// worse reports whether s is worth less than another seed.
func (m *Mutator) worse(s, than *seed) bool {
	if m.byValue {
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

// MaxSize is the largest size in bytes of an input that is mutated.
const MaxSize = 4 << 20

// Limits on what a Mutator keeps.
const (
	maxPool  = 2000
	maxBest  = 40 // inputs in the pool of a Mutator that prefers values
	maxWords = 64

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
	return &Mutator{Chooser: NewChooser(rand.New(rand.NewPCG(random, 0))), dictionary: numbers,
		bounds: boundNames(numbers), classes: make(map[string]*class), shapes: make(map[[2]int]int)}
}

// Size returns the number of inputs that are mutated.
func (m *Mutator) Size() int { return len(m.pool) }

// Add adds a valid input. Original identifies its settings: mutants of the input have it,
// too. Value counts after PreferValue only.
func (m *Mutator) Add(input []byte, original int, value float64) {
	if len(input) > MaxSize {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &seed{d: parse(input, false), size: len(input), original: original, value: value}
	if m.due > 0 {
		m.read(s, input)
	}
	if m.byValue && len(m.pool) >= maxBest {
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
		i := m.Rand.IntN(maxPool)
		if k := m.Rand.IntN(maxPool); m.worse(m.pool[k], m.pool[i]) {
			i = k
		}
		m.pool[i] = s
		return
	}
	m.pool = append(m.pool, s)
}

// PreferValue makes the Mutator keep the inputs of the largest values, and mutate these. It
// is called before Add.
func (m *Mutator) PreferValue() { m.byValue = true }

// read reads a seed with the structure, and notes whether it has it.
func (m *Mutator) read(s *seed, input []byte) {
	var tree []*node
	if s.d, tree = m.structure.read(input); (tree == nil || !m.strict) && len(m.others) <= maxTimes {
		m.others = append(m.others, s)
	}
	s.sections = sections(tree)
	m.observe(s.d)
}

// Limits on the inputs from which a structure is learned.
const (
	maxLearned = 12 // inputs, and as many that do not have the structure that was known
	maxTimes   = 1 << 10
)

// learnStructure learns the structure of the pool, if it is not known or inputs were added
// that do not have it.
func (m *Mutator) learnStructure() {
	if m.due > maxTimes || m.due > 0 && len(m.others) < m.due {
		return
	}
	first := m.due == 0
	var small []*seed
	for _, s := range m.pool {
		if s.size <= maxSample {
			small = append(small, s)
		}
	}
	slices.SortStableFunc(small, func(a, b *seed) int { return a.size - b.size })
	var texts [][]byte
	for i := range min(len(small), maxLearned) {
		texts = append(texts, small[i*len(small)/min(len(small), maxLearned)].d.bytes())
	}
	for range 4 {
		others := m.others[max(0, len(m.others)-maxLearned):]
		for _, s := range others {
			if s.size <= maxSample {
				texts = append(texts, s.d.bytes())
			}
		}
		one, strict := unknown(), false
		if len(texts) > 0 {
			one, strict = structureOf(texts)
		}
		if !first && !strict {
			break // an input without structure is an exception
		}
		m.structure, m.strict, m.others = one, strict, nil
		clear(m.classes)
		for _, s := range m.pool {
			m.read(s, s.d.bytes())
		}
		if len(m.others) == 0 || first && !strict {
			break
		}
	}
	m.due = max(1, 2*m.due, 2*len(m.others))
}

// observe adds the tokens of a document to their classes.
func (m *Mutator) observe(d *document) {
	for _, l := range d.lines[:min(len(d.lines), 2000)] {
		for column, token := range l.tokens[:min(len(l.tokens), 2000)] {
			c := m.class(l.class(column))
			if !IsNumber(token) {
				if len(c.words) < maxWords && !slices.Contains(c.words, token) {
					c.words = append(c.words, token)
				}
				continue
			}
			if places := placesOf(token); places > c.places {
				if c.low != nil {
					c.low.Mul(c.low, pow10(places-c.places))
					c.high.Mul(c.high, pow10(places-c.places))
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
	m.learnStructure()
	s := m.pick()
	if m.crowded() {
		s = m.smallest(s)
	}
	w := &mutation{Mutator: m, seed: s, d: s.d.clone()}
	// Where most single changes have been made already, more are made at once.
	mean := 0.7 + 2*m.repeated
	changes := 1 + int(min(m.Rand.ExpFloat64()*mean, maxChanges))
	for range changes {
		w.begin()
		names := make([]string, len(operators))
		for i := range operators {
			names[i] = operators[i].name
		}
		i := m.Choose(names)
		if operators[i].apply(w) {
			w.options = append(w.options, names[i])
		}
	}
	input := w.d.bytes()
	size := 0
	if len(input) > largeInput {
		size = 1
	}
	m.load[size] += runCost + len(input)
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
		if s.size <= largeInput || m.byValue {
			return s
		}
		if other := m.pool[m.Rand.IntN(len(m.pool))]; other.size < s.size {
			s = other
		}
	}
	return s
}

// A Validity is what became of a mutant.
type Validity int

const (
	Invalid  Validity = iota // an input validator rejects it
	Valid                    // all input validators accept it
	Repeated                 // the same input was made before
)

// Learn improves later mutants by the result of one.
func (m *Mutator) Learn(mutant *Mutant, v Validity) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.Sort(mutant.options)
	options := slices.Compact(mutant.options)
	m.repeated *= 0.99
	switch v {
	case Repeated:
		m.repeated += 0.01
		m.Chooser.Learn(options, 0.2, 0)
	case Valid:
		m.Chooser.Learn(options, 1, m.worth(mutant.Input))
	case Invalid:
		// One of the changes is the reason, and which one is not known.
		m.Chooser.Learn(options, 1/float64(mutant.changes), 0)
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
		tries[i] = m.pool[m.Rand.IntN(len(m.pool))]
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
	switch m.Rand.IntN(8) {
	case 0, 1, 2:
		return best
	case 3:
		if !m.byValue {
			return worst // most of the pool is small after a while
		}
	}
	return tries[0]
}

// A mutation is the change of one document. Operators change a region: a section, or all
// of the document.
type mutation struct {
	*Mutator
	seed      *seed
	d         *document
	tree      []*node // of d; nil if it does not have the structure
	sections  [][2]int
	base, end int // the region's lines
	options   []string
}

// begin prepares a change: in a random section, or in all of the document.
func (w *mutation) begin() {
	w.tree = w.structure.tree(w.d)
	w.sections = sections(w.tree)
	w.base, w.end = 0, len(w.d.lines)
	if len(w.sections) > 0 && w.Rand.IntN(8) > 0 {
		s := w.sections[w.Rand.IntN(len(w.sections))]
		w.base, w.end = s[0], s[1]
	}
}

// enclose makes the region the section that has a line, or else all of the document.
func (w *mutation) enclose(index int) {
	w.base, w.end = 0, len(w.d.lines)
	for _, s := range w.sections {
		if s[0] <= index && index < s[1] {
			w.base, w.end = s[0], s[1]
		}
	}
}

// class names the class of a token: its place in the structure. Tokens of lines without
// one are alike if they have the same column, and their lines as many tokens.
func (l *line) class(column int) string {
	if f := l.row.field(column); f != nil {
		return f.place
	}
	return fmt.Sprintf("%d/%d", min(len(l.tokens), 9), min(column, 9))
}

// classOf names the class of the token at a position.
func (w *mutation) classOf(line, column int) string { return w.d.lines[line].class(column) }

// pickOption chooses among options by what was learnt, and remembers the choice.
func (w *mutation) pickOption(options []string) int {
	i := w.Choose(options)
	w.options = append(w.options, options[i])
	return i
}
