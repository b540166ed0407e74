package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/terminal"
)

var (
	seedForm     = lazy.Regexp(`\{seed(:[0-9]+)?\}`)
	constantForm = lazy.Regexp(`\{\{[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)?\}\}`)
	// braceForm matches a name in braces. Other text in braces, such as a{2,3}, is for
	// the program.
	braceForm = lazy.Regexp(`\{[a-zA-Z_][a-zA-Z0-9_]*(:[^{}\s]*)?\}`)
)

// splitCommand sets the program, the arguments and the seed from the command. count
// is that of the case, or 1.
func (c *casePlan) splitCommand(salt string, count int) error {
	words, err := terminal.SplitWords(c.command, true)
	if err != nil {
		return fmt.Errorf("the command %w", err)
	}
	if len(words) == 0 {
		return errors.New("an empty command: expected a generator and its arguments")
	}
	c.program = strings.TrimSuffix(words[0], "/") // of a folder
	if !fs.ValidPath(c.program) || c.program == "." {
		return fmt.Errorf("the generator %q: expected a name, or a path below generators/", words[0])
	}
	if count != 1 {
		// The first case has the same seed as a case without a count.
		salt += ":" + strconv.Itoa(count-1)
	}
	c.seed = seedOf(salt, c.command)
	seeds := len(seedForm().FindAllString(strings.Join(words[1:], " "), 2))
	if seeds > 1 {
		return errors.New("more than one {seed}: expected at most one in a command")
	}
	c.args, c.hasSeed = arguments(words[1:], c.seed), seeds == 1
	return nil
}

// argsWith returns the arguments with another seed, for another try of a program that
// failed.
func (c *casePlan) argsWith(seed uint32) []string {
	words, _ := terminal.SplitWords(c.command, true) // succeeded in splitCommand
	return arguments(words[1:], seed)
}

// arguments replaces {name} and {seed}. A program finds its case as testcase.in in its
// working folder, so it does not get the real name.
func arguments(words []string, seed uint32) []string {
	var args []string
	for _, arg := range words {
		arg = strings.ReplaceAll(arg, "{name}", "testcase")
		args = append(args, seedForm().ReplaceAllString(arg, strconv.FormatUint(uint64(seed), 10)))
	}
	return args
}

// replaceConstants replaces {{name}} with constants of problem.yaml. That comes before
// all other replacements, so constants change the seed.
func replaceConstants(command string, constants map[string]string) (string, error) {
	var err error
	command = constantForm().ReplaceAllStringFunc(command, func(word string) string {
		value, ok := constants[word[2:len(word)-2]]
		if !ok && err == nil {
			err = errors.New("the constant " + word + ": problem.yaml has no constant of that name")
		}
		return value
	})
	return command, err
}

// CheckSized checks a command for inputs of many sizes, as for [Growth].
func CheckSized(command string, constants map[string]string) error {
	_, err := sized(command, constants, 1, "")
	return err
}

// sized reads a command for inputs of many sizes: as in generators.yaml, with {n} for
// the size. {seed} depends on the salt and the size. Any other name in braces is an
// error, because the program would get it unchanged.
func sized(command string, constants map[string]string, n int64, salt string) (casePlan, error) {
	for _, word := range braceForm().FindAllString(constantForm().ReplaceAllString(command, ""), -1) {
		if word != "{n}" && word != "{name}" && seedForm().FindString(word) != word {
			return casePlan{}, fmt.Errorf("%s in the command: expected {n}, {seed}, {seed:2}, {name}, or a constant of "+
				"problem.yaml such as {{limit}}", word)
		}
	}
	command, err := replaceConstants(command, constants)
	if err != nil {
		return casePlan{}, err
	}
	if !strings.Contains(command, "{n}") {
		return casePlan{}, errors.New("the command has no {n}: expected {n} for the size")
	}
	c := casePlan{command: strings.TrimSpace(strings.ReplaceAll(command, "{n}", strconv.FormatInt(n, 10))), retries: 1}
	return c, c.splitCommand(salt, 1)
}
