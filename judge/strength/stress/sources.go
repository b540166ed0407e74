package stress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/strength/inputs"
	"crucible/judge/terminal"
)

// A candidate is an input that was made and not tried yet.
type candidate struct {
	input   []byte
	setting int // index of the settings that it has, in search.settings
	how     string

	source  string
	mutant  *inputs.Mutant // nil if a generator made it
	which   int            // index of the generator's command
	command []string       // of the generator, with its arguments
	seed    uint32         // of the generator
	options []string       // the choices of settings, and of a generator's arguments
}

// sources makes candidates: by mutation of inputs, and with generators. What finds more
// new valid inputs and counterexamples for its time gets a larger share.
type sources struct {
	mu sync.Mutex
	inputs.Chooser
	mutator   *inputs.Mutator
	generator *generate.Inputs
	commands  [][]string      // the words of generator commands
	only      bool            // generators only, as long as one is of use
	quiet     []int           // by command: how many results in a row were of no use, where failures count more
	steady    []bool          // by command: the same arguments were tried twice
	spent     []time.Duration // by command: wall-clock time
	past      []past          // by command
	began     time.Time
	notes     []string               // doubts about generators
	settings  int                    // the number of settings that an input may have
	useful    func(setting int) bool // whether anything can be found with the settings
}

// A past is what became of the runs of a generator.
type past struct {
	made     bool // an input
	failures int
	why      string // of the last failure
}

// mutation is the name of the source that mutates inputs.
const mutation = "mutation"

// generatorTime bounds the CPU time of a generator, which makes small inputs.
const generatorTime = 2 * time.Second

func newSources(seed uint64, mutator *inputs.Mutator, generator *generate.Inputs, commands []string) *sources {
	s := &sources{Chooser: inputs.NewChooser(rand.New(rand.NewPCG(seed, 1))), mutator: mutator, generator: generator}
	for _, command := range commands {
		s.commands = append(s.commands, strings.Fields(command))
	}
	s.quiet, s.steady = make([]int, len(s.commands)), make([]bool, len(s.commands))
	s.spent, s.began = make([]time.Duration, len(s.commands)), time.Now()
	s.past = make([]past, len(s.commands))
	return s
}

// next makes a candidate. The error is a failure of the judge; after a failure of a
// generator, which may not accept its arguments, the candidate is nil.
func (s *sources) next(ctx context.Context) (*candidate, error) {
	s.mu.Lock()
	options := []string{mutation}
	var at []int // commands of the options after the first
	for i, words := range s.commands {
		if s.quiet[i] < maxQuiet && s.spent[i] <= time.Second+time.Since(s.began)/4 {
			options, at = append(options, "generator "+strings.Join(words, " ")), append(at, i)
		}
	}
	pick := s.Choose(options)
	if s.only && len(options) > 1 {
		pick = 1 + s.Choose(options[1:])
	}
	if pick == 0 {
		s.mu.Unlock()
		m := s.mutator.Mutate()
		c := &candidate{input: m.Input, how: mutation, source: mutation, mutant: m}
		s.settle(c, "from "+strconv.Itoa(m.Original))
		return c, nil
	}
	which := at[pick-1]
	words, chosen := s.vary(s.commands[which])
	steady := s.steady[which]
	s.spent[which] += generatorTime // until it is known
	seed := s.Rand.Uint32() & (1<<31 - 1)
	s.mu.Unlock()
	began := time.Now()
	input, err := s.generator.Make(ctx, strings.Join(words, " "), seed)
	var defect *problem.Defect
	fails := errors.As(err, &defect)
	s.mu.Lock()
	s.spent[which] += time.Since(began) - generatorTime
	if p := &s.past[which]; fails {
		p.failures, p.why = p.failures+1, defect.Error()
	} else {
		p.made = true
	}
	s.mu.Unlock()
	if fails {
		s.note(append(chosen, options[pick]), 1, 0)
		weight := failed
		switch {
		case time.Since(began) < generatorTime/2:
		case chosen == nil:
			weight = maxQuiet // there are no arguments with which it might end
		default:
			weight = maxQuiet/4 + 1
		}
		s.useless(which, weight, defect.Error())
		return nil, nil
	}
	if err == nil && !steady {
		s.compare(ctx, which, words, seed, input)
	}
	c := &candidate{input: input, how: howMade(words, seed), source: options[pick], which: which, command: words,
		seed: seed, options: chosen}
	s.settle(c, options[pick])
	return c, err
}

