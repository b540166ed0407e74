package sheet

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/terminal"
)

const (
	pictureWidth = 78 // 80 columns, which every terminal has, minus the indentation
	pictureRows  = 24
	pictureName  = 30
)

// picture draws the times of the programs on a logarithmic axis, with vertical
// lines for the limit and its margins:
//
//	accepted/masks.cpp       ●            ┊      │     ┊
//	accepted/masks.py                 ─●─ ┊      │     ┊
//	time_limit_exceeded/b.go              ┊      │     ┊ ▶
//	                       ──┴────────────┶━━━━━━┿━━━━━┷──
func (x *banded) picture() [][]Entry {
	drawn, left := x.drawn()
	if len(drawn) == 0 {
		return nil
	}
	names := make([]string, len(drawn))
	for k, i := range drawn {
		names[k] = terminal.Clean(x.m.Submissions[i].Name)
	}
	short, width := terminal.Shorten(names, pictureName), 0
	for k, name := range names {
		if names[k] = terminal.ClipStart(name, pictureName); short != nil {
			names[k] = short[name]
		}
		width = max(width, terminal.Width(names[k]))
	}
	a := x.axis(drawn, pictureWidth-width-2)
	var lines [][]Entry
	for k, i := range drawn {
		lines = append(lines, append([]Entry{{Text: terminal.Pad(names[k], width+2)}}, x.track(a, i)...))
	}
	indent := strings.Repeat(" ", width+2)
	ticks, labels := a.ticks(x)
	lines = append(lines, []Entry{{indent + ticks, Faint}}, []Entry{{indent + labels, Faint}})
	for _, line := range x.legend(drawn, left) {
		lines = append(lines, []Entry{{line, Faint}})
	}
	return append(lines, nil)
}

// drawn returns the submissions that have a time, the fastest first, and the
// number of submissions left out. If there are more than pictureRows, it leaves
// out those farthest from the limit.
func (x *banded) drawn() (drawn []int, left int) {
	for _, i := range x.order() {
		if row := &x.Rows[i]; row.Wrong == "" && row.Case >= 0 && row.Time.Median > 0 {
			drawn = append(drawn, i)
		}
	}
	if len(drawn) <= pictureRows || x.At == 0 {
		return drawn[:min(len(drawn), pictureRows)], max(0, len(drawn)-pictureRows)
	}
	near := slices.Clone(drawn)
	distance := func(i int) float64 { return math.Abs(math.Log(x.Rows[i].Time.Median / x.At.Seconds())) }
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	far := near[pictureRows:]
	return slices.DeleteFunc(drawn, func(i int) bool { return slices.Contains(far, i) }), len(far)
}

// An axis maps seconds to columns.
type axis struct {
	low, high float64 // decimal logarithms of seconds
	columns   int
}

// axis returns an axis that covers all drawn times, with a margin at both ends.
func (x *banded) axis(drawn []int, columns int) axis {
	across := x.lines()
	times := across[:]
	for _, i := range drawn {
		times = append(times, x.Rows[i].Time.Min, x.Rows[i].Time.Max)
	}
	times = slices.DeleteFunc(times, func(seconds float64) bool { return seconds <= 0 || math.IsInf(seconds, 0) })
	a := axis{math.Log10(slices.Min(times)), math.Log10(slices.Max(times)), columns}
	room := max(0.03*(a.high-a.low), 0.05)
	a.low, a.high = a.low-room, a.high+room
	return a
}

func (a axis) column(seconds float64) int {
	at := (math.Log10(seconds) - a.low) / (a.high - a.low) * float64(a.columns-1)
	return min(max(int(math.Round(at)), 0), a.columns-1)
}

// lines returns the times of the vertical lines in seconds: the limit, and the
// least and the largest limit with both margins. 0 means no line.
func (x *banded) lines() (all [3]float64) {
	all[0] = x.At.Seconds()
	if x.Slowest != nil && !x.Slowest.Stopped {
		all[1] = x.Least.Seconds()
	}
	if x.Fastest != nil {
		all[2] = x.Most.Seconds()
	}
	return all
}

const (
	limitLine  = '│'
	marginLine = '┊'
)

