package problem

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/yaml"
)

// The parsers of untrusted files are fuzzed: they must not panic, hang, or reject a
// file without an error.

// bounded makes an input that takes more than 20 seconds a failure. The fuzzer by
// itself would wait for it.
func bounded(t *testing.T) {
	timer := time.AfterFunc(20*time.Second, func() { panic("this input takes longer than 20 seconds") })
	t.Cleanup(func() { timer.Stop() })
}

// checkDefects checks that each defect names a file, and for a YAML error a line, and
// that its text contains no control characters.
func checkDefects(t *testing.T, err error) {
	t.Helper()
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			checkDefects(t, one)
		}
		return
	}
	var d *Defect
	var y *yaml.Error
	switch {
	case errors.As(err, &d):
		if d.File == "" || d.Msg == "" || d.Line < 0 || d.Column < 0 {
			t.Errorf("a defect without file or words: %+v", d)
		}
	case errors.As(err, &y):
		if y.File == "" || y.Msg == "" || y.Line < 1 || y.Column < 0 {
			t.Errorf("an error without place: %+v", y)
		}
	default:
		t.Errorf("an error without place: %T %v", err, err)
	}
	if text := err.Error(); strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		t.Errorf("not fit to print: %q", text)
	}
}

// openFuzzed opens a package with hostile files in it.
func openFuzzed(t *testing.T, files fs.FS) *Problem {
	t.Helper()
	p, err := Open(files)
	if (p == nil) == (err == nil) {
		t.Fatalf("Open = %v, %v", p, err)
	}
	if err != nil {
		checkDefects(t, err)
		return nil
	}
	for _, w := range p.Warnings {
		checkDefects(t, w)
	}
	return p
}

// fuzzFile opens packages in which one file is hostile, and calls look with those that
// are accepted. The seeds contain keywords that a fuzzer does not find by itself.
func fuzzFile(f *testing.F, name string, seeds []string, look func(*testing.T, *Problem)) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		bounded(t)
		files := testkit.Pack("")
		files[name] = &fstest.MapFile{Data: data}
		if p := openFuzzed(t, files); p != nil {
			look(t, p)
		}
	})
}

func FuzzProblemYAML(f *testing.F) {
	head := "problem_format_version: 2025-09\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n"
	fuzzFile(f, "problem.yaml", []string{
		head,
		head + "limits: {time_limit: 1.5, time_resolution: 0.5, memory: 64, time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1e1}, validation_passes: 2}\n",
		head + "type: [scoring, interactive]\nlicense: cc by-sa\nrights_owner: Me\nembargo_until: 2025-09-30T12:00:00Z\n",
		head + "credits:\n  authors: [A, {name: B, email: b@example.com}]\n  translators: {de: [C]}\nsource: [{name: S, url: u}, T]\nconstants: {max: 10, eps: 1e-6}\n",
		head + "languages: [cpp, python3]\nallow_file_writing: true\nkeywords: [a]\nversion: 1.10\nlanguages: all\n",
		"problem_format_version: 2023-07-draft\nname: {en: Sum, pt-BR: Soma}\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n",
		"problem_format_version: legacy\nname: Sum\nauthor: A, B\nvalidation: custom interactive score\nvalidator_flags: float_tolerance 1e-6\nlimits: {time_multiplier: 5, time_safety_margin: 2}\ngrading: {objective: max, show_test_data_groups: true}\n",
		"validation: default\nlimits: {memory: 64}\nlicense: public domain\n",
		"name: &a x\nuuid: *a\n", "- a\n", "", "problem_format_version: [\n", "\"\\e[31m\": 1\n",
	}, func(t *testing.T, p *Problem) {
		if p.Limits.Time < 0 || p.Limits.Memory <= 0 || p.Limits.Output <= 0 || p.Code <= 0 || p.Building.Time <= 0 || p.Checking.Time <= 0 {
			t.Errorf("accepted with limits %+v, code %d, building %+v, checking %+v", p.Limits, p.Code, p.Building, p.Checking)
		}
		if r := p.Timing; !(r.Resolution > 0) || !(r.ACToLimit >= 1) || !(r.LimitToTLE >= 1) {
			t.Errorf("accepted with timing %+v", r)
		}
	})
}

// FuzzCaseYAML tests test_group.yaml, testdata.yaml and a case's own .yaml.
func FuzzCaseYAML(f *testing.F) {
	for _, s := range []string{
		"args: [a, b]\noutput_validator_args: [float_tolerance, '1e-6']\ninput_validator_args: {x: [a]}\nfull_feedback: true\n",
		"max_score: 10\nscore_aggregation: min\nrequire_pass: [sample, secret/a]\nstatic_validation_score: 1\n",
		"hint: h\ndescription: |\n  text\n", "max_score: unbounded\nscore_aggregation: sum\nrequire_pass: secret\n",
		"on_reject: continue\ngrading: custom\ngrader_flags: min ignore_sample\nrange: -inf +inf\naccept_score: 1\nreject_score: 0\n",
		"input_validator_flags: {name: x, flags: y}\noutput_validator_flags: case_sensitive\n", "{}", "- a\n", "",
	} {
		for kind := range uint8(4) {
			f.Add(kind, []byte(s), []byte("args: [x]\n"))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, group, own []byte) {
		bounded(t)
		files := testkit.Pack("-- data/secret/1.in --\nabsent\n-- data/secret/1.ans --\nabsent\n-- data/secret/1-a.in --\nabsent\n-- data/secret/1-a.ans --\nabsent\n")
		name := "data/secret/sub/test_group.yaml"
		if kind&1 != 0 {
			name = "data/secret/sub/testdata.yaml"
			files["problem.yaml"].Data = []byte("problem_format_version: legacy\nname: Sum\n")
		}
		if kind&2 != 0 {
			files["problem.yaml"].Data = append(files["problem.yaml"].Data, "type: scoring\n"...)
		}
		files[name] = &fstest.MapFile{Data: group}
		files["data/secret/sub/x.yaml"] = &fstest.MapFile{Data: own}
		if p := openFuzzed(t, files); p != nil && len(p.Cases) != 2 {
			t.Errorf("%d cases of 2", len(p.Cases))
		}
	})
}

