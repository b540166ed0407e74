package judge

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/result"
)

// These tests compare the grading of legacy packages with that of problemtools,
// on packages made from a seed. problemtools aggregates groups with its own code
// and its default grader. As in judge/check, each difference between problemtools
// and the specification is a quirk of a reference implementation, and the
// reference with its quirks must always agree with problemtools. BAPCtools
// computes no scores, and neither of the two reads the groups of 2025-09.

// A gradingQuirk is one way in which problemtools differs from the specification.
type gradingQuirk struct {
	name, cite string // cite names the section of the legacy specification, and both rules
	// The smallest known example: groups and runs as in legacyPackage.
	groups, runs, theirs, ours string
}

var gradingQuirks = []gradingQuirk{
	{"order", "Test Data Groups: cases and groups are used in the order of their base names; problemtools has 1-a.ans before 1.ans",
		"secret: 1 1-a", "RTE WA", "WA", "RTE"},
	{"ignore_sample with break", "Default Grader Specification: the sample is ignored and secret is used; problemtools ends at the sample",
		"data flags=ignore_sample; sample: 1; secret: 1", "WA AC", "WA 0", "AC 1"},
	{"ignore_sample inherited", "Test Data Groups: the flags are inherited; Default Grader Specification: ignore_sample must only be used on the root level, where the first of two results is the sample. problemtools applies it to every group",
		"data flags=ignore_sample; secret: 1 2", "AC AC", "AC 1", "AC 2"},
}

// A refGrading implements the specification of groups and of the default grader a
// second time, from the files of a package, and with some quirks.
type refGrading struct {
	files fstest.MapFS
	runs  map[string]foreignRun
	has   map[string]bool
	found map[string]foreignRun
}

// A foreignRun is the verdict and score of a case or group. A nil score of a case
// means the group's score for the verdict.
type foreignRun struct {
	Verdict string
	Score   *float64
}

func (r foreignRun) MarshalJSON() ([]byte, error) { return json.Marshal([]any{r.Verdict, r.Score}) }

func (r *foreignRun) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&r.Verdict, &r.Score})
}

func (r foreignRun) String() string {
	if r.Score == nil {
		return r.Verdict
	}
	return r.Verdict + " " + strconv.FormatFloat(math.Round(*r.Score*1e6)/1e6, 'g', -1, 64)
}

