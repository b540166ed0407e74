package main

import (
	"errors"
	"fmt"
	"strings"
)

// A bound is what a number of a kind may be.
type bound struct {
	name        string
	least, most int
}

// A kind is one way to make matrices.
type kind struct {
	name string
	args []bound // after the count
	what string
	// make makes one; false asks for another attempt.
	make func(r *source, arg []int) (matrix, bool)
}

func (k kind) usage() string {
	text := k.name + ":count"
	for _, b := range k.args {
		text += ":" + b.name
	}
	return text
}

// findKind returns the kind of that name.
func findKind(name string) (kind, error) {
	var names []string
	for _, k := range kinds {
		if k.name == name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return kind{}, fmt.Errorf("kind %q: want %s", name, strings.Join(names, ", "))
}

// attempt makes one matrix of a kind.
func attempt(r *source, k kind, arg []int) (matrix, error) {
	for range 10000 {
		if made, ok := k.make(r, arg); ok {
			return made, nil
		}
	}
	var none matrix
	return none, errors.New("none in 10000 attempts, want other numbers")
}
