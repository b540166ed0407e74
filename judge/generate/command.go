package generate

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

var (
	seedForm     = regexp.MustCompile(`\{seed(:[0-9]+)?\}`)
	constantForm = regexp.MustCompile(`\{\{[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)?\}\}`)
)

// splitCommand cuts a command into words as a POSIX shell does, by spaces,
// quotes and backslashes, and expands nothing.
func splitCommand(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		case '\'', '"':
			n, err := quoted(&word, s[i+1:], c)
			if err != nil {
				return nil, err
			}
			i += n
			inWord = true
		case '\\':
			if i++; i == len(s) {
				return nil, errors.New("the command ends in a backslash")
			}
			word.WriteByte(s[i])
			inWord = true
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted appends the text up to the closing quote, and returns its length in s
// with that quote. In double quotes a backslash escapes them and itself.
func quoted(word *strings.Builder, s string, quote byte) (int, error) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == quote:
			return i + 1, nil
		case quote == '"' && s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		word.WriteByte(s[i])
	}
	return 0, errors.New("the command has a quote that is not closed")
}

// readCommand fills in what a command makes: the program, the arguments, the
// seed. Count is the case's count, or 1.
func (c *Case) readCommand(salt string, count int) error {
	words, err := splitCommand(c.Command)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return errors.New("an empty command: want a generator and its arguments")
	}
	c.Program = strings.TrimSuffix(words[0], "/") // of a folder
	if !fs.ValidPath(c.Program) || c.Program == "." {
		return errors.New("the generator " + strconv.Quote(words[0]) + ": want a name, or a path below generators/")
	}
	if count != 1 {
		// One less, so that the first of them has the seed it had alone.
		salt += ":" + strconv.Itoa(count-1)
	}
	c.Seed = Seed(salt, c.Command)
	seeds := len(seedForm.FindAllString(strings.Join(words[1:], " "), 2))
	if seeds > 1 {
		return errors.New("{seed} more than once: want it at most once in a command")
	}
	c.Args, c.HasSeed = arguments(words[1:], c.Seed), seeds == 1
	return nil
}

// ArgsWith returns the arguments with another seed than the case's own, for a
// program that failed and is to be run again.
func (c *Case) ArgsWith(seed uint32) []string {
	words, err := splitCommand(c.Command)
	if err != nil || len(words) == 0 {
		return nil // no command that Parse has read
	}
	return arguments(words[1:], seed)
}

// arguments replaces what is in braces. Programs find their case as
// testcase.in in their folder, so its name does not reach them.
func arguments(words []string, seed uint32) []string {
	var args []string
	for _, arg := range words {
		arg = strings.ReplaceAll(arg, "{name}", "testcase")
		args = append(args, seedForm.ReplaceAllString(arg, strconv.FormatUint(uint64(seed), 10)))
	}
	return args
}

// constants replaces {{name}} by the constants of problem.yaml, which come
// before all else in a command: the seed is that of what comes out.
func (p *parser) constants(command string) (string, error) {
	var unknown string
	command = constantForm.ReplaceAllStringFunc(command, func(word string) string {
		value, ok := p.values[word[2:len(word)-2]]
		if !ok && unknown == "" {
			unknown = word
		}
		return value
	})
	if unknown != "" {
		return "", errors.New("the constant " + unknown + ": problem.yaml has none of that name")
	}
	return command, nil
}
