//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// holds reports whether the fact is true of an outcome.
func (f fact) holds(o Outcome) bool {
	switch f.key {
	case "exceeded":
		return string(o.Exceeded) == strings.ReplaceAll(strings.TrimPrefix(f.value, "none"), "_", " ")
	case "signal":
		return o.Signal == unix.SignalNum(f.value)
	}
	var got, want int64
	switch f.key {
	case "exit":
		got, want = int64(o.Exit), int64(number(f.value))
	case "cpu":
		d, _ := time.ParseDuration(f.value)
		got, want = int64(o.CPU), int64(d)
	case "memory":
		got, want = o.Memory, size(f.value)
	case "output":
		got, want = o.Output, size(f.value)
	case "files":
		got, want = o.Files, size(f.value)
	}
	switch f.op {
	case ">=":
		return got >= want
	case "<=":
		return got <= want
	}
	return got == want
}

// facts are the keys of facts.
var facts = []string{"exceeded", "signal", "exit", "cpu", "memory", "output", "files", "error"}

// readAttacks reads the comments of all attacks of a folder.
func readAttacks(t *testing.T, folder string) (attacks []*attack) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file.Name()) == ".h" {
			continue
		}
		a, err := readAttack(filepath.Join(folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		attacks = append(attacks, a)
	}
	if len(attacks) == 0 {
		t.Fatalf("%s has no attacks", folder)
	}
	return attacks
}

// readAttack reads the comments at the start of an attack.
func readAttack(source string) (*attack, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(source)
	a := &attack{name: strings.TrimSuffix(name, filepath.Ext(name)), source: source, limits: attackLimits, stdin: -1, acts: 1}
	for line := range strings.Lines(string(text)) {
		comment, ok := strings.CutPrefix(line, "// ")
		if !ok {
			comment, ok = strings.CutPrefix(line, "# ")
		}
		if !ok {
			break
		}
		kind, rest, ok := strings.Cut(comment, ":")
		if !ok || strings.ToLower(kind) != kind || strings.Contains(kind, " ") {
			continue // prose
		}
		for _, word := range strings.Fields(rest) {
			if err := a.set(kind, word); err != nil {
				return nil, fmt.Errorf("%s: %s: %s: %w", source, kind, word, err)
			}
		}
	}
	switch {
	case len(a.want) == 0:
		return nil, fmt.Errorf("%s: no line with // want:", source)
	case a.least == 0:
		return nil, fmt.Errorf("%s: no line with // least: want the lowest level that holds it, process, guarded or box", source)
	case (len(a.without) > 0) != (a.bare != nobody):
		return nil, fmt.Errorf("%s: // without: and // bare: want both or none", source)
	case a.bare != nobody && a.least == Process:
		return nil, fmt.Errorf("%s: // without: want a least level above process", source)
	}
	return a, nil
}

// set sets the field for one word of a line of that kind.
func (a *attack) set(kind, word string) error {
	switch f := parseFact(word); kind {
	case "want", "without":
		if !slices.Contains(facts, f.key) {
			return fmt.Errorf("unknown fact, want one of %q", facts)
		}
		if kind == "want" {
			a.want = append(a.want, f)
		} else {
			a.without = append(a.without, f)
		}
		return nil
	case "limits":
		return f.set(&a.limits)
	case "stdin":
		a.stdin = size(word)
		return nil
	case "acts":
		a.acts = number(word)
		return nil
	case "least", "except":
		level := map[string]Level{"process": Process, "guarded": Guarded, "box": UserBox}[word]
		if level == 0 {
			return errors.New("unknown level, want process, guarded or box")
		}
		if kind == "least" {
			a.least = level
		} else {
			a.except = level
		}
		return nil
	case "bare":
		if a.bare = map[string]tester{"user": ownUser, "guest": guestRoot}[word]; a.bare == nobody {
			return errors.New("unknown tester, want user or guest")
		}
		return nil
	}
	for name, flag := range map[string]*bool{"cmd scratch": &a.scratch, "cmd locks": &a.locks, "cmd setuid": &a.setuid, "needs memory": &a.memory, "needs pids": &a.pids} {
		if name == kind+" "+word {
			*flag = true
			return nil
		}
	}
	return errors.New("unknown")
}

func parseFact(word string) fact {
	for _, op := range []string{">=", "<=", "="} {
		if key, value, ok := strings.Cut(word, op); ok {
			return fact{key, op, value}
		}
	}
	return fact{key: word}
}

// set sets the limit with the key of f to the value of f.
func (f fact) set(l *Limits) (err error) {
	switch f.key {
	case "cpu":
		l.CPU, err = time.ParseDuration(f.value)
	case "wall":
		l.Wall, err = time.ParseDuration(f.value)
	case "memory":
		l.Memory = size(f.value)
	case "output":
		l.Output = size(f.value)
	case "files":
		l.Files = size(f.value)
	case "filesize":
		l.FileSize = size(f.value)
	case "processes":
		l.Processes, err = strconv.Atoi(f.value)
	default:
		err = fmt.Errorf("unknown limit %q", f.key)
	}
	return err
}

// size parses a number of bytes; 64M is 64 MiB.
func size(s string) int64 {
	shift := 0
	if text, ok := strings.CutSuffix(s, "M"); ok {
		s, shift = text, 20
	}
	return int64(number(s)) << shift
}
