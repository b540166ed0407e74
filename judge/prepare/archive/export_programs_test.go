package archive_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os/exec"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/check"
	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/archive/export"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// exportedFiles exports a package of files to a format.
func exportedFiles(t *testing.T, files fstest.MapFS, format string) *export.Package {
	t.Helper()
	s := testproblem.Located(t, writeFiles(t, files))
	p, err := problem.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	made, err := export.Make(context.Background(), s, p, export.FormatOf(format), export.ContestEntry{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestDefaultCheckerAgrees compares the exported checker with the default output validator,
// on texts of pieces that are significant to them.
func TestDefaultCheckerAgrees(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("needs g++")
	}
	pieces := []string{" ", "\n", "\t", "  ", "a", "A", "b", "0", "1", "10", "9", ".", "-", "+", "e", "E5", "1e", "Z", "[", "1.5", "0.000001", "1.500001", "nan", "0x1", "\xff"}
	for _, args := range []string{"", "case_sensitive", "case_sensitive space_change_sensitive", "float_tolerance 1e-5", "float_relative_tolerance 0.5 case_sensitive", "float_absolute_tolerance 1"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			files := kattisPackage(nil)
			for _, folder := range []string{"sample", "secret"} {
				files["data/"+folder+"/test_group.yaml"] = &fstest.MapFile{Data: []byte("output_validator_args: [" + strings.Join(strings.Fields(args), ", ") + "]\n"), Mode: 0o644}
			}
			checker := compiled(t, exportedFiles(t, files, "polygon"), "files", "checker.cpp")
			rules, err := check.ParseRules(strings.Fields(args))
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(3, uint64(len(args))))
			accepted, rounds := 0, 150
			for range rounds {
				var answer, output strings.Builder
				for range rng.IntN(12) {
					p := pieces[rng.IntN(len(pieces))]
					answer.WriteString(p)
					switch rng.IntN(20) {
					case 0:
						p = pieces[rng.IntN(len(pieces))]
					case 1:
						p = strings.ToUpper(p)
					case 2:
						if strings.TrimSpace(p) == "" {
							p = pieces[rng.IntN(4)]
						}
					}
					output.WriteString(p)
				}
				f, err := rules.Check(check.Case{Answer: strings.NewReader(answer.String()), Output: strings.NewReader(output.String())})
				if err != nil {
					t.Fatal(err)
				}
				want := 1
				if f.OK {
					want = 0
					accepted++
				}
				if status, message := runStatus(t, checker, "", "", output.String(), answer.String()); status != want {
					t.Errorf("answer %q, output %q: status %d, %q; the default validator: OK %v, %s", answer.String(), output.String(), status, message, f.OK, f.Why)
				}
			}
			if accepted < rounds/10 || accepted > rounds*9/10 {
				t.Errorf("%d of %d accepted: too one-sided to say much", accepted, rounds)
			}
		})
	}
}

// TestAdaptedInteractor runs an interactive validator with the conventions of testlib.
func TestAdaptedInteractor(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("needs g++")
	}
	const source = `#include <cstdio>
#include <cstdlib>
int main(int, const char *argv[]) {
    long secret, guess;
    if (std::fscanf(std::fopen(argv[1], "r"), "%ld", &secret) != 1) return 1;
    std::puts("guess");
    exit(std::scanf("%ld", &guess) == 1 && guess == secret ? 42 : 43);
}
`
	files := kattisPackage(map[string]string{"output_validator/v.cpp": source})
	files["problem.yaml"].Data = append(files["problem.yaml"].Data, "type: interactive\n"...)
	for format, folder := range map[string]string{"polygon": "files", "dmoj": "."} {
		made := exportedFiles(t, files, format)
		if len(made.Parts.ChangeVerdicts()) > 0 {
			t.Fatal(made.Parts.In(foreign.Lost))
		}
		program := compiled(t, made, folder, "interactor.cpp")
		for guess, want := range map[string]int{"7": 0, "8": 1, "": 1} {
			if status, out := runStatus(t, program, guess, "7\n", ""); status != want || !strings.HasPrefix(out, "guess\n") {
				t.Errorf("%s, guess %q: status %d, %q; expected %d", format, guess, status, out, want)
			}
		}
		if format == "dmoj" && !strings.Contains(string(made.Files["init.yml"].Data), "interactive:\n  files: [interactor.cpp, v.cpp.h, validator_adapter.h]\n  lang: CPP17\n  type: testlib\n") {
			t.Errorf("init.yml:\n%s", made.Files["init.yml"].Data)
		}
	}
}

