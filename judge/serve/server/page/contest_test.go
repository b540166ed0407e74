package page_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/browser"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/serve/api"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/queue"
)

// people are the contestants of a contest; one of them has a long name.
var people = []string{"Ada Lovelace", "Grace Hopper", "Bartholomew Featherstonehaugh-Cholmondeley", "Nguyễn Thị Minh Khai", "ann",
	"Jürgen Größler", "Mary Somerville", "team-42-of-the-university-of-somewhere", "王小云", "Edsger Dijkstra"}

// tasks are the problems of the contest: their names and how many cases each has.
var tasks = []struct {
	id, name, kind string
	cases          int
}{
	{"subsequences", "Longest Increasing Subsequences of Permutations That Nobody Has Seen Before", "pass-fail", 24},
	{"harvest", "Harvest", "scoring", 9},
	{"islands", "Islands and Bridges", "pass-fail", 120},
}

// contestCases are the names of the cases of a task.
func contestCases(id string, n int) (all []string) {
	for i := range n {
		switch {
		case i == 0:
			all = append(all, "sample/1")
		case id == "harvest":
			all = append(all, fmt.Sprintf("secret/group-%d/%02d-field-of-many-plants", (i+3)/4, i))
		default:
			all = append(all, fmt.Sprintf("secret/%03d-random-permutation-with-many-inversions", i))
		}
	}
	return all
}

// contestPackages writes the packages of the tasks, and one that cannot be opened.
func contestPackages(t testing.TB, root string) {
	for i, task := range tasks {
		at := func(name string) string { return filepath.Join(root, task.id, filepath.FromSlash(name)) }
		write(t, at("problem.yaml"), fmt.Sprintf("problem_format_version: 2025-09\nname: %s\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791c%d\ntype: %s\nlimits: {time_limit: 2, memory: 256}\n", task.name, i, task.kind))
		write(t, at("statement/problem.en.md"), "A *permutation* of length $n$ is given. How long is its longest increasing subsequence? The sum $\\sum_{i=1}^{n} a_i \\cdot \\left(b_i + c_i\\right) \\cdot \\prod_{j=1}^{m} \\left(d_j - e_j\\right) = f(n, m)$ does not matter.\n\n# Input\n\nThe first line has $n$ ($1 \\le n \\le 200\\,000$). The second line has the permutation.\n\n| name | meaning | range |\n|---|---|---|\n| $n$ | the length of the permutation that is given in the second line | $1 \\le n \\le 200\\,000$ |\n\n# Output\n\nPrint the length.\n")
		for _, name := range contestCases(task.id, task.cases) {
			write(t, at("data/"+name+".in"), "8\n3 1 4 8 5 9 2 6 "+strings.Repeat("53 ", 40)+"\n")
			write(t, at("data/"+name+".ans"), "4\n")
		}
		for _, name := range []string{"accepted/patience_sorting_with_binary_search.cpp", "accepted/tree.py", "wrong_answer/greedy_that_takes_the_first_larger_element.cpp", "time_limit_exceeded/quadratic.py"} {
			write(t, at("submissions/"+name), "#include <iostream> // "+strings.Repeat("a long line ", 20)+"\nint main() { std::cout << 4; }\n")
		}
		write(t, at("input_validators/check_that_it_is_a_permutation/validate.py"), "import sys\nsys.exit(42)\n")
	}
	write(t, filepath.Join(root, "harvest/data/secret/group-1/test_group.yaml"), "max_score: 40\n")
	write(t, filepath.Join(root, "harvest/data/secret/group-2/test_group.yaml"), "max_score: 60\nrequire_pass: [sample, secret/group-1]\n")
	write(t, filepath.Join(root, "subsequences/generators/generators.yaml"), "solution: /submissions/accepted/tree.py\ndata:\n  secret:\n    data:\n      001-random-permutation-with-many-inversions: random.py --length 200000 --inversions many --seed 17\n")
	write(t, filepath.Join(root, "broken/problem.yaml"), "problem_format_version: 2025-09\nname: Broken\nlimits: {time_limit: twelve}\n")
}

