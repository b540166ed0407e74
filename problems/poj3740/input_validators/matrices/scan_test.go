package main

import "testing"

// An input without an end must not be read to it.
func TestEndless(t *testing.T) {
	for _, text := range []string{"1", " ", "0", "\n", "x", "1 ", "1\n"} {
		if err := check(endless(text)); err == nil {
			t.Errorf("check of %q without end: no defect", text)
		}
	}
}

// endless is a text again and again.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }
