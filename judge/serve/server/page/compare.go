package page

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/report/html"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// leastTime is the least CPU time of which a ratio is shown; below it, the start of the
// program is most of it.
const leastTime = 5 * time.Millisecond

// A comparison is the data of the page that compares two programs, or the programs of two
// runs by their names.
type comparison struct {
	A, B     string // as in the address
	Choices  []choice
	Names    [2]string
	Pairs    []pair
	Problem  string
	Overall  *ratio
	Changed  int
	Matched  int
	Only     []string // programs of one run only
	Compared bool
}

// A pair is two programs, or a case of the two.
type pair struct {
	Name    string
	Words   [2]string
	Classes [2]string
	Times   [2]string
	Ratio   *ratio
	Differ  bool // the verdicts
}

// A ratio is the second time divided by the first one.
type ratio struct {
	Text    string // with its interval
	Bounded bool   // it has an interval
	Word    string // "slower"
	Mark    string
	Cases   int
	Note    string
}

// side reads a side of the comparison: RUN, or RUN/ROW.
func (s *Site) side(v *visit, name string) (r *run, row int, err error) {
	id, index, one := strings.Cut(name, "/")
	if r, err = s.runOf(v, id); err != nil {
		return nil, 0, err
	}
	if !one {
		return r, -1, nil
	}
	row, err = strconv.Atoi(index)
	if err != nil || row < 0 || row >= len(r.Rows) {
		return nil, 0, blob.NewProblem(http.StatusNotFound, "run %s has no program %.20q", id, index)
	}
	return r, row, nil
}

// compare compares two programs, or two runs.
func (s *Site) compare(v *visit) error {
	d := &comparison{A: v.FormValue("a"), B: v.FormValue("b")}
	all, err := s.lastRuns(v, "", 50)
	if err != nil {
		return err
	}
	for _, r := range s.items(v, all) {
		if r.Call != "" {
			continue // its client compares
		}
		text := fmt.Sprintf("%s, %s, %s, %s", r.Name, r.Title, r.By, r.Created.Local().Format("2 Jan 15:04:05"))
		d.Choices = append(d.Choices, choice{r.ID, text})
		for i := range r.Rows[:min(len(r.Rows), 40)] {
			if len(r.Rows) > 1 {
				d.Choices = append(d.Choices, choice{r.ID + "/" + strconv.Itoa(i), r.Rows[i].Name + " of " + text})
			}
		}
	}
	if d.A != "" && d.B != "" {
		if err := s.fillComparison(v, d); err != nil {
			return err
		}
	}
	return s.show(v, "compare", &view{Title: "Compare", Area: "compare", Data: d})
}

func (s *Site) fillComparison(v *visit, d *comparison) error {
	var reports [2][]*judge.Report
	var limit time.Duration
	var rows [2]int
	for i, name := range []string{d.A, d.B} {
		r, row, err := s.side(v, name)
		if err != nil {
			return err
		}
		doc, err := s.documentOf(r, func(k int) bool { return row < 0 || k == row })
		if err != nil {
			return err
		}
		if d.Problem != "" && d.Problem != r.Problem {
			return blob.NewProblem(http.StatusUnprocessableEntity,
				"the runs are of the problems %s and %s: expected the same problem", d.Problem, r.Problem)
		}
		d.Problem, reports[i], limit, rows[i], d.Names[i] = r.Problem, doc.Problems[0].Reports,
			max(limit, doc.Problems[0].Limits.Time), row, r.title()
		if row >= 0 {
			d.Names[i] = r.Rows[row].Name
		}
	}
	d.Compared = true
	if len(reports[0]) == 1 && len(reports[1]) == 1 {
		d.ofCases(reports[0][0], reports[1][0], limit)
		return nil
	}
	for _, one := range reports[0] {
		k := slices.IndexFunc(reports[1], func(r *judge.Report) bool { return r.Submission == one.Submission })
		if k < 0 {
			d.Only = append(d.Only, one.Submission)
			continue
		}
		other := reports[1][k]
		p := pair{Name: one.Submission, Words: [2]string{wordOf(one), wordOf(other)}, Ratio: ratioOf(one, other)}
		p.Classes = p.Words
		p.Differ = p.Words[0] != p.Words[1]
		for i, r := range []*judge.Report{one, other} {
			if slow := r.Slowest(); slow != nil {
				p.Times[i] = terminal.Duration(slow.Outcome.CPU)
				p.Classes[i] = html.VerdictClass(p.Words[i], slow.Outcome.CPU, limit)
			}
		}
		d.add(p)
	}
	for _, other := range reports[1] {
		if !slices.ContainsFunc(reports[0], func(r *judge.Report) bool { return r.Submission == other.Submission }) {
			d.Only = append(d.Only, other.Submission)
		}
	}
	return nil
}