// track draws the line of one program: its median, the range of its runs, and
// the vertical lines.
func (x *banded) track(a axis, i int) []Entry {
	row := &x.Rows[i]
	runes := slices.Repeat([]rune{' '}, a.columns)
	across := x.lines()
	for k, at := range across {
		if at > 0 && k > 0 {
			runes[a.column(at)] = marginLine
		}
	}
	if across[0] > 0 {
		runes[a.column(across[0])] = limitLine
	}
	for at := a.column(math.Max(row.Time.Min, 1e-9)); at <= a.column(row.Time.Max); at++ {
		if runes[at] == ' ' {
			runes[at] = '─'
		}
	}
	at := a.column(row.Time.Median)
	runes[at] = symbol(row)
	_, mark := x.verdict(row)
	before, after := string(runes[:at]), strings.TrimRight(string(runes[at+1:]), " ")
	return []Entry{{before, Faint}, {string(runes[at]), mark}, {after, Faint}}
}

// symbol returns the mark of a program, which shows its expectation.
func symbol(row *bench.Stance) rune {
	switch {
	case row.Stopped:
		return '▶'
	case row.Bounds == bench.Below, row.Bounds == bench.Both:
		return '■'
	case row.Bounds == bench.Above:
		return '●'
	}
	return '○'
}

// ticks draws the axis and the labels below it. The axis is thick where limits
// have both margins.
func (a axis) ticks(x *banded) (line, labels string) {
	runes, below := slices.Repeat([]rune{'─'}, a.columns), slices.Repeat([]rune{' '}, a.columns+8)
	steps := []float64{1}
	if a.high-a.low < 1.5 {
		steps = []float64{1, 2, 5}
	}
	free := 0 // the first column free for a label
	for decade := math.Floor(a.low); decade <= math.Ceil(a.high); decade++ {
		for _, step := range steps {
			seconds := step * math.Pow(10, decade)
			if v := math.Log10(seconds); v < a.low || v > a.high {
				continue
			}
			at := a.column(seconds)
			runes[at] = '┴'
			label := tick(seconds)
			if from := max(at-len([]rune(label))/2, 0); from >= free && from+len([]rune(label)) <= a.columns {
				copy(below[from:], []rune(label))
				free = from + len([]rune(label)) + 1
			}
		}
	}
	across := x.lines()
	if x.None == "" && across[1] > 0 {
		to := a.columns - 1
		if across[2] > 0 {
			to = a.column(across[2])
		}
		for at := a.column(across[1]); at <= to; at++ {
			runes[at] = map[bool]rune{true: '┷', false: '━'}[runes[at] == '┴']
		}
	}
	if across[0] > 0 {
		at := a.column(across[0])
		runes[at] = map[bool]rune{true: '┿', false: '┼'}[runes[at] == '━' || runes[at] == '┷']
	}
	return string(runes), strings.TrimRight(string(below), " ")
}

// tick formats a round time: "100 ms".
func tick(seconds float64) string {
	unit := "s"
	switch {
	case seconds < 0.9e-3:
		seconds, unit = seconds*1e6, "µs"
	case seconds < 0.9:
		seconds, unit = seconds*1e3, "ms"
	}
	return strconv.FormatFloat(seconds, 'g', 3, 64) + " " + unit
}

// legend explains the symbols in the plot, in lines of at most pictureWidth
// columns.
func (x *banded) legend(drawn []int, left int) (lines []string) {
	var parts []string
	if x.At > 0 {
		parts = append(parts, string(limitLine)+" limit "+terminal.Exactly(x.At))
	}
	if across := x.lines(); across[1] > 0 || across[2] > 0 {
		parts = append(parts, string(marginLine)+" margins")
	}
	used := make(map[rune]bool)
	for _, i := range drawn {
		used[symbol(&x.Rows[i])] = true
	}
	for _, one := range []struct {
		sign rune
		text string
	}{{'●', "must pass"}, {'■', "must get TLE"}, {'○', "either"}, {'▶', "stopped here"}} {
		if used[one.sign] {
			parts = append(parts, string(one.sign)+" "+one.text)
		}
	}
	if left > 0 {
		parts = append(parts, "not drawn: "+terminal.Count(left, "submission")+" farther from the limit")
	}
	line := ""
	for _, part := range parts {
		if line != "" && terminal.Width(line)+3+terminal.Width(part) > pictureWidth {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "   "
		}
		line += part
	}
	return append(lines, line)
}
