package main

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/transcript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"judge": main}) }

func TestScripts(t *testing.T) {
	command, err := exec.LookPath("judge")
	if err != nil {
		t.Fatal(err)
	}
	scripts := testscript.Params{Dir: "testdata"}
	if testkit.Raced {
		scripts.Dir = ""
		for _, name := range manyAtOnce {
			beside := map[string]string{
				"gen":    "../../prepare/generate/testdata/transcripts",
				"verify": "../../prepare/verify/testdata/transcripts",
				"pack":   "../../prepare/archive/testdata/transcripts",
				"run":    "../../internal/cli/testdata",
				"test":   "../../internal/cli/testdata",
			}
			topic, _, _ := strings.Cut(name, "_")
			scripts.Files = append(scripts.Files, filepath.Join(cmp.Or(beside[topic], "testdata"), name+".txtar"))
		}
	}
	transcript.Run(t, command, scripts)
}

// manyAtOnce lists the transcripts that run if the test and the judge are built with
// the race detector: those that run many programs at once, each with a different
// command or display, and those that are interrupted. The others differ only in
// options and messages, not in concurrency.
var manyAtOnce = []string{
	"bad_hostile_output", "gen_check", "gen_interrupted", "pack_checks", "pack_interrupted", "run_all_cases", "run_color", "run_everything",
	"run_groups", "run_interactive", "run_interrupted", "run_interrupted_compiling", "run_nobody_reads", "run_packages", "run_repeat",
	"run_time_limit_inferred", "test_samples", "verify_generated", "verify_holds",
}
