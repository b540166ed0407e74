package generate

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
)

// passSettings makes the settings of folders, and passes those of the folders of the
// cases to each.
func (g *generation) passSettings(cases []*casePlan, each func(Result) error) error {
	selected := make(map[string]bool)
	for _, c := range cases {
		for dir := path.Dir(c.name); ; dir = path.Dir(dir) {
			selected[strings.TrimPrefix(dir, ".")] = true
			if dir == "." {
				break
			}
		}
	}
	for _, of := range g.plan.groups {
		text := formatYAML(of.settings)
		if text == nil {
			continue
		}
		one := Result{Name: of.name, Files: map[string]*File{"/" + of.settingsFile: fileOf(text)}}
		g.settings[one.Path("/"+of.settingsFile)] = one.Files["/"+of.settingsFile]
		if f := g.problem.Spec(); !slices.Contains(f.GroupFile, of.settingsFile) {
			one.Warnings = append(one.Warnings, of.settings.Errorf("format %s does not have %s: expected %s", f.Version,
				of.settingsFile, strings.Join(f.GroupFile, " or ")))
		}
		if g.Cases == nil || selected[of.name] {
			if err := each(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// match checks that the input and the answer match the expressions of the case.
func (m *caseWork) match() (doubts []error, err error) {
	for _, ext := range slices.Sorted(maps.Keys(m.casePlan.match)) {
		for _, text := range m.casePlan.match[ext] {
			re, err := expression(text)
			if err != nil {
				continue // in the notes of the plan
			}
			file := m.files[ext]
			if file == nil {
				return nil, m.fail("match: there is no %s", ext)
			}
			f, err := file.open()
			if err != nil {
				return nil, err
			}
			found := re.MatchReader(bufio.NewReader(f))
			f.Close()
			if !found {
				doubts = append(doubts, m.fail("nothing in %s matches %q", ext, text))
			}
		}
	}
	return doubts, nil
}

// validate runs the package's validators on a case before it is in the package: the
// input validators, and if a solution made the answer, the output validators on it. A
// validator does not run again on files that it accepted.
func (m *caseWork) validate(ctx context.Context) error {
	root := m.root()
	if m.files[".in"] == nil ||
		!slices.Contains([]string{"sample", "secret", "valid_output", "invalid_output", "invalid_input"}, root) {
		return nil
	}
	p, c, err := m.placed()
	if err != nil {
		return err
	}
	in := hex.EncodeToString(m.files[".in"].Sum[:])
	if root != "invalid_input" && p.InputValidators != nil {
		parts := []string{"input", in, fmt.Sprintf("%q %q %q", c.Args, c.InputValidatorArgs, c.InputValidatorArgsBy)}
		err := m.accept(ctx, p.InputValidators, append(parts, m.sums(".files/")...), func() error {
			rejected, err := m.j.Rejections(ctx, p, p.InputValidators, c)
			for _, v := range p.InputValidators {
				if slices.ContainsFunc(rejected, func(why string) bool { return judge.IsZero(v, why) }) {
					// The error of the first case says so.
					return &toolError{tool: m.validatorTool(v), err: judge.ZeroDefect(p, v)}
				}
			}
			if err == nil && rejected != nil {
				err = m.fail("the input is rejected: %s", strings.Join(rejected, "; "))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if root != "sample" && root != "secret" || !m.answered || p.OutputValidators == nil {
		return nil
	}
	answer := hex.EncodeToString(m.files[".ans"].Sum[:])
	parts := []string{"output", in, answer, fmt.Sprintf("%q", c.OutputValidatorArgs)}
	return m.accept(ctx, p.OutputValidators, parts, func() error {
		run, err := m.j.CheckOutput(ctx, p, c, ".ans")
		if err == nil && run.Verdict != problem.Accepted {
			err = m.fail("the answer of solution %s is rejected: %s", m.solution, run.Why)
		}
		return err
	})
}

func (g *generation) validatorTool(v *problem.Program) *tool {
	return g.tool("validator "+v.Path, func(t *tool) {
		t.build = func(ctx context.Context) (*build.Program, error) { return g.j.BuildValidator(ctx, v, judge.Preparing) }
	})
}

// accept runs validators with check, unless they have accepted the same parts before.
func (m *caseWork) accept(ctx context.Context, validators []*problem.Program, parts []string,
	check func() error) error {
	for _, v := range validators {
		b, err := m.ready(ctx, m.validatorTool(v))
		if err != nil {
			return err
		}
		parts = append(parts, v.Name, b.Key())
	}
	_, err := m.stored("", build.HashOf(parts...), false, func(string) error {
		release, err := m.j.Acquire(ctx, 1)
		if err != nil {
			return err
		}
		defer release()
		return check()
	})
	return err
}