// settle chooses the settings of a candidate. In a scoring problem these are the groups, and
// what is an input of one may be an input of another, too.
func (s *sources) settle(c *candidate, from string) {
	if s.settings < 2 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var options []string
	var at []int
	for i := range s.settings {
		if s.useful(i) {
			options, at = append(options, fmt.Sprintf("settings %d %s", i, from)), append(at, i)
		}
	}
	if len(options) == 0 {
		return
	}
	pick := s.Choose(options)
	c.setting, c.options = at[pick], append(c.options, options[pick])
}

// vary changes the numbers in the arguments of a command. Callers hold s.mu.
func (s *sources) vary(words []string) (varied, options []string) {
	varied = append([]string(nil), words...)
	for i := 1; i < len(varied); i++ {
		n, ok := argument(varied[i])
		if !ok {
			continue
		}
		kinds := inputs.Options(fmt.Sprintf("%s %d ", words[0], i), []string{"same", "tiny", "small", "less", "near"})
		pick := s.Choose(kinds)
		options = append(options, kinds[pick])
		switch pick {
		case 1:
			n = s.Rand.Int64N(5)
		case 2:
			n = s.Rand.Int64N(20)
		case 3:
			if n > 0 {
				n = s.Rand.Int64N(n) + 1
			}
		case 4:
			n += s.Rand.Int64N(5) - 2
		}
		varied[i] = withArgument(varied[i], n)
	}
	return varied, options
}

// argument returns the number in an argument: N, or NAME=N.
func argument(word string) (int64, bool) {
	if _, value, ok := strings.Cut(word, "="); ok {
		word = value
	}
	return inputs.Integer(word)
}

// withArgument returns the argument with another number.
func withArgument(word string, n int64) string {
	name, _, ok := strings.Cut(word, "=")
	if !ok {
		return strconv.FormatInt(n, 10)
	}
	return name + "=" + strconv.FormatInt(n, 10)
}

// howMade describes an input of a generator.
func howMade(words []string, seed uint32) string {
	return fmt.Sprintf("%s with seed %d", strings.Join(words, " "), seed)
}

// maxQuiet is the number of inputs in a row that are not new after which a generator is
// not used any more.
const maxQuiet = 200

// result improves later choices by what became of a candidate. found is the number of
// counterexamples.
func (s *sources) result(c *candidate, v inputs.Validity, found int) {
	if c.mutant != nil {
		s.mutator.Learn(c.mutant, v)
	}
	weight, useful := 1.0, 0.0
	switch v {
	case inputs.Valid:
		useful = min(1, 0.5+float64(found))
	case inputs.Repeated:
		weight = 0.2
	}
	s.note(append(c.options, c.source), weight, useful)
	switch {
	case c.mutant != nil:
	case v == inputs.Valid:
		s.mu.Lock()
		s.quiet[c.which] = 0
		s.mu.Unlock()
	case v == inputs.Repeated && len(c.options) == 0 && !strings.Contains(strings.Join(c.command, " "), "{seed"):
		s.useless(c.which, maxQuiet/3, "it makes the same input again: expected {seed} among its arguments")
	default:
		s.useless(c.which, 1, fmt.Sprintf("%d inputs in a row were invalid or not new", maxQuiet))
	}
}

// failed is how much a failure of a generator counts, compared with an input that is not
// new: generators may reject some arguments, but one that fails takes time.
const failed = 20

// useless adds a result of a generator that was of no use, and gives the generator up after
// too many in a row.
func (s *sources) useless(which, weight int, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.quiet[which]
	if s.quiet[which] += weight; before < maxQuiet && s.quiet[which] >= maxQuiet {
		s.notes = append(s.notes, fmt.Sprintf("the generator %s is not used any more: %s",
			strings.Join(s.commands[which], " "), why))
	}
}

// compare makes an input of a generator again, which must be the same.
func (s *sources) compare(ctx context.Context, which int, words []string, seed uint32, input []byte) {
	again, err := s.generator.Make(ctx, strings.Join(words, " "), seed)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.steady[which] {
		return
	}
	s.steady[which] = true
	if !bytes.Equal(again, input) {
		s.notes = append(s.notes,
			fmt.Sprintf("the generator %s made two different inputs with the same arguments: expected all randomness to "+
				"follow from {seed}; its inputs cannot be made again", strings.Join(words, " ")))
	}
}

// doubts returns the notes, and names the generators that only failed, too seldom to be given up.
func (s *sources) doubts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := slices.Clone(s.notes)
	for i, p := range s.past {
		if p.failures > 0 && !p.made && s.quiet[i] < maxQuiet {
			notes = append(notes, fmt.Sprintf("the generator %s made no input, and failed %s; last: %s",
				strings.Join(s.commands[i], " "), terminal.Count(p.failures, "time"), p.why))
		}
	}
	return notes
}

// note adds a result to the rates of the choices that led to it.
func (s *sources) note(options []string, weight, useful float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Learn(options, weight, useful)
}