// contestID returns an id of 26 letters and digits.
func contestID(n int) string {
	return strings.NewReplacer("0", "A", "1", "B", "8", "C", "9", "D").Replace(fmt.Sprintf("%026d", n))
}

// A crowd is the server of a contest: ten people have sent 200 programs, some are under way,
// and three machines work on them.
type crowd struct {
	*server.Server
	machines []api.Worker
	live     map[string]*api.Judgement
	runs     map[string][][]byte // of those that are live
}

func (c *crowd) ListWorkers(*server.Token) []api.Worker { return c.machines }

func (c *crowd) Live() (all []api.Judgement) {
	for _, id := range slices.Sorted(maps.Keys(c.live)) {
		all = append(all, *c.live[id])
	}
	return all
}

func (c *crowd) Look(v api.View, id string, after int) (*api.Judgement, [][]byte, <-chan struct{}, error) {
	if g := c.live[id]; g != nil {
		return g, c.runs[id][min(after, len(c.runs[id])):], make(chan struct{}), nil
	}
	return c.Server.Look(v, id, after)
}

// judgedProgram returns the judgement of a program that fails on a case, or is accepted, and
// the lines of its runs.
func judgedProgram(t testing.TB, n, task int, name, language string, verdict problem.Verdict, own bool, at time.Time) (*api.Judgement, [][]byte) {
	cases := contestCases(tasks[task].id, tasks[task].cases)
	r := &judge.Report{Problem: tasks[task].id, Submission: name, Language: language, Verdict: verdict, AsExpected: new(own || verdict == problem.Accepted),
		Expected: []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted}}}}
	if !*r.AsExpected {
		r.Broken = "judging a file permits AC, " + cases[n%len(cases)] + " is " + string(verdict)
	}
	if verdict == problem.CompileError {
		r.Compile.Message = name + ": In function 'int main()':\n" + name + ":12:17: error: 'priority_queue' was not declared in this scope; did you mean 'std::priority_queue'?\n   12 |   priority_queue<pair<long long, vector<int>>, vector<pair<long long, vector<int>>>, greater<>> waiting;\n      |   ^~~~~~~~~~~~~~"
		cases = nil
	}
	var lines [][]byte
	for i, c := range cases {
		run := judge.Run{Case: c, Verdict: problem.Accepted, Worker: "rack-7", Outcome: sandbox.Outcome{CPU: time.Duration(3+(n*31+i*17)%1200) * time.Millisecond, Wall: time.Second, Memory: 4 << 20, Output: 2}}
		if verdict != problem.Accepted && i == n%len(cases) {
			run.Verdict, run.Why = verdict, map[problem.Verdict]string{problem.WrongAnswer: `line 1, column 1: got "3", expected "4"`, problem.TimeLimit: "2.1 s of CPU, the limit is 2 s", problem.RuntimeError: "exit status 1: IndexError: list index out of range"}[verdict]
		}
		one := record.OfRun(&run)
		data, err := record.Append(nil, &one, false)
		if err != nil {
			t.Fatal(err)
		}
		lines, r.Runs = append(lines, data), append(r.Runs, run)
		if run.Verdict != problem.Accepted && !own {
			break
		}
	}
	p := record.Problem{ID: tasks[task].id, Path: tasks[task].id, Reports: []*judge.Report{r}, Cases: contestCases(tasks[task].id, tasks[task].cases)}
	p.Limits.Time = 2 * time.Second
	data, err := record.Append(nil, &p, false)
	if err != nil {
		t.Fatal(err)
	}
	return &api.Judgement{ID: contestID(n), State: api.Ended, Problem: tasks[task].id, Language: language, Created: at, Ended: new(at.Add(4200 * time.Millisecond)),
		Verdict: string(verdict), Record: bytes.TrimSpace(data), By: people[n%len(people)]}, lines
}

