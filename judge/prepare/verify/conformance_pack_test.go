package verify

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// packedPackages are taken from the suite, at least one of each version of the
// format, to be unpacked, packed, and judged as before.
var packedPackages = []string{
	"minimal", "case_files", "case_order", "constants_everywhere", "include_language_overrides_default", "links_inside",
	"message_expected", "output_validator_build_script", "output_validator_python_module", "scoring_groups_pass_fail",
	"domjudge_expected_results", "attachments_with_templates", "validation_data",
	"draft_minimal", "draft_2023_07", "draft_old_names",
	"legacy_minimal", "legacy_icpc", "legacy_timelimit_file", "legacy_domjudge_problem_ini", "legacy_custom_grader", "legacy_groups_of_groups",
}

func TestPackagesUnpackPackAndJudgeTheSame(t *testing.T) {
	onlyWithShells(t)
	cache := testkit.Cache(t)
	all, lazy := &judge.Judge{Settings: judge.Settings{All: true}, Cache: cache}, &judge.Judge{Cache: cache}
	defer all.Close()
	defer lazy.Close()
	var versions sync.Map
	t.Run("packages", func(t *testing.T) {
		for _, name := range packedPackages {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c, err := readConformance(filepath.Join(conformanceDir, name+".txtar"))
				if err != nil {
					t.Fatal(err)
				}
				c.needs(t, all)
				if c.pending != "" {
					t.Skip("pending: " + c.pending)
				}
				whole := filepath.Join(t.TempDir(), c.id)
				if err := c.layOut(whole); err != nil {
					t.Fatal(err)
				}
				// A folder, packed; then a repository's three folders; then packed again.
				first := packed(t, testproblem.Located(t, whole), filepath.Join(t.TempDir(), c.id+".zip"))
				root := t.TempDir()
				if _, err := (archive.UnpackOptions{}).Unpack(t.Context(), testproblem.Located(t, first), root); err != nil {
					t.Fatal(err)
				}
				parts := testproblem.Located(t, filepath.Join(root, "problems", c.id))
				versions.Store(c.judgedAgain(t, all, lazy, parts), true)
				second := packed(t, parts, filepath.Join(t.TempDir(), c.id+".zip"))
				a, err := os.ReadFile(first)
				if err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(second)
				if err != nil {
					t.Fatal(err)
				}
				if string(a) != string(b) {
					t.Errorf("packed from its parts it has %d bytes, from one folder %d, or others", len(b), len(a))
				}
				c.judgedAgain(t, all, lazy, testproblem.Located(t, second))
			})
		}
	})
	for _, v := range problem.Versions() {
		_, ok := versions.Load(v)
		switch {
		case ok || v == "draft" || t.Failed():
		case os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") != "1":
			t.Logf("no package of version %s was judged: their languages are not all here", v)
		default:
			t.Errorf("no package of version %s", v)
		}
	}
}

func packed(t *testing.T, s *problem.Source, to string) string {
	t.Helper()
	packing, err := archive.BeginPack(s, to, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := packing.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return to
}

// judgedAgain holds the package to its comment once more, without verifying it,
// and returns its version.
func (c *conformance) judgedAgain(t *testing.T, all, lazy *judge.Judge, s *problem.Source) string {
	t.Helper()
	p, err := problem.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != len(c.warns) {
		t.Errorf("%d warnings, want %d: %v", len(p.Warnings), len(c.warns), p.Warnings)
	}
	once := *c
	once.verify = false
	once.judge(t, all, lazy, p, "")
	return p.Version
}
