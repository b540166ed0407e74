package generate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
)

// tellSettings makes the settings of folders, and tells of those that hold for
// a chosen case.
func (g *generation) tellSettings(chosen []int, told func(Generated) error) error {
	wanted := make(map[string]bool)
	for _, i := range chosen {
		for dir := path.Dir(g.plan.Cases[i].Name); ; dir = path.Dir(dir) {
			wanted[strings.TrimPrefix(dir, ".")] = true
			if dir == "." {
				break
			}
		}
	}
	for i := range g.plan.Groups {
		group := &g.plan.Groups[i]
		text := []byte(nil)
		if group.Settings != nil {
			text = FormatYAML(group.Settings)
		}
		if text == nil {
			continue // nothing is said, or that there shall be none
		}
		one := Generated{Name: group.Name, Files: map[string]*Made{"/" + group.SettingsFile: MadeOf(text)}}
		g.settings[one.Path("/"+group.SettingsFile)] = one.Files["/"+group.SettingsFile]
		if f := g.problem.Spec(); !slices.Contains(f.GroupFile, group.SettingsFile) {
			one.Warnings = append(one.Warnings, group.Settings.Errorf("%s is not read in format %s: want %s", group.SettingsFile, f.Version, strings.Join(f.GroupFile, " or ")))
		}
		if g.how.Cases != nil && !wanted[group.Name] {
			continue
		}
		if err := told(one); err != nil {
			return err
		}
	}
	return nil
}

// match looks for the expressions that the case is to contain.
func (g *generation) match(c *Case, files map[string]*Made) (doubts []error, err error) {
	for _, ext := range slices.Sorted(maps.Keys(c.Match)) {
		for _, text := range c.Match[ext] {
			re, err := Expression(text)
			if err != nil {
				continue // a note of the plan
			}
			m := files[ext]
			if m == nil {
				return nil, g.defect(c, "match: there is no %s", ext)
			}
			f, err := m.open()
			if err != nil {
				return nil, err
			}
			found := re.MatchReader(bufio.NewReader(f))
			f.Close()
			if !found {
				doubts = append(doubts, g.defect(c, "nothing in %s matches %q", ext, text))
			}
		}
	}
	return doubts, nil
}

// examine asks the package's validators about a case, before it is in the
// package: the input validators, and of an answer that a solution gave the
// output validators. What a validator accepted, it is not asked again.
func (g *generation) examine(ctx context.Context, c *Case, files map[string]*Made) (ran int, err error) {
	root, _, _ := strings.Cut(c.Name, "/")
	if files[".in"] == nil || !slices.Contains([]string{"sample", "secret", "valid_output", "invalid_output", "invalid_input"}, root) {
		return 0, nil
	}
	p, k, err := g.placed(c, root, files)
	if err != nil {
		return 0, err
	}
	in := hex.EncodeToString(files[".in"].Sum[:])
	if root != "invalid_input" && g.problem.InputValidators != nil {
		parts := []string{"input", in, fmt.Sprintf("%q %q %q", k.Args, k.InputValidatorArgs, k.InputValidatorArgsBy)}
		ran, err = g.asked(ctx, p.InputValidators, append(parts, sumsOf(files, ".files/")...), func() error {
			rejected, err := g.j.Rejections(ctx, p, p.InputValidators, k)
			if err == nil && rejected != nil {
				err = g.defect(c, "the input is rejected: %s", strings.Join(rejected, "; "))
			}
			return err
		})
		if err != nil {
			return ran, err
		}
	}
	if root != "sample" && root != "secret" || !g.answered(c, files) || g.problem.OutputValidators == nil {
		return ran, nil
	}
	answer := hex.EncodeToString(files[".ans"].Sum[:])
	parts := []string{"output", in, answer, fmt.Sprintf("%q", k.OutputValidatorArgs)}
	more, err := g.asked(ctx, p.OutputValidators, parts, func() error {
		run, err := g.j.CheckOutput(ctx, p, k, ".ans")
		if err == nil && run.Verdict != problem.Accepted {
			err = g.defect(c, "the answer of solution %s is rejected: %s", c.Solution, run.Why)
		}
		return err
	})
	return ran + more, err
}