// newContest starts the server of a contest and returns it with the addresses of a run of one
// program, one of all programs of the first task, one of the third, one under way, and two
// calls of the history.
func newContest(t *testing.T) (w *web, at map[string]string) {
	t.Helper()
	root, dir := t.TempDir(), t.TempDir()
	contestPackages(t, root)
	w = newWebOf(t, root, dir, nil)
	now := time.Now().UTC()
	c := &crowd{Server: w.s, live: map[string]*api.Judgement{}, runs: map[string][][]byte{}}
	w.site.Judge, w.site.History = c, t.TempDir()
	n := 0
	keep := func(g *api.Judgement, lines [][]byte) string {
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		e := queue.Entry{Kind: "ended", Data: bytes.Join(append(lines, data), []byte("\n"))}
		if _, err := w.s.State.Write(t.Context(), g.ID, e); err != nil {
			t.Fatal(err)
		}
		return g.ID
	}
	store := func(task int, by string, begun time.Time, rows ...map[string]any) string {
		n++
		id := begun.Format("20060102-150405-") + contestID(n)[18:]
		data, err := json.Marshal(map[string]any{"id": id, "problem": tasks[task].id, "by": by, "created_at": begun, "cases": contestCases(tasks[task].id, tasks[task].cases), "limit_ns": 2 * time.Second, "rows": rows})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "pages/runs", id+".json"), string(data))
		return "/runs/" + id
	}
	names := []string{"main.cpp", "lis.py", "a_solution_with_a_name_that_is_much_longer_than_others_have.cpp", "Main.java", "try7.go"}
	verdicts := []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit, problem.CompileError, problem.Accepted, problem.RuntimeError, problem.WrongAnswer}
	row := func(task int, name string, verdict problem.Verdict, own bool, begun time.Time) map[string]any {
		n++
		language := map[string]string{".cpp": "cpp", ".py": "python3", ".java": "java", ".go": "go"}[filepath.Ext(name)]
		one := map[string]any{"name": name, "language": language, "judgement": keep(judgedProgram(t, n, task, name, language, verdict, own, begun))}
		if own {
			one["submission"] = name
		} else {
			one["sources"] = map[string]string{name: "// " + hostile + "\n" + strings.Repeat("for (int i = 0; i < n; i++) { total += values[i] * weights[i] - penalties[i]; } // a long line\n", 30)}
		}
		return one
	}
	at = map[string]string{}
	own := []string{"accepted/patience_sorting_with_binary_search.cpp", "accepted/tree.py", "wrong_answer/greedy_that_takes_the_first_larger_element.cpp", "time_limit_exceeded/quadratic.py"}
	ownVerdicts := []problem.Verdict{problem.Accepted, problem.Accepted, problem.WrongAnswer, problem.TimeLimit}
	for i, what := range []string{"package", "scoring", "wide"} {
		var rows []map[string]any
		for k := range own {
			rows = append(rows, row(i, own[k], ownVerdicts[k], true, now.Add(-5*time.Hour)))
		}
		for k := range 36 * (i / 2) {
			rows = append(rows, row(i, fmt.Sprintf("%02d/%s", k, names[k%len(names)]), verdicts[k%len(verdicts)], false, now.Add(-5*time.Hour)))
		}
		at[what] = store(i, "ann", now.Add(-5*time.Hour), rows...)
	}
	for i := range 200 {
		begun := now.Add(-time.Duration(200-i) * 70 * time.Second)
		at["one"] = store(i%3, people[i%len(people)], begun, row(i%3, names[i%len(names)], verdicts[i%len(verdicts)], false, begun))
		if verdicts[i%len(verdicts)] == problem.WrongAnswer && i%3 == 0 {
			at["wrong"] = at["one"]
		}
		if verdicts[i%len(verdicts)] == problem.CompileError {
			at["rejected"] = at["one"]
		}
	}
	var rows []map[string]any
	for i := range 12 {
		n++
		g, lines := judgedProgram(t, n, i%2*2, names[i%len(names)], "cpp", problem.Accepted, false, now.Add(-time.Minute))
		g.State, g.Ended, g.Verdict, g.Record = api.Running, nil, "", nil
		if i > 5 {
			g.State, lines = api.Queued, nil
		}
		c.live[g.ID], c.runs[g.ID] = g, lines[:len(lines)/2]
		if g.Problem == tasks[0].id {
			rows = append(rows, map[string]any{"name": names[i%len(names)], "judgement": g.ID, "language": "cpp"})
		}
	}
	at["live"] = store(0, "ann", now.Add(-time.Minute), rows...)
	old := stored(t, w.site.History, "run", judgedAs(problem.Accepted, 20*time.Millisecond)...)
	later := stored(t, w.site.History, "run", judgedAs(problem.WrongAnswer, 30*time.Millisecond)...)
	at["call"], at["calls"] = "/history/"+later, "/history/compare?a="+old+"&b="+later
	for i, name := range []string{"rack-7", "a-machine-in-the-cellar-of-the-department-of-mathematics", "laptop"} {
		m := api.Worker{Registration: api.Registration{Name: name, Slots: 4, Level: "box", CPU: "AMD Ryzen Threadripper PRO 5995WX 64-Cores", Cores: 64, Kernel: "6.12.48+deb13-cloud-amd64", Languages: make([]string, 38)}, Alive: i < 2, Seen: new(now.Add(-time.Duration(i) * time.Hour)), Busy: 4 - i, Done: int64(12_345 / (i + 1)), Class: "AMD Ryzen Threadripper PRO 5995WX", Lost: int64(i)}
		if i == 1 {
			m.Out, m.Err = []api.Out{{Cause: api.Differs, Because: "3 of 120 work items differ from those of others", Since: now}}, "subsequences/secret/003: AC here, WA on rack-7"
		}
		c.machines = append(c.machines, m)
	}
	return w, at
}

