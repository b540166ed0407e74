package generate

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Sized reads the command of a case whose input is made in many sizes: as in
// generators.yaml, and {n} in it is the size. With the same salt the same size
// has the same {seed}, and another has another. What looks like another of
// these is an error: the program would get it as it stands.
func Sized(command string, constants map[string]string, n int64, salt string) (Case, error) {
	if word := unknownIn(command); word != "" {
		return Case{}, fmt.Errorf("%s in the command: want {n}, {seed}, {seed:2}, {name}, or a constant of problem.yaml such as {{limit}}", word)
	}
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

// placeForm is a name in braces, as what is replaced is written. Other text in
// braces, such as a{2,3}, is meant for the program.
var placeForm = regexp.MustCompile(`\{[a-zA-Z_][a-zA-Z0-9_]*(:[^{}\s]*)?\}`)

// unknownIn is the first name in braces that nothing replaces; "" if there is none.
func unknownIn(command string) string {
	for _, word := range placeForm.FindAllString(constantForm.ReplaceAllString(command, ""), -1) {
		if word != "{n}" && word != "{name}" && seedForm.FindString(word) != word {
			return word
		}
	}
	return ""
}