// answered reports whether a solution made the answer, so that it must be a
// right output: an answer from elsewhere need not be one.
func (g *generation) answered(c *Case, files map[string]*Made) bool {
	return files[".ans"] != nil && g.bySolution[g.index[g.origin(g.index[c.Name]).Name]].Load()
}

// asked asks programs about a case, unless they have accepted the same before.
func (g *generation) asked(ctx context.Context, validators []*problem.Program, parts []string, ask func() error) (ran int, err error) {
	for _, v := range validators {
		t := g.tool("validator "+v.Path, func() *tool {
			return &tool{name: "validator " + v.Path, build: func(ctx context.Context) (*build.Program, error) { return g.j.BuildValidator(ctx, v, judge.Preparing) }}
		})
		b, err := g.ready(ctx, t)
		if err != nil {
			return 0, err
		}
		parts = append(parts, v.Name, b.Key())
	}
	_, ran, err = g.once(build.HashOf(parts...), false, func(string) error {
		release, err := g.j.Acquire(ctx, 1)
		if err != nil {
			return err
		}
		defer release()
		return ask()
	})
	return ran, err
}

func sumsOf(files map[string]*Made, prefix string) []string {
	var all []string
	for _, ext := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(ext, prefix) {
			all = append(all, ext, hex.EncodeToString(files[ext].Sum[:]))
		}
	}
	return all
}

// placed reads the case as if it were in the package alone, with the settings
// of its folders.
func (g *generation) placed(c *Case, root string, files map[string]*Made) (*problem.Problem, *problem.Case, error) {
	at := make(map[string]*Made)
	for ext, m := range files {
		at["data/"+c.Name+ext] = m
	}
	for dir := path.Dir(c.Name); ; dir = path.Dir(dir) {
		for _, name := range []string{"test_group.yaml", "testdata.yaml"} {
			name = path.Join(dir, name)
			if m := g.settings[name]; m != nil {
				at["data/"+name] = m
			} else if m, err := madeBy(g.fsys, "data/"+name); err == nil {
				at["data/"+name] = m
			}
		}
		if dir == "." {
			break
		}
	}
	if root != "secret" {
		// A package is none without a secret case.
		at["data/secret/a.in"], at["data/secret/a.ans"] = MadeOf(nil), MadeOf(nil)
	}
	p, err := g.problem.WithData(CaseFS{at, g.fsys})
	if err != nil {
		return nil, nil, g.defect(c, "%v", err)
	}
	for _, k := range slices.Concat(p.Cases, p.InvalidInput, p.InvalidOutput, p.ValidOutput) {
		if k.Name == c.Name {
			return p, k, nil
		}
	}
	return nil, nil, g.defect(c, "is no case of format %s", p.Version)
}

// firstDifference says where two texts first differ, or "".
func firstDifference(a, b io.Reader) (string, error) {
	ra, rb := bufio.NewReaderSize(a, 64<<10), bufio.NewReaderSize(b, 64<<10)
	var prefix []byte // of the line, as far as it is worth showing
	line, offset := 1, int64(0)
	for {
		x, errX := ra.ReadByte()
		y, errY := rb.ReadByte()
		switch {
		case errX != nil && errX != io.EOF:
			return "", errX
		case errY != nil && errY != io.EOF:
			return "", errY
		case errX != nil && errY != nil:
			return "", nil
		case errX == nil && errY == nil && x == y:
			if offset++; x == '\n' {
				line, prefix = line+1, prefix[:0]
			} else if len(prefix) < shownOfLine {
				prefix = append(prefix, x)
			}
			continue
		}
		return fmt.Sprintf("line %d, byte %d: %s and %s", line, offset+1, restOf(prefix, x, ra, errX), restOf(prefix, y, rb, errY)), nil
	}
}

// shownOfLine bounds how much of a line is shown, in bytes.
const shownOfLine = 24

// restOf shows a line of which the first byte is known that differs.
func restOf(prefix []byte, next byte, r *bufio.Reader, err error) string {
	if err != nil && len(prefix) == 0 {
		return "the end"
	}
	text := bytes.Clone(prefix)
	for err == nil && next != '\n' {
		if text = append(text, next); len(text) > 2*shownOfLine {
			text = append(text[:2*shownOfLine], "…"...)
			break
		}
		next, err = r.ReadByte()
	}
	return fmt.Sprintf("%q", text)
}