// pagesOf returns an address for each route that shows a page.
func pagesOf(at map[string]string) map[string][]string {
	id := func(what string) string { return strings.TrimPrefix(at[what], "/runs/") }
	p, last := "/problems/subsequences", "secret/023-random-permutation-with-many-inversions"
	return map[string][]string{
		"/login": {"/login"}, "/problems": {"/problems"}, "/problems/{problem}": {p, "/problems/harvest", "/problems/broken", "/problems/none"},
		"/problems/{problem}/cases": {p + "/cases", "/problems/islands/cases"}, "/problems/{problem}/cases/{case...}": {p + "/cases/" + last},
		"/problems/{problem}/submissions":           {p + "/submissions"},
		"/problems/{problem}/submissions/{name...}": {p + "/submissions/wrong_answer/greedy_that_takes_the_first_larger_element.cpp"},
		"/problems/{problem}/validators":            {p + "/validators"}, "/problems/{problem}/history": {p + "/history"},
		"/problems/{problem}/submit": {p + "/submit?submission=accepted/tree.py"}, "/runs": {"/runs"},
		"/runs/{run}": {at["one"], at["wrong"], at["rejected"], at["package"], at["scoring"], at["wide"], at["live"]}, "/runs/{run}/report": {at["package"] + "/report"},
		"/runs/{run}/{row}": {at["wrong"] + "/0", at["rejected"] + "/0", at["package"] + "/2", at["wide"] + "/0"}, "/runs/{run}/{row}/{case}": {at["wrong"] + "/0/0", at["rejected"] + "/0/0", at["package"] + "/2/3"},
		"/compare":         {"/compare", "/compare?a=" + id("package") + "/0&b=" + id("package") + "/1", "/compare?a=" + id("package") + "&b=" + id("package")},
		"/history/compare": {at["calls"]}, "/history/{call}": {at["call"]}, "/workers": {"/workers"}, "/queue": {"/queue"}, "/": {"/none"},
	}
}

