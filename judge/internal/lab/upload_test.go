package lab

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/cli"
)

// contestant is a problem that can be uploaded.
func contestant(id string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, data := range map[string]string{
		"problem.yaml":              "problem_format_version: 2025-09\nname: Sum " + id + "\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits:\n  time_limit: 2\n",
		"statement/problem.en.md":   "Add.\n",
		"data/secret/1.in":          "1\n",
		"data/secret/1.ans":         "1\n",
		"submissions/accepted/a.py": "print(1)\n",
	} {
		files[id+"/"+name] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	return files
}

// TestUploadAddsWhatTheContestLacks uploads two problems to a server that has one of them.
func TestUploadAddsWhatTheContestLacks(t *testing.T) {
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Method+" "+r.URL.Path)
		switch {
		case strings.HasSuffix(r.URL.Path, "/info"):
			io.WriteString(w, `{"version": "2023-06", "domjudge": {"version": "8.3.1"}}`)
		case r.Method == "GET":
			io.WriteString(w, `[{"id": "one", "label": "A"}]`)
		case strings.HasSuffix(r.URL.Path, "/add-data"):
			got = append(got, formFile(t, r, "data"))
			io.WriteString(w, `["two"]`)
		default:
			z := formFile(t, r, "zip")
			files, err := zip.NewReader(strings.NewReader(z), int64(len(z)))
			if err != nil {
				t.Error(err)
				return
			}
			at := slices.IndexFunc(files.File, func(f *zip.File) bool { return f.Name == "domjudge-problem.ini" })
			got = append(got, fmt.Sprintf("%s ini %v", r.FormValue("problem"), at >= 0))
			if r.FormValue("problem") == "two" {
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, `{"code": 400, "message": "no \u001b[31mroom"}`)
				return
			}
			io.WriteString(w, `{"problem_id": "one", "messages": []}`)
		}
	}))
	defer s.Close()
	dir := t.TempDir()
	for _, id := range []string{"one", "two"} {
		if err := os.CopyFS(dir, contestant(id)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("DOMJUDGE_USER", "admin")
	t.Setenv("DOMJUDGE_PASSWORD", "secret")
	var stdout, stderr bytes.Buffer
	c := Export(&cli.Env{Stdout: &stdout, Stderr: &stderr})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{filepath.Join(dir, "one"), filepath.Join(dir, "two"), "--contest", "final", "--upload", s.URL})
	err := c.ExecuteContext(context.Background())
	if err == nil || !strings.Contains(err.Error(), `two: `) || !strings.Contains(err.Error(), `400 Bad Request: "no`) || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("the error is %v", err)
	}
	if want := "one: uploaded to contest final of " + s.URL + "\n"; stdout.String() != want {
		t.Errorf("stdout %q, expected %q", &stdout, want)
	}
	want := []string{
		"GET /api/v4/info", "GET /api/v4/contests/final/problems",
		"POST /api/v4/contests/final/problems/add-data", "- id: two\n  label: B\n  name: Sum two\n  time_limit: 2\n",
		"POST /api/v4/contests/final/problems", "one ini true", "POST /api/v4/contests/final/problems", "two ini true",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("requests (-expected +sent):\n%s", d)
	}
}

// formFile returns the contents of a file of a form.
func formFile(t *testing.T, r *http.Request, name string) string {
	f, _, err := r.FormFile(name)
	if err != nil {
		t.Error(err)
		return ""
	}
	data, err := io.ReadAll(f)
	if err != nil {
		t.Error(err)
	}
	return string(data)
}