func FuzzSubmissionsYAML(f *testing.F) {
	fuzzFile(f, "submissions/submissions.yaml", []string{
		"accepted:\n  permitted: [AC, TLE]\n  required: [AC]\n  use_for_time_limit: lower\n",
		"'{accepted,wrong_answer}/*':\n  language: cpp\n  entrypoint: main\n  authors: [A, {name: B}]\n  model_solution: true\n",
		"accepted/a.py:\n  'secret/*':\n    permitted: [WA]\n    message: no\n  sample: {required: [AC]}\n  score: [0, 1.5]\n",
		"'*':\n  use_for_time_limit: false\nwrong_answer: ~\n", "'**/x': {}\n", "'{a,{b,c}': {}\n", "- a\n", "",
	}, func(t *testing.T, p *Problem) {
		for _, s := range p.Submissions {
			if (s.Language == nil) != (s.Unusable != "") {
				t.Errorf("%s has language %v, and is unusable because %q", s.Name, s.Language, s.Unusable)
			}
			for _, e := range s.Expected {
				if _, err := checkGlob(e.Cases); err != nil && e.Cases != "" || e.from == "" {
					t.Errorf("%s has expectation %+v", s.Name, e)
				}
			}
		}
	})
}

// FuzzDOMjudge tests DOMjudge's .ini and .timelimit, and marks in the source of a
// submission.
func FuzzDOMjudge(f *testing.F) {
	for _, s := range [][3]string{
		{"timelimit = '1.5'\nspecial_compare = x\n", "2\n", "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n"},
		{"[x]\n; no\ncolor=#fff\nprobid\n", "1e3", "/* @EXPECTED_RESULTS@: CHECK-MANUALLY */\n// @EXPECTED_SCORE@: 1.5\n"},
		{"timelimit=inf", "", "<!-- @EXPECTED_RESULTS@: CORRECT -->\n@EXPECTED_RESULTS@: accepted, nonsense\n"},
	} {
		f.Add([]byte(s[0]), []byte(s[1]), []byte(s[2]))
	}
	f.Fuzz(func(t *testing.T, ini, limit, source []byte) {
		bounded(t)
		files := testkit.Pack("")
		files["problem.yaml"].Data = []byte("problem_format_version: legacy\nname: Sum\n")
		files["domjudge-problem.ini"] = &fstest.MapFile{Data: ini}
		files[".timelimit"] = &fstest.MapFile{Data: limit}
		files["submissions/accepted/a.py"] = &fstest.MapFile{Data: source}
		if p := openFuzzed(t, files); p != nil && p.Limits.Time < 0 {
			t.Errorf("accepted with a time limit of %v", p.Limits.Time)
		}
	})
}

// FuzzZip opens arbitrary bytes as a zip and as a package, and reads the files in it.
func FuzzZip(f *testing.F) {
	testkit.InOneGoroutine(f)
	for _, below := range []string{"", "sum"} {
		f.Add(zipped(f, testkit.Pack(""), below))
	}
	for _, seed := range hostileZips() {
		if seed.want != "" && len(seed.data) < 1<<16 {
			f.Add(seed.data)
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		bounded(t)
		name := filepath.Join(dir, "sum.zip") // each worker has a folder of its own
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := OpenZip(name)
		if err != nil {
			checkDefects(t, err)
			if !strings.HasPrefix(err.Error(), name) {
				t.Errorf("the error does not name the zip: %v", err)
			}
			return
		}
		defer s.Close()
		openFuzzed(t, s)
		left := 1 << 20 // limits the time for one input to less than a second
		fs.WalkDir(s, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || left <= 0 {
				return nil
			}
			file, err := s.Open(name)
			if err != nil {
				return nil
			}
			defer file.Close()
			info, err := file.Stat()
			if err != nil {
				t.Errorf("%q: %v", name, err)
				return nil
			}
			n, err := io.Copy(io.Discard, io.LimitReader(file, int64(left)))
			left -= int(n)
			if n > info.Size() || err == nil && n < info.Size() && left > 0 {
				t.Errorf("%q: read %d bytes of %d without an error", name, n, info.Size())
			}
			return nil
		})
	})
}

// zipped packs files below a folder of an archive.
func zipped(t testing.TB, files fstest.MapFS, below string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		method := zip.Deflate
		if i%2 == 0 {
			method = zip.Store
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(filepath.Join(below, name)), Method: method})
		if err == nil {
			_, err = f.Write(files[name].Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
