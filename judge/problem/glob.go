package problem

import (
	"errors"
	"fmt"
	"strings"
)

// maxAlternatives limits the number of alternatives of a pattern.
const maxAlternatives = 1024

// A Glob matches names of files and cases by the rules of the problem package format
// (2025-09, "Glob patterns"), which the command line uses too. [CompileGlob] creates it.
//
// "*" matches any characters except "/", braces contain alternatives and may nest,
// and no other character is special. Spaces around an alternative are ignored, as in
// BAPCtools. A glob also covers all names below a folder that it matches.
//
// A file may have thousands of globs and a package a million names, so the
// alternatives are matched in parallel and never expanded.
type Glob []globStep

// A step is one byte to match, a star, or a fork to several other steps.
type globStep struct {
	byte byte
	to   []int // next steps of a fork, which matches no byte itself; the other kinds continue with the next step
	kind globStepKind
}

type globStepKind int8

const (
	literal globStepKind = iota
	star                 // any bytes but "/"
	fork
	end
)

// CompileGlob compiles a pattern. It returns an error for unbalanced braces and
// for more than 1024 alternatives.
func CompileGlob(pattern string) (Glob, error) {
	p := globParser{pattern: pattern, program: make(Glob, 0, len(pattern)+1)}
	alternatives := p.sequence(0)
	switch {
	case p.wrong == nil && p.at < len(pattern):
		p.wrong = errors.New("} without {")
	case p.wrong == nil && alternatives > maxAlternatives:
		p.wrong = fmt.Errorf("more than %d alternatives", maxAlternatives)
	}
	if p.wrong != nil {
		return nil, fmt.Errorf("glob %q: %w", pattern, p.wrong)
	}
	return append(p.program, globStep{kind: end}), nil
}

type globParser struct {
	pattern string
	at      int
	program Glob
	wrong   error
}

// sequence parses up to the end, a "}", or a "," within braces. It returns the number
// of alternatives, at most maxAlternatives+1.
func (p *globParser) sequence(depth int) int {
	alternatives := 1
	for p.at < len(p.pattern) && p.wrong == nil {
		switch c := p.pattern[p.at]; {
		case c == '}', c == ',' && depth > 0:
			return alternatives
		case c == ' ' && depth > 0 && p.atEdge():
		case c == '{' && depth == maxAlternatives:
			p.wrong = fmt.Errorf("braces more than %d deep", maxAlternatives)
		case c == '{':
			alternatives = min(alternatives*p.braces(depth+1), maxAlternatives+1)
			continue
		case c == '*':
			p.program = append(p.program, globStep{kind: star})
		default:
			p.program = append(p.program, globStep{byte: c})
		}
		p.at++
	}
	return alternatives
}

// atEdge reports whether the space at the position is before or after an alternative.
func (p *globParser) atEdge() bool {
	before, after := strings.TrimRight(p.pattern[:p.at], " "), strings.TrimLeft(p.pattern[p.at:], " ")
	return strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",") || strings.HasPrefix(after, ",") ||
		strings.HasPrefix(after, "}")
}

// braces parses "{a,b}" into a fork to each alternative. Each alternative continues
// after the closing brace. It returns the number of alternatives.
func (p *globParser) braces(depth int) int {
	start := len(p.program)
	p.program = append(p.program, globStep{kind: fork})
	var begins, ends []int
	alternatives := 0
	for {
		p.at++ // "{" or ","
		begins = append(begins, len(p.program))
		alternatives = min(alternatives+p.sequence(depth), maxAlternatives+1)
		ends = append(ends, len(p.program))
		p.program = append(p.program, globStep{kind: fork})
		switch {
		case p.wrong != nil:
			return 1
		case p.at == len(p.pattern):
			p.wrong = errors.New("{ without }")
			return 1
		case p.pattern[p.at] == '}':
			p.at++
			p.program[start].to = begins
			for _, i := range ends {
				p.program[i].to = []int{len(p.program)}
			}
			return alternatives
		}
	}
}

// GlobCovers reports whether the glob matches name or a folder above it.
func (g Glob) Covers(name string) bool {
	now, next := g.after("")
	for i := 0; ; i++ {
		if (i == len(name) || name[i] == '/') && g.ends(now, next) {
			return true
		}
		if i == len(name) || len(now.list) == 0 {
			return false
		}
		g.advance(now, next, name[i])
		now, next = next, now
	}
}

// Matches reports whether the glob matches the name itself, not a folder above it.
func (g Glob) Matches(name string) bool { return g.ends(g.after(name)) }

// Reaches reports whether the glob may match name or a name below it.
func (g Glob) Reaches(name string) bool {
	below, _ := g.after(name + "/")
	return g.Matches(name) || len(below.list) > 0
}

// after returns the steps that are possible after a name, and a second set that the
// caller may overwrite.
func (g Glob) after(name string) (now, scratch *globSteps) {
	now, scratch = newGlobSteps(len(g)), newGlobSteps(len(g))
	g.follow(now, 0, true)
	for i := range len(name) {
		g.advance(now, scratch, name[i])
		now, scratch = scratch, now
	}
	return now, scratch
}

// ends reports whether the pattern may end here or after one final "/". It
// overwrites scratch.
func (g Glob) ends(now, scratch *globSteps) bool {
	last := len(g) - 1
	if now.has[last] {
		return true
	}
	scratch.clear()
	for _, i := range now.list {
		if g[i].kind == literal && g[i].byte == '/' {
			g.follow(scratch, i+1, false)
		}
	}
	return scratch.has[last]
}

// advance fills next with the steps that are possible after a byte.
func (g Glob) advance(now, next *globSteps, c byte) {
	next.clear()
	for _, i := range now.list {
		switch s := g[i]; {
		case s.kind == literal && s.byte == c:
			g.follow(next, i+1, true)
		case s.kind == star && c != '/':
			g.follow(next, i, true)
		}
	}
}

// follow adds a step and the steps that are reachable from it without reading a byte:
// through forks and, if stars is set, through stars that match the empty string.
func (g Glob) follow(s *globSteps, i int, stars bool) {
	for work := []int{i}; len(work) > 0; {
		i, work = work[len(work)-1], work[:len(work)-1]
		if s.has[i] {
			continue
		}
		s.has[i] = true
		s.list = append(s.list, i)
		switch g[i].kind {
		case fork:
			work = append(work, g[i].to...)
		case star:
			if stars {
				work = append(work, i+1)
			}
		}
	}
}

// steps is a set of steps of a glob.
type globSteps struct {
	has  []bool
	list []int
}

func newGlobSteps(n int) *globSteps { return &globSteps{make([]bool, n), make([]int, 0, 8)} }

func (s *globSteps) clear() {
	for _, i := range s.list {
		s.has[i] = false
	}
	s.list = s.list[:0]
}

// GlobCovers reports whether the pattern matches name or a folder above it. A
// malformed pattern covers no name.
func GlobCovers(pattern, name string) bool {
	g, err := CompileGlob(pattern)
	return err == nil && g.Covers(name)
}
