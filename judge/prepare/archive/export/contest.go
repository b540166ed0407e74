package export

import (
	"fmt"
	"strings"
	"time"

	lib "go.yaml.in/yaml/v3"

	"crucible/judge/internal/lazy"
)

// A Contest is what contest.yaml contains (DOMjudge manual, "Importing contest metadata";
// CCS specification, "contest.yaml").
type Contest struct {
	ID       string
	Name     string // "" means the id
	Start    time.Time
	Duration time.Duration
	Freeze   time.Duration // how long before the end the scoreboard freezes; 0 means that it does not
	Penalty  int           // minutes for each rejected submission
}

var (
	contestID = lazy.Regexp(`^[a-zA-Z0-9_.-]{1,255}$`)
	label     = lazy.Regexp(`^[a-zA-Z0-9_.-]{1,32}$`)
	rgb       = lazy.Regexp(`^#[0-9a-fA-F]{6}$`)
	colorName = lazy.Regexp(`^[a-zA-Z]{1,32}$`)
)

// Check returns an error if DOMjudge does not accept the contest.
func (c *Contest) Check() error {
	switch {
	case !contestID().MatchString(c.ID):
		return fmt.Errorf("contest %q: expected letters, digits and _.- only", c.ID)
	case c.Duration < time.Second:
		return fmt.Errorf("duration %v: expected at least 1 s", c.Duration)
	case c.Freeze < 0 || c.Freeze > c.Duration:
		return fmt.Errorf("freeze %v: expected at most the duration, %v", c.Freeze, c.Duration)
	case c.Penalty < 0:
		return fmt.Errorf("penalty %d: expected at least 0 minutes", c.Penalty)
	}
	return nil
}

// Check returns an error if DOMjudge does not accept the label or the color.
func (l ContestEntry) Check() error {
	if !label().MatchString(l.Label) {
		return fmt.Errorf("label %q: expected letters, digits and _.- only", l.Label)
	}
	if l.Color != "" && !rgb().MatchString(l.Color) && !colorName().MatchString(l.Color) {
		return fmt.Errorf("color %q: expected #rrggbb or the name of a color", l.Color)
	}
	return nil
}

// LabelOf returns the label of the problem of that index: A to Z, then AA.
func LabelOf(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return LabelOf(i/26-1) + LabelOf(i%26)
}

// File returns contest.yaml.
func (c *Contest) File() ([]byte, error) {
	name := c.Name
	if name == "" {
		name = c.ID
	}
	file := struct {
		ID       string `yaml:"id"`
		Name     string `yaml:"name"`
		Start    string `yaml:"start_time"`
		Duration string `yaml:"duration"`
		Freeze   string `yaml:"scoreboard_freeze_duration,omitempty"`
		Penalty  int    `yaml:"penalty_time"`
	}{c.ID, name, c.Start.Format(time.RFC3339), clock(c.Duration), "", c.Penalty}
	if c.Freeze > 0 {
		file.Freeze = clock(c.Freeze)
	}
	return lib.Marshal(file)
}

// clock returns a duration as H:MM:SS.
func clock(d time.Duration) string {
	s := int64(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// A problemEntry is an element of problems.yaml.
type problemEntry struct {
	ID    string  `yaml:"id"`
	Label string  `yaml:"label"`
	Name  string  `yaml:"name"`
	Color string  `yaml:"color,omitempty"`
	RGB   string  `yaml:"rgb,omitempty"`
	Limit float64 `yaml:"time_limit,omitempty"`
}

// ProblemsFile returns problems.yaml of the packages (DOMjudge manual, "Importing problem
// metadata").
func ProblemsFile(packages []*Package) ([]byte, error) {
	all := []problemEntry{}
	for _, p := range packages {
		e := problemEntry{ID: p.Source.ID, Label: p.In.Label, Name: p.Name, Limit: p.TimeLimit.Seconds()}
		if strings.HasPrefix(p.In.Color, "#") {
			e.RGB = p.In.Color
		} else {
			e.Color = p.In.Color
		}
		all = append(all, e)
	}
	return lib.Marshal(all)
}