// noPages are the routes that redirect, or send files and events.
var noPages = []string{"/{$}", "/history", "/assets/{name}", "/runs/{run}/events", "/problems/{problem}/files/{file...}",
	"/problems/{problem}/pictures/{picture...}", "/runs/{run}/{row}/{case}/{picture}"}

// On no page and at no width is anything outside of the window: on a phone, a tablet and a desk,
// with long names, many cases and ten people's 200 programs. Where artifacts are kept, as in CI,
// there is a picture of each page on light and dark screens, and on paper.
func TestContestInABrowser(t *testing.T) {
	testkit.InMatrix(t)
	w, at := newContest(t)
	pages := pagesOf(at)
	text, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`"(?:GET )?(/[^"]*)"`).FindAllStringSubmatch(string(text), -1) {
		if route := found[1]; pages[route] == nil && !slices.Contains(noPages, route) && !strings.Contains(found[0], "POST") && strings.HasPrefix(found[0], `"GET`) {
			t.Errorf("route %s: expected an address of it in pagesOf", route)
		}
	}
	kept := flag.Lookup("test.artifacts")
	pictures := kept != nil && kept.Value.String() == "true"
	b := browser.Start(t)
	b.Look(1280, "light")
	b.Visit(w.URL + w.site.LoginPath())
	for _, route := range slices.Sorted(maps.Keys(pages)) {
		for k, path := range pages[route] {
			name := strings.Trim(regexp.MustCompile(`[^a-z]+`).ReplaceAllString(route, "-"), "-") + fmt.Sprintf("-%d", k)
			t.Run(name, func(t *testing.T) {
				b.As(t)
				b.Visit(w.URL + path)
				var status int
				b.Eval("performance.getEntriesByType('navigation')[0].responseStatus", &status)
				if missing := strings.HasSuffix(path, "/none") || path == "/problems/broken"; missing == (status == 200) || status == 500 {
					t.Errorf("%s: status %d", path, status)
				}
				for _, width := range []int64{360, 390, 768, 1280} {
					b.Look(width, "light")
					inside(t, b, fmt.Sprintf("%s at %d pixels", path, width))
					if !pictures || width == 390 {
						continue
					}
					b.Picture(fmt.Sprintf("%s-%d-light", name, width))
					b.Look(width, "dark")
					b.Picture(fmt.Sprintf("%s-%d-dark", name, width))
				}
				b.Media("print", 718)
				if !strings.HasSuffix(path, "/report") { // has wide tables of times, which the browser makes smaller
					inside(t, b, path+" on paper")
				}
				if pictures {
					b.Picture(name + "-print")
					b.Print(name)
				}
				b.Media("", 1280)
			})
		}
	}
}

// inside reports what is wider than the window, or outside of it and cannot be scrolled to.
func inside(t *testing.T, b *browser.Tab, name string) {
	t.Helper()
	var wide bool
	var who string
	b.Eval("document.documentElement.scrollWidth > innerWidth", &wide)
	if wide {
		b.Eval("[...document.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > innerWidth).map(e => e.outerHTML.slice(0, 60)).join(' | ')", &who)
		t.Log(who)
		t.Errorf("%s: the page is wider than the window", name)
	}
	var cut []string
	b.Eval(`[...document.querySelectorAll('main *, header *')].filter(e => {
		const box = e.getBoundingClientRect();
		if (!box.width || !box.height || box.right <= innerWidth + 1 && box.left >= -1 || e.matches('.hidden, .hidden *, .skip')) return false;
		for (let p = e.parentElement; p; p = p.parentElement) if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return false;
		return true;
	}).slice(0, 5).map(e => e.outerHTML.slice(0, 120))`, &cut)
	for _, one := range cut {
		t.Errorf("%s: outside of the window: %s", name, one)
	}
}