// TestTestlibProgramsStay exports a validator and a checker that follow testlib already.
func TestTestlibProgramsStay(t *testing.T) {
	const header, input, output = "void registerValidation();\n", "#include \"testlib.h\"\nint main() { registerValidation(); }\n", "#include \"testlib.h\"\nint main() {}\n"
	made := exportedFiles(t, kattisPackage(map[string]string{
		"input_validators/v/range.cpp": input, "input_validators/v/testlib.h": header,
		"output_validator/near.cpp": output, "output_validator/testlib.h": header,
	}), "polygon")
	for name, want := range map[string]string{"files/range.cpp": input, "files/near.cpp": output} {
		if got := string(made.Files[name].Data); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestTestlibProgramsOfPackages exports validators that follow testlib, and must not in
// packages: other judges know the statuses 42 and 43 only.
func TestTestlibProgramsOfPackages(t *testing.T) {
	const (
		header = "void registerValidation();\n"
		input  = "#include \"testlib.h\"\nint main() { registerValidation(); }\n"
		output = "#include \"testlib.h\"\nint main() {}\n"
	)
	for format, folders := range map[string][2]string{
		"kattis":        {"input_validators/v/", "output_validator/"},
		"kattis-legacy": {"input_validators/v/", "output_validators/validator/"},
		"domjudge":      {"input_validators/v/", "output_validators/validator/"},
	} {
		programs := map[string]string{
			"input_validators/v/range.cpp": input, "input_validators/v/testlib.h": header,
			"output_validator/near.cpp": output, "output_validator/testlib.h": header,
		}
		made := exportedFiles(t, kattisPackage(programs), format)
		for _, folder := range folders {
			adapter, original := made.Files[folder+"testlib.h"], made.Files[folder+"testlib_original.h"]
			if !bytes.Equal(adapter.Data, foreign.Adapter) || path.Base(original.From) != "testlib.h" {
				t.Errorf("%s: testlib.h of %s does not follow the package format", format, folder)
			}
		}
		delete(programs, "output_validator/testlib.h")
		if made := exportedFiles(t, kattisPackage(programs), format); len(made.Parts.ChangeVerdicts()) != 1 {
			t.Errorf("%s: a checker whose testlib.h is not in the package is no loss", format)
		}
	}
}

// TestExportOfIni exports a package of DOMjudge that has no problem.yaml.
func TestExportOfIni(t *testing.T) {
	files := kattisPackage(nil)
	delete(files, "problem.yaml")
	files["domjudge-problem.ini"] = &fstest.MapFile{Data: []byte("name='Sum'\ntimelimit='2'\n"), Mode: 0o644}
	for _, format := range []string{"kattis", "kattis-legacy", "domjudge", "polygon"} {
		made := exportedFiles(t, files, format)
		yaml, ini := string(made.Files["problem.yaml"].Data), made.Files["domjudge-problem.ini"].From != ""
		switch {
		case format == "domjudge" && !ini, strings.HasPrefix(format, "kattis") && !strings.Contains(yaml, "Sum"):
			t.Errorf("%s: domjudge-problem.ini: %v, problem.yaml: %s", format, ini, yaml)
		case made.Name != "Sum" || made.TimeLimit != 2*time.Second:
			t.Errorf("%s: name %s, time limit %v", format, made.Name, made.TimeLimit)
		}
	}
}