// group grades the folder of that name below data/.
func (r refGrading) group(name string, inherited map[string]string) (foreignRun, bool) {
	config := maps.Clone(inherited)
	prefix := strings.TrimSuffix("data/"+name, "/") + "/"
	if f := r.files[prefix+"testdata.yaml"]; f != nil {
		for line := range strings.Lines(string(f.Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			config[key] = value
		}
	}
	type entry struct {
		key, name string
		group     bool
	}
	entries := map[string]entry{}
	for file := range r.files {
		rest, ok := strings.CutPrefix(file, prefix)
		if !ok {
			continue
		}
		if dir, _, ok := strings.Cut(rest, "/"); ok {
			entries[dir+"/"] = entry{dir, strings.TrimPrefix(name+"/"+dir, "/"), true}
		} else if base, ok := strings.CutSuffix(rest, ".ans"); ok {
			e := entry{base, strings.TrimPrefix(name+"/"+base, "/"), false}
			if r.has["order"] {
				e.key = rest
			}
			entries[rest] = e
		}
	}
	sorted := slices.SortedFunc(maps.Values(entries), func(a, b entry) int { return strings.Compare(a.key, b.key) })
	flags := strings.Fields(config["grader_flags"])
	ignore := slices.Contains(flags, "ignore_sample")
	var verdicts []string
	var scores []float64
	for _, e := range sorted {
		var one foreignRun
		ignored := name == "" && ignore && e.name == "sample"
		if e.group {
			var ok bool
			if one, ok = r.group(e.name, config); !ok {
				continue
			}
		} else if one = r.runs[e.name]; one.Score == nil {
			key := "reject_score"
			if one.Verdict == "AC" {
				key = "accept_score"
			}
			score, _ := strconv.ParseFloat(config[key], 64)
			one.Score = &score
		}
		if ignored && !r.has["ignore_sample with break"] {
			continue
		}
		verdicts, scores = append(verdicts, one.Verdict), append(scores, *one.Score)
		if one.Verdict != "AC" && config["on_reject"] == "break" {
			break
		}
	}
	if len(verdicts) == 0 {
		return foreignRun{}, false
	}
	if i := slices.Index(verdicts, "JE"); i >= 0 {
		r.found[name] = foreignRun{"JE", &scores[i]}
		return r.found[name], true
	}
	if ignore && name == "" && len(verdicts) == 2 || ignore && r.has["ignore_sample inherited"] {
		if len(verdicts) > 2 {
			zero := 0.0
			r.found[name] = foreignRun{"JE", &zero}
			return r.found[name], true
		}
		verdicts, scores = verdicts[len(verdicts)-1:], scores[len(scores)-1:]
	}
	verdict, score := refDefaultGrader(flags, verdicts, scores)
	r.found[name] = foreignRun{verdict, &score}
	return r.found[name], true
}

func refDefaultGrader(flags, verdicts []string, scores []float64) (verdict string, score float64) {
	mode, sums, anyAccepted := "worst_error", "sum", false
	for _, flag := range flags {
		switch flag {
		case "worst_error", "no_errors":
			mode = "worst_error"
		case "first_error", "always_accept":
			mode = flag
		case "sum", "avg", "min", "max":
			sums = flag
		case "accept_if_any_accepted":
			anyAccepted = true
		}
	}
	verdict = "AC"
	for _, worst := range []string{"RTE", "MLE", "TLE", "OLE", "WA"} {
		if verdict == "AC" && slices.Contains(verdicts, worst) {
			verdict = worst
		}
	}
	if i := slices.IndexFunc(verdicts, func(v string) bool { return v != "AC" }); i >= 0 && mode == "first_error" {
		verdict = verdicts[i]
	}
	if mode == "always_accept" || anyAccepted && slices.Contains(verdicts, "AC") {
		verdict = "AC"
	}
	switch sums {
	case "min":
		return verdict, slices.Min(scores)
	case "max":
		return verdict, slices.Max(scores)
	}
	for _, s := range scores {
		score += s
	}
	if sums == "avg" {
		score /= float64(len(scores))
	}
	return verdict, score
}

func referenceGrading(files fstest.MapFS, runs map[string]foreignRun, quirks ...string) map[string]foreignRun {
	r := refGrading{files, runs, map[string]bool{}, map[string]foreignRun{}}
	for _, q := range quirks {
		r.has[q] = true
	}
	r.group("", map[string]string{"on_reject": "break", "accept_score": "1", "reject_score": "0"})
	return r.found
}

// ourGrading returns the results of this judge.
func ourGrading(t *testing.T, p *problem.Problem, runs map[string]foreignRun) map[string]foreignRun {
	t.Helper()
	var all []result.Run
	for _, c := range p.Cases {
		all = append(all, result.Run{Case: c.Name, Verdict: problem.Verdict(runs[c.Name].Verdict), Score: runs[c.Name].Score})
	}
	end := result.New(p, nil, false).End(all, false, nil)
	if err := result.FirstError(end.Groups); err != nil {
		t.Fatal(err)
	}
	found := map[string]foreignRun{}
	for _, g := range end.Groups {
		// A group without cases has no verdict and was not graded.
		if g.NotRun == "" && g.Verdict != problem.Undecided {
			found[g.Name] = foreignRun{string(g.Verdict), g.Score}
		}
	}
	return found
}

// sameGradings reports whether the groups have the same verdicts and scores. The
// default grader of problemtools writes scores with six digits after the point.
func sameGradings(a, b map[string]foreignRun) bool {
	return maps.EqualFunc(a, b, func(x, y foreignRun) bool {
		if x.Verdict != y.Verdict || x.Score == nil || y.Score == nil {
			return x.Verdict == y.Verdict && (x.Score == nil) == (y.Score == nil)
		}
		return math.Abs(*x.Score-*y.Score) < 1e-4
	})
}

// legacyPackage makes a package of groups such as
//
//	secret/1 continue flags=min,first_error scores=40,0: a b
//
// and runs for its cases in the written order, such as "AC WA=2.5".
func legacyPackage(t *testing.T, groups, runs string) (fstest.MapFS, map[string]foreignRun) {
	t.Helper()
	files := fstest.MapFS{
		"problem.yaml":         {Data: []byte("name: Graded\ntype: scoring\n")},
		"submissions/other/.x": {},
	}
	results := map[string]foreignRun{}
	words := strings.Fields(runs)
	for line := range strings.SplitSeq(groups, ";") {
		head, cases, _ := strings.Cut(line, ":")
		settings := strings.Fields(head)
		dir := "data/" + settings[0] + "/"
		if settings[0] == "data" {
			dir = "data/"
		}
		yaml := ""
		for _, word := range settings[1:] {
			switch key, value, _ := strings.Cut(word, "="); key {
			case "flags":
				yaml += "grader_flags: " + strings.ReplaceAll(value, ",", " ") + "\n"
			case "scores":
				accept, reject, _ := strings.Cut(value, ",")
				yaml += "accept_score: " + accept + "\nreject_score: " + reject + "\n"
			default:
				yaml += "on_reject: " + key + "\n"
			}
		}
		if yaml != "" {
			files[dir+"testdata.yaml"] = &fstest.MapFile{Data: []byte(yaml)}
		}
		for name := range strings.FieldsSeq(cases) {
			files[dir+name+".in"] = &fstest.MapFile{}
			files[dir+name+".ans"] = &fstest.MapFile{}
			verdict, score, ok := strings.Cut(words[0], "=")
			words = words[1:]
			one := foreignRun{Verdict: verdict}
			if ok {
				v, err := strconv.ParseFloat(score, 64)
				if err != nil {
					t.Fatal(err)
				}
				one.Score = &v
			}
			results[strings.TrimPrefix(dir+name, "data/")] = one
		}
	}
	return files, results
}

// randomGroups returns groups for legacyPackage, and the number of their cases.
func randomGroups(r *rand.Rand) (groups string, cases int) {
	var parts []string
	names := []string{"1", "2", "10", "1-a", "1_b", "1.b", "a", "B", "b", "1a", "01", "a-1", "a.b", "z"}
	add := func(name string, n int) {
		head := name
		if r.IntN(3) == 0 {
			head += pickOne(r, " break", " continue", " continue")
		}
		if r.IntN(3) > 0 {
			var flags []string
			for range r.IntN(4) {
				flags = append(flags, pickOne(r, "worst_error", "first_error", "always_accept", "sum", "avg", "min", "max", "accept_if_any_accepted", "no_errors", "unknown"))
			}
			if name == "data" && r.IntN(2) == 0 || r.IntN(40) == 0 {
				flags = append(flags, "ignore_sample")
			}
			if len(flags) > 0 {
				head += " flags=" + strings.Join(flags, ",")
			}
		}
		if r.IntN(3) == 0 {
			head += fmt.Sprintf(" scores=%s,%s", pickOne(r, "1", "10", "2.5", "0", "33.3", "-1"), pickOne(r, "0", "0", "1", "-2", "0.25"))
		}
		parts = append(parts, head+":")
		for _, i := range r.Perm(len(names))[:n] {
			parts[len(parts)-1] += " " + names[i]
			cases++
		}
	}
	add("data", 0)
	if r.IntN(3) > 0 {
		add("sample", 1+r.IntN(2))
	}
	var below func(name string, depth int)
	below = func(name string, depth int) {
		if depth == 2 || r.IntN(3) == 0 {
			add(name, 1+r.IntN(4))
			return
		}
		// A case and a group with one name are an error.
		add(name, 0)
		order := r.Perm(len(names))
		loose := r.IntN(2) * r.IntN(3)
		for _, i := range order[:loose] {
			parts[len(parts)-1] += " " + names[i]
			cases++
		}
		for _, i := range order[loose : loose+1+r.IntN(3)] {
			below(name+"/"+names[i], depth+1)
		}
	}
	below("secret", 0)
	return strings.Join(parts, "; "), cases
}

func pickOne(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// A foreignJudge is a process of a program of testdata/foreign. It answers one
// package at a time.
type foreignJudge struct {
	t    *testing.T
	dir  string
	ask  *json.Encoder
	tell *json.Decoder
}

func newForeignJudge(t *testing.T, env, program string) *foreignJudge {
	checkout := os.Getenv(env)
	if checkout == "" {
		t.Skipf("%s is not set: want a checkout, and a python3 that has its dependencies", env)
	}
	testkit.Needs(t, "python3")
	cmd := exec.Command("python3", "-B", filepath.Join("testdata", "foreign", program), checkout)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", cmd, err)
		}
	})
	return &foreignJudge{t, t.TempDir(), json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

func (f *foreignJudge) grade(files fstest.MapFS, runs ...map[string]foreignRun) []map[string]foreignRun {
	f.t.Helper()
	dir, err := os.MkdirTemp(f.dir, "")
	if err != nil {
		f.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, files); err != nil {
		f.t.Fatal(err)
	}
	if err := f.ask.Encode(map[string]any{"dir": dir, "runs": runs}); err != nil {
		f.t.Fatal(err)
	}
	var answers []map[string]foreignRun
	if err := f.tell.Decode(&answers); err != nil {
		f.t.Fatal(err)
	}
	return answers
}

func TestForeignGraders(t *testing.T) {
	problemtools := newForeignJudge(t, "CRUCIBLE_PROBLEMTOOLS", "graders.py")
	var all []string
	for _, q := range gradingQuirks {
		all = append(all, q.name)
		t.Run(q.name, func(t *testing.T) {
			files, runs := legacyPackage(t, q.groups, q.runs)
			p, err := problem.Open(files)
			if err != nil {
				t.Fatal(err)
			}
			if got := problemtools.grade(files, runs)[0][""].String(); !strings.HasPrefix(got, q.theirs) {
				t.Errorf("%s with %s: problemtools says %s, want %s", q.groups, q.runs, got, q.theirs)
			}
			if got := ourGrading(t, p, runs)[""].String(); !strings.HasPrefix(got, q.ours) {
				t.Errorf("%s with %s: ours says %s, want %s: %s", q.groups, q.runs, got, q.ours, q.cite)
			}
		})
	}

	const seed, times = 13, 4
	n := 2000
	if testing.Short() {
		n = 100
	}
	because := map[string]int{}
	graded, disagreed, wrong := 0, 0, 0
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		groups, cases := randomGroups(r)
		var texts []string
		var runs []map[string]foreignRun
		var files fstest.MapFS
		for range times {
			var words []string
			mostly := r.IntN(3)
			for range cases {
				word := pickOne(r, "AC", "AC", "WA", "TLE", "RTE", "MLE", "OLE")
				if r.IntN(3) < mostly {
					word = "AC"
				}
				if r.IntN(4) == 0 {
					word += "=" + pickOne(r, "0", "1", "2.5", "100", "0.125", "-3", "1e6")
				}
				words = append(words, word)
			}
			texts = append(texts, strings.Join(words, " "))
			var one map[string]foreignRun
			files, one = legacyPackage(t, groups, texts[len(texts)-1])
			runs = append(runs, one)
		}
		p, err := problem.Open(files)
		if err != nil {
			t.Fatalf("package %d of seed %d: %s: %v", i, seed, groups, err)
		}
		for k, theirs := range problemtools.grade(files, runs...) {
			graded += len(theirs)
			ours := ourGrading(t, p, runs[k])
			said := func(who string, got, want map[string]foreignRun) {
				wrong++
				t.Errorf("package %d of seed %d: %s\nwith %s\n%s %v\n want %v\nproblemtools %v\n ours %v", i, seed, groups, texts[k], who, got, want, theirs, ours)
			}
			if want := referenceGrading(files, runs[k]); !sameGradings(ours, want) {
				said("ours", ours, want)
			}
			if want := referenceGrading(files, runs[k], all...); !sameGradings(theirs, want) {
				said("problemtools, with all its quirks", theirs, want)
			}
			if sameGradings(ours, theirs) {
				continue
			}
			disagreed++
			alone := false
			for _, q := range gradingQuirks {
				if sameGradings(referenceGrading(files, runs[k], q.name), theirs) {
					because[q.name]++
					alone = true
				}
			}
			if !alone {
				because["several together"]++
			}
		}
		if wrong >= 10 {
			t.FailNow()
		}
	}
	t.Logf("%d packages, %d gradings of %d groups: problemtools differs on %d, of which %d unexplained: %v", n, n*times, graded, disagreed, wrong, because)
	for _, q := range gradingQuirks {
		if because[q.name] == 0 && !testing.Short() {
			t.Errorf("no package shows %s", q.name)
		}
	}
}

