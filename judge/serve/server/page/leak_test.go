package page_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
)

// rude is a problem whose output validator repeats the input wherever it can.
var rude = map[string]string{
	"problem.yaml":                "problem_format_version: 2025-09\nname: Rude\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791ce\nlimits: {time_limit: 1}\n",
	"statement/problem.en.md":     "Repeat the input.\n",
	"data/sample/1.in":            "1\n",
	"data/sample/1.ans":           "1\n",
	"data/secret/2.in":            "HUSH 2\n",
	"data/secret/2.ans":           "HUSH 2\n",
	"submissions/accepted/cat.sh": "cat # HUSH\n",
	"output_validator/v.sh": `cat "$1" >"${3}judgemessage.txt"; cat "$1" "$1" >&2; echo TEAMWORD >"${3}teammessage.txt"
read -r got; read -r want <"$2"; case "$got" in crash*) exit 3;; "$want") exit 42;; esac; exit 43
`,
}

// leaking are programs that print their input in each way, after they have solved the sample.
var leaking = map[string]string{
	"output":         "cat",
	"wrong output":   "read -r x; echo $x; [ $x = 1 ] || echo $x more",
	"standard error": "read -r x; echo $x >&2; [ $x = 1 ] && echo 1 || exit 1",
	"files":          "read -r x; for f in out ../out /tmp/out judgemessage.txt teammessage.txt image.svg; do echo $x >$f; done; [ $x = 1 ] && echo 1 || exit 3",
	"exit status":    "read -r x; [ $x = 1 ] && echo 1 || exit 72 # H",
	"much output":    "read -r x; [ \"$x\" = 1 ] && echo 1 || for i in {1..3000}; do echo $x; done",
	"time":           "read -r x; [ $x = 1 ] && echo 1 && exit; echo $x; while :; do :; done",
	"crash":          "read -r x; [ $x = 1 ] && echo 1 || echo crash $x",
	"sample":         "read -r x; echo $x $x",
	"no bash":        "read -r x; if then $x",
}

// exitStatus finds the exit status of a program of leaking.
var exitStatus = regexp.MustCompile(`exit status 72|"exit":72|exit status</dt><dd>`)

var link = regexp.MustCompile(`(?:href|src|data-events|hx-get)="([^"]+)"`)

// crawl asks for all addresses that pages of a visitor link, and calls each with the answers.
func (g *guarded) crawl(name string, from []string, each func(path string, status int, text string)) {
	g.t.Helper()
	asked := make(map[string]bool)
	for len(from) > 0 {
		path := from[0]
		if from = from[1:]; asked[path] || path == "" {
			continue
		}
		asked[path] = true
		status, text := g.ask(name, "GET", path, "")
		each(path, status, text)
		base, err := url.Parse(path)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			to, err := url.Parse(html.UnescapeString(found[1]))
			if err == nil && to.Host == "" && !strings.HasPrefix(to.Path, "/assets/") && to.Path != "/login" {
				from = append(from, base.ResolveReference(to).RequestURI())
			}
		}
	}
}

// A student's run counts a program that is not accepted.
func TestStudentsRun(t *testing.T) {
	g := newGuarded(t, map[string]map[string]string{})
	for _, name := range []string{"sam", "root"} {
		if _, text := g.ask(name, "GET", "/runs/{run}", ""); !strings.Contains(text, `<b data-count="ended">1</b>`) || !strings.Contains(text, `<b data-count="bad">1</b>`) {
			t.Errorf("%s: expected a program that is not accepted: %s", name, text)
		}
	}
}

// Programs that print their input in each way tell a student nothing about secret cases, and
// others nothing about the program: in no answer, page, event or download.
func TestNothingLeaks(t *testing.T) {
	g := newGuarded(t, map[string]map[string]string{"rude": rude})
	programs := maps.Clone(leaking)
	language := map[string]string{}
	if _, err := exec.LookPath("gcc"); err == nil {
		t.Run("compiler", func(t *testing.T) {
			testkit.NeedsBox(t) // below it, compilers see all files of the judge's user
			for i, file := range []string{"data/secret/2.in", "/dev/stdin", "../../../data/secret/2.in", filepath.Join(g.root, "rude/data/secret/2.in")} {
				name := fmt.Sprint("compiler ", i)
				programs[name], language[name] = fmt.Sprintf("#include %q\nint main() { }\n", file), "c"
			}
		})
	}
	addresses := []string{"/problems", "/runs", "/compare", "/queue", "/workers", "/history", "/metrics", "/v1/problems", "/v1/problems/rude", "/v1/workers", "/v1/server"}
	var lines strings.Builder
	for _, problem := range []string{"echo", "rude"} {
		for _, name := range slices.Sorted(maps.Keys(programs)) {
			code, file := "bash", "SAMS.sh"
			if language[name] != "" {
				code, file = language[name], "SAMS."+language[name]
			}
			r := map[string]any{"problem": problem, "language": code, "sources": map[string]string{file: programs[name]}}
			id := g.judged("sam", r)
			addresses = append(addresses, "/v1/judgements/"+id, "/v1/judgements/"+id+"/events")
			if name == "time" {
				continue // once is enough
			}
			g.submits("sam", url.Values{"problem": {problem}, "text": {programs[name]}, "name": {file}, "language": {code}, "all": {"1"}})
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, "%s\n", data)
		}
	}
	check := func(i int, path string, status int, text string) {
		t.Helper()
		if bad, _ := leaks(i, path, status, text); len(bad) > 0 || visitors[i].marks != "HUSH OTHS EVAS SAMS" && exitStatus.MatchString(text) && !strings.Contains(text, "exit 72 # H") {
			t.Errorf("%s: GET %s: status %d has %v: %s", visitors[i].name, path, status, bad, text)
		}
	}
	status, batch := g.ask("sam", "POST", "/v1/judgements:batch", lines.String())
	check(1, "", status, batch)
	// What the jury finds is the list of what to ask for.
	var all []string
	found := make(map[string]int)
	g.crawl("joe", addresses, func(path string, status int, text string) {
		all = append(all, path)
		for _, one := range []string{"HUSH", "TEAMWORD", "exit status 72"} {
			found[one] += strings.Count(text, one)
		}
	})
	if len(all) < 300 || found["HUSH"] < 100 || found["TEAMWORD"] < 10 || found["exit status 72"] < 3 {
		t.Fatalf("the jury finds %v at %d addresses: expected more", found, len(all))
	}
	seen := make(map[string]int)
	for i, v := range visitors {
		if strings.Contains(v.marks, "HUSH") {
			continue
		}
		g.crawl(v.name, slices.Clone(all), func(path string, status int, text string) {
			check(i, path, status, text)
			for _, one := range []string{"TEAMWORD", "syntax error", `"got":"`, "No such file"} {
				if v.name == "sam" {
					seen[one] += strings.Count(text, one)
				} else if strings.Contains(text, one) {
					t.Errorf("%s: GET %s has %q of a program of sam: %s", v.name, path, one, text)
				}
			}
		})
	}
	for _, one := range []string{"TEAMWORD", "syntax error", `"got":"`} {
		if seen[one] == 0 {
			t.Errorf("sam does not see %q: %v", one, seen)
		}
	}
}