func (d *comparison) add(p pair) {
	d.Matched++
	if p.Differ {
		d.Changed++
	}
	d.Pairs = append(d.Pairs, p)
}

// ofCases compares two programs case by case.
func (d *comparison) ofCases(a, b *judge.Report, limit time.Duration) {
	d.Overall = ratioOf(a, b)
	for i := range a.Runs {
		x := &a.Runs[i]
		k := slices.IndexFunc(b.Runs, func(r judge.Run) bool { return r.Case == x.Case })
		if k < 0 {
			continue
		}
		y := &b.Runs[k]
		p := pair{Name: x.Case, Words: [2]string{cmp.Or(string(x.Verdict), "JE"), cmp.Or(string(y.Verdict), "JE")}}
		for i, r := range []*judge.Run{x, y} {
			p.Classes[i] = html.VerdictClass(p.Words[i], r.Outcome.CPU, limit)
			p.Times[i] = terminal.Duration(r.Outcome.CPU)
		}
		p.Differ = p.Words[0] != p.Words[1]
		if x.Outcome.CPU >= leastTime && y.Outcome.CPU >= leastTime {
			p.Ratio = &ratio{Text: terminal.Factor(y.Outcome.CPU.Seconds() / x.Outcome.CPU.Seconds())}
		}
		d.add(p)
	}
}

// wordOf is the verdict of a report as it is shown.
func wordOf(r *judge.Report) string {
	if r.JudgeError() != nil {
		return "JE"
	}
	return cmp.Or(string(r.Verdict), "none")
}

// ratioOf returns the median ratio of the cases that both programs solve, with its
// interval: each case counts as a pair. It is nil if they have no such case.
func ratioOf(a, b *judge.Report) *ratio {
	var x, y []float64
	short := 0
	for i := range a.Runs {
		k := slices.IndexFunc(b.Runs, func(r judge.Run) bool { return r.Case == a.Runs[i].Case })
		if k < 0 || a.Runs[i].Verdict != problem.Accepted || b.Runs[k].Verdict != problem.Accepted {
			continue
		}
		was, now := a.Runs[i].Outcome.CPU, b.Runs[k].Outcome.CPU
		if was < leastTime || now < leastTime {
			short++
			continue
		}
		x, y = append(x, was.Seconds()), append(y, now.Seconds())
	}
	if len(x) == 0 {
		return nil
	}
	r := stat.Paired([][]float64{y}, [][]float64{x}, 0.95)
	out := &ratio{Cases: len(x), Word: string(r.Claim), Mark: map[stat.Claim]string{stat.Faster: "good",
		stat.Slower: "bad"}[r.Claim]}
	if math.IsNaN(r.Ratio) {
		return nil
	}
	out.Text = terminal.Factor(r.Ratio)
	if out.Bounded = r.Bounded(); out.Bounded {
		out.Text += " (" + terminal.Factor(r.Lo) + " to " + terminal.Factor(r.Hi) + ")"
	} else {
		out.Note = "too few cases for an interval"
	}
	if short > 0 {
		out.Note = strings.TrimPrefix(out.Note+"; "+terminal.Count(short, "case")+" below "+terminal.Duration(leastTime)+
			" left out", "; ")
	}
	return out
}