// TestForeignVerdicts compares the verdicts of submissions and folders with those
// of BAPCtools: the first verdict in case order that is not AC. They differ in
// one point. 2025-09 says, in "Test data", that cases and groups are used in the
// order of their names, which are paths below data/: 1-a/x before 1/x. BAPCtools
// uses folder 1 first, although a folder in a group is not a group.
func TestForeignVerdicts(t *testing.T) {
	bapctools := newForeignJudge(t, "CRUCIBLE_BAPCTOOLS", "verdicts.py")
	const seed, times = 14, 8
	n := 4000
	if testing.Short() {
		n = 100
	}
	folders, differ, wrong := 0, 0, 0
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		groups, cases := randomGroups(r)
		var files fstest.MapFS
		var runs []map[string]foreignRun
		for range times {
			var words []string
			for range cases {
				words = append(words, pickOne(r, "AC", "AC", "AC", "WA", "TLE", "RTE"))
			}
			var one map[string]foreignRun
			files, one = legacyPackage(t, groups, strings.Join(words, " "))
			runs = append(runs, one)
		}
		maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return strings.HasSuffix(name, "/testdata.yaml") })
		files["problem.yaml"] = &fstest.MapFile{Data: []byte("problem_format_version: 2025-09\nname: Verdicts\nuuid: 00000000-0000-4000-8000-000000000000\n")}
		p, err := problem.Open(files)
		if err != nil {
			t.Fatalf("package %d of seed %d: %s: %v", i, seed, groups, err)
		}
		for k, theirs := range bapctools.grade(nil, runs...) {
			folders += len(theirs)
			for folder, want := range theirs {
				var names []string
				for _, c := range p.Cases {
					if folder == "" || strings.HasPrefix(c.Name, folder+"/") {
						names = append(names, c.Name)
					}
				}
				first := func() string {
					for _, name := range names {
						if v := runs[k][name].Verdict; v != "AC" {
							return v
						}
					}
					return "AC"
				}
				ours := first()
				slices.SortFunc(names, func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) })
				if got := first(); got != want.Verdict {
					wrong++
					t.Errorf("package %d of seed %d: %s: %q with %v: folder by folder the first is %s, BAPCtools says %s", i, seed, groups, folder, runs[k], got, want)
				}
				if ours != want.Verdict {
					differ++
				}
			}
		}
		if wrong >= 10 {
			t.FailNow()
		}
	}
	t.Logf("%d packages, %d verdicts of submissions and folders: BAPCtools differs on %d, of which %d unexplained", n, folders, differ, wrong)
	if differ == 0 && !testing.Short() {
		t.Error("no package shows the order of folders")
	}
}
