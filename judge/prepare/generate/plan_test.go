package generate

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"crucible/judge/terminal"
)

// The expected seeds are those of Python:
//
//	int(hashlib.sha512((salt + command).encode()).hexdigest(), 16) % 2**31
func TestSeed(t *testing.T) {
	for _, c := range []struct {
		salt, command string
		want          uint32
	}{
		{"", "", 2032654910},
		{"", "graph {seed}", 145309074},
		{"abcd", "graph {seed}", 611036640},
		{"abcd", "graph {seed:2}", 1928857153},
		{"", `tree "é" {seed}`, 2030154094},
		{"abc", "d x", 129189305},
		{"abcd", " x", 129189305}, // the seed depends on the joint text only
		{"123:1", "graph {seed:3} 2", 755704776},
	} {
		if got := seedOf(c.salt, c.command); got != c.want {
			t.Errorf("seedOf(%q, %q) = %d, want %d", c.salt, c.command, got, c.want)
		}
	}
}

// The expected words are those of shlex.split of Python.
func TestSplitCommand(t *testing.T) {
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"gen 1 2", []string{"gen", "1", "2"}},
		{"  gen\t-n\n3 ", []string{"gen", "-n", "3"}},
		{`tree "a b"`, []string{"tree", "a b"}},
		{`a 'b c'd`, []string{"a", "b cd"}},
		{`a ''`, []string{"a", ""}},
		{`a \"b`, []string{"a", `"b`}},
		{`a "x\"y\z\\"`, []string{"a", `x"y\z\`}},
		{`a 'x\y'`, []string{"a", `x\y`}},
		{`a\ b`, []string{"a b"}},
		{"a#b #c", []string{"a#b", "#c"}},
		{`"a"b"c"`, []string{"abc"}},
		{`é "ü ö"`, []string{"é", "ü ö"}},
		{"", nil},
	} {
		got, err := terminal.SplitWords(c.command, true)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("SplitWords(%q): %v (-want +got):\n%s", c.command, err, diff)
		}
	}
}

const example = `solution: /submissions/accepted/sol.py
random_salt: abcd
generators:
  tree: [tree.py, lib.py]
data:
  secret:
    include: [sample]
    data:
      "02": greedy.cpp 4
      "01": {in: "3"}
      07-string: |
        tree
        a
        b
      08-random: graph {seed}
      10-random: graph {seed:2}
      11-random: graph seed={seed:2} {name}
      12-counted:
        generate: graph {seed:3} {count}
        count: 2
      14_own:
        generate: big {seed}
        solution: /generators/gmp.cpp
        random_salt: "123"
        retries: 3
      hard:
        test_group.yaml: {max_score: 3}
        solution:
        data:
          - "": tree empty
          - a: tree a
          - g:
              data:
                - c: tree c
                - many: {generate: 'r {seed}', count: 7..=9}
          - b: tree b
          - g:
              data:
                e: tree e
  sample:
    data:
      "3": {copy: manual/3, ans: ""}
      "4":
        in: |
          1 0
        ans: "1"
        desc: Right identity
        in.statement: {link: in}
        match: ["1", "[0]"]
  invalid_input:
    data:
      - "": {in: "x\n\ny\n"}
`

func TestParse(t *testing.T) {
	plan, err := parse("generators.yaml", []byte(example), nil)
	if err != nil {
		t.Fatal(err)
	}
	const sol = "/submissions/accepted/sol.py"
	three := casePlan{copy: "manual/3", text: map[string]string{".ans": ""}, solution: sol}
	four := casePlan{
		text:  map[string]string{".in": "1 0\n", ".ans": "1\n", ".desc": "Right identity\n"},
		links: map[string]string{".in.statement": ".in"}, match: map[string][]string{".in": {"1", "[0]"}}, solution: sol,
	}
	named := func(c casePlan, name, of string) casePlan {
		c.name, c.includeOf = name, of
		return c
	}
	run := func(name, command, solution string, seed uint32, has bool, args ...string) casePlan {
		return casePlan{
			name: name, command: command, program: strings.Fields(command)[0], args: args,
			seed: seed, hasSeed: has, solution: solution, noSolution: solution == "",
		}
	}
	want := []casePlan{
		named(three, "sample/3", ""),
		named(four, "sample/4", ""),
		{name: "secret/01", text: map[string]string{".in": "3\n"}, solution: sol},
		run("secret/02", "greedy.cpp 4", sol, seedOf("abcd", "greedy.cpp 4"), false, "4"),
		run("secret/07-string", "tree\na\nb", sol, seedOf("abcd", "tree\na\nb"), false, "a", "b"),
		run("secret/08-random", "graph {seed}", sol, 611036640, true, "611036640"),
		run("secret/10-random", "graph {seed:2}", sol, 1928857153, true, "1928857153"),
		run("secret/11-random", "graph seed={seed:2} {name}", sol, seedOf("abcd", "graph seed={seed:2} {name}"), true,
			"seed="+itoa(seedOf("abcd", "graph seed={seed:2} {name}")), "testcase"),
		run("secret/12-counted-1", "graph {seed:3} 1", sol, 974991595, true, "974991595", "1"),
		run("secret/12-counted-2", "graph {seed:3} 2", sol, 1564012247, true, "1564012247", "2"),
		run("secret/14_own", "big {seed}", "/generators/gmp.cpp", 607560528, true, "607560528"),
		run("secret/hard/01", "tree empty", "", seedOf("abcd", "tree empty"), false, "empty"),
		run("secret/hard/02-a", "tree a", "", seedOf("abcd", "tree a"), false, "a"),
		run("secret/hard/1-g/03-c", "tree c", "", seedOf("abcd", "tree c"), false, "c"),
		run("secret/hard/1-g/04-many-7", "r {seed}", "", 1561987210, true, "1561987210"),
		run("secret/hard/1-g/05-many-8", "r {seed}", "", seedOf("abcd:7", "r {seed}"), true, itoa(seedOf("abcd:7", "r {seed}"))),
		run("secret/hard/1-g/06-many-9", "r {seed}", "", 60491806, true, "60491806"),
		run("secret/hard/07-b", "tree b", "", seedOf("abcd", "tree b"), false, "b"),
		run("secret/hard/2-g/e", "tree e", "", seedOf("abcd", "tree e"), false, "e"),
		named(three, "secret/3", "sample/3"),
		named(four, "secret/4", "sample/4"),
		{name: "invalid_input/08", text: map[string]string{".in": "x\n\ny\n"}, noSolution: true},
	}
	// Eight cases have numbers: all of them have one digit.
	for i := range want {
		want[i].retries = 1
		want[i].name = strings.NewReplacer("hard/0", "hard/", "1-g/0", "1-g/", "input/0", "input/").Replace(want[i].name)
		if want[i].name == "secret/14_own" {
			want[i].retries = 3
		}
	}
	if diff := cmp.Diff(want, plan.cases, cmp.AllowUnexported(casePlan{}), cmpopts.IgnoreFields(casePlan{}, "at"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	if plan.solution != sol {
		t.Errorf("Solution = %q, want %q", plan.solution, sol)
	}
	if diff := cmp.Diff(map[string][]string{"tree": {"tree.py", "lib.py"}}, plan.generators); diff != "" {
		t.Errorf("Generators (-want +got):\n%s", diff)
	}
	var groups []string
	for _, g := range plan.groups {
		groups = append(groups, g.name+":"+g.settingsFile)
		if g.settingsFile != "" && g.settings.Get("max_score").Text() != "3" {
			t.Errorf("%s of %s is not what was written", g.settingsFile, g.name)
		}
	}
	if diff := cmp.Diff([]string{"sample:", "secret:", "secret/hard:test_group.yaml", "secret/hard/1-g:", "secret/hard/2-g:", "invalid_input:"}, groups); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	if c := plan.cases[2]; c.at.Line() != 10 || c.at.Column() != 7 {
		t.Errorf("%s is at %d:%d, want 10:7", c.name, c.at.Line(), c.at.Column())
	}
	if len(plan.Warnings) > 0 {
		t.Errorf("warnings: %v", plan.Warnings)
	}
}

// TestUnsetKeys reads keys without a value: they are not set.
func TestUnsetKeys(t *testing.T) {
	const file = "generators:\ndata:\n  secret:\n    data:\n      a:\n        generate: gen.py\n"
	for _, key := range []string{"copy", "match", "count", "in", "ans", "out", "yaml", "desc", "hint", "interaction", "retries", "random_salt"} {
		plan, err := parse("generators.yaml", []byte(file+"        "+key+":\n"), nil)
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		if got := fmt.Sprint(plan.Warnings); len(plan.cases) != 1 || !strings.Contains(got, ": "+key+" has no value") {
			t.Errorf("%s: %d cases, warnings %s", key, len(plan.cases), got)
		}
	}
	for _, at := range []string{"include:", "retries:", "random_salt: ~", "generators: # none"} {
		key, _, _ := strings.Cut(at, ":")
		plan, err := parse("generators.yaml", []byte(at+"\ndata:\n  secret:\n    data:\n      a: {generate: gen.py}\n"), nil)
		if err != nil || !strings.Contains(fmt.Sprint(plan.Warnings), ": "+key+" has no value") {
			t.Errorf("%s: %v, %+v", at, err, plan)
		}
	}
	// Null has a meaning there, and an entry without anything is no case.
	plan, err := parse("generators.yaml", []byte("solution:\nvisualizer:\ndata:\n  secret:\n    data:\n      a: gen.py\n"), nil)
	if err != nil || plan.Warnings != nil {
		t.Errorf("solution and visualizer: %v, %v", plan, err)
	}
	for _, entry := range []string{"a:", "a: {generate: }", "a: {in: }"} {
		if _, err := parse("generators.yaml", []byte("data:\n  secret:\n    data:\n      "+entry+"\n"), nil); err == nil {
			t.Errorf("%s: expected an error", entry)
		}
	}
}

func TestNumbersAndCounts(t *testing.T) {
	list := func(entries string) string { return "data:\n  secret:\n    data:\n" + entries }
	for _, c := range []struct{ name, yaml, want string }{
		{"nine numbers have one digit", list(strings.Repeat("    - x: {in: a}\n", 9)), "1-x 2-x 3-x 4-x 5-x 6-x 7-x 8-x 9-x"},
		{"ten have two", list(strings.Repeat("    - '': {in: a}\n", 10)), "01 02 03 04 05 06 07 08 09 10"},
		{"a map is in order of names", list("      b: {in: a}\n      a: {in: a}\n      B: {in: a}\n"), "B a b"},
		{"counts count as cases", list("    - a: {in: x, count: 9}\n    - b: {in: x}\n"),
			"01-a-1 02-a-2 03-a-3 04-a-4 05-a-5 06-a-6 07-a-7 08-a-8 09-a-9 10-b"},
		{"counts in a row are padded", list("      a: {in: x, count: 9..=11}\n"), "a-09 a-10 a-11"},
		{"also in a list in any order", list("      a: {in: x, count: [10, 8, 9]}\n"), "a-10 a-08 a-09"},
		{"others are not", list("      a: {in: x, count: [10, 8]}\n"), "a-10 a-8"},
		{"a sign is padded as well", list("      a: {in: x, count: -10..=-9}\n"), "a--10 a--09"},
		{"a count of one adds to the name", list("      a: {in: x, count: 1}\n"), "a-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := parse("g.yaml", []byte(c.yaml), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, made := range plan.cases {
				names = append(names, strings.TrimPrefix(made.name, "secret/"))
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("names\n\t%s\nwant\n\t%s", got, c.want)
			}
		})
	}
}

// The salt of a count other than 1 ends in that count minus 1.
func TestSeedsOfCounts(t *testing.T) {
	plan, err := parse("g.yaml", []byte("data: {secret: {data: {a: {generate: 'g {seed}', count: [-2, 0, 1, 2, -4]}}}}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint32
	for _, c := range plan.cases {
		got = append(got, c.seed)
	}
	if diff := cmp.Diff([]uint32{1054248107, 1035439816, 837563164, 424085687, 771502240}, got); diff != "" {
		t.Errorf("seeds (-want +got):\n%s", diff)
	}
}

func itoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// The name of a generator's folder may end in a slash, which is part of the command and
// therefore of the seed.
func TestFolderWithSlash(t *testing.T) {
	with, without := casePlan{command: "dir/ {seed}"}, casePlan{command: "dir {seed}"}
	for _, c := range []*casePlan{&with, &without} {
		if err := c.splitCommand("", 1); err != nil || c.program != "dir" {
			t.Errorf("%s: program %q, %v; want dir", c.command, c.program, err)
		}
	}
	if with.seed == without.seed {
		t.Errorf("both have seed %d", with.seed)
	}
}
