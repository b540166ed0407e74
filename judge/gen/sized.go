package gen

import (
	"errors"
	"strconv"
	"strings"
)

// Sized reads the command of a case whose input is made in many sizes: as in
// generators.yaml, and {n} in it is the size. With the same salt the same size
// has the same {seed}, and another has another.
func Sized(command string, constants map[string]string, n int64, salt string) (Case, error) {
	p := &parser{values: constants}
	command, err := p.constants(command)
	if err != nil {
		return Case{}, err
	}
	if !strings.Contains(command, "{n}") {
		return Case{}, errors.New("the command has no {n}: want it where the size goes")
	}
	c := Case{Command: strings.TrimSpace(strings.ReplaceAll(command, "{n}", strconv.FormatInt(n, 10))), Retries: 1}
	return c, c.readCommand(salt, 1)
}
