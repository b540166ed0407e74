package export

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A request is a recorded request with its answer, in the form of DOMjudge's API.
type request struct {
	Request string            `json:"request"` // method and path
	Fields  map[string]string `json:"fields"`  // of the form, files as NAME:CONTENTS
	Status  int               `json:"status"`
	Answer  json.RawMessage   `json:"answer"`
}

// serve answers the recorded requests in their order, and no others.
func serve(t *testing.T, file string) *DOMjudge {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var left []request
	if err := json.Unmarshal(data, &left); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user != "admin" || password != "secret" {
			t.Errorf("%s: user %q, password %q", r.URL, user, password)
		}
		got := request{Request: r.Method + " " + r.URL.Path}
		if r.Method == "POST" {
			got.Fields = formOf(t, r)
		}
		if len(left) == 0 {
			t.Errorf("%s is not recorded", got.Request)
			return
		}
		want := left[0]
		left = left[1:]
		if d := cmp.Diff(request{Request: want.Request, Fields: want.Fields}, got); d != "" {
			t.Errorf("request (-recorded +sent):\n%s", d)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(want.Status)
		w.Write(want.Answer)
	}))
	t.Cleanup(func() {
		s.Close()
		if len(left) > 0 {
			t.Errorf("%s was not sent", left[0].Request)
		}
	})
	return &DOMjudge{URL: s.URL + "/domjudge", User: "admin", Password: "secret", HTTP: s.Client()}
}

func formOf(t *testing.T, r *http.Request) map[string]string {
	t.Helper()
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		t.Fatal(err)
	}
	fields := make(map[string]string)
	for key, values := range r.MultipartForm.Value {
		fields[key] = strings.Join(values, ",")
	}
	for key, files := range r.MultipartForm.File {
		f, err := files[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		fields[key] = files[0].Filename + ":" + string(data)
	}
	return fields
}

func body(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestUpload(t *testing.T) {
	ctx := context.Background()
	c := serve(t, "upload.json")
	have, err := c.Check(ctx, "final")
	if d := cmp.Diff([]string{"hello"}, have); err != nil || d != "" {
		t.Fatalf("Check: %v, %v", have, err)
	}
	ids, err := c.AddData(ctx, "final", []byte("- id: sum\n"))
	if d := cmp.Diff([]string{"sum"}, ids); err != nil || d != "" {
		t.Fatalf("AddData: %v, %v", ids, err)
	}
	a, err := c.AddProblem(ctx, "final", "sum", body("PK"))
	if err != nil || a.ID != "sum" {
		t.Fatalf("AddProblem: %v, %v", a, err)
	}
	if d := cmp.Diff([]string{`warning: "Testcase file 'data/secret/1.in' contains Windows newlines."`}, a.Warnings()); d != "" {
		t.Error(d)
	}
}

func TestRefusals(t *testing.T) {
	c := serve(t, "refusals.json")
	for _, want := range []string{
		`401 Unauthorized: "Invalid credentials."`,
		`403 Forbidden: "Contest is locked, go to https://example.org/jury/contests/1 to unlock it."`,
		`400 Bad Request: "{\"danger\":[\"Custom validator specified but not found.\"]}"`,
		`302 Found`,
		`is not the JSON of DOMjudge`,
	} {
		_, err := c.AddProblem(context.Background(), "final", "sum", body("PK"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("AddProblem: %v, expected %s", err, want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for given, want := range map[string]string{
		"https://example.org/domjudge/": "https://example.org/domjudge",
		"https://example.org/api/v4":    "https://example.org",
		"http://localhost:1234":         "http://localhost:1234",
		"http://[::1]":                  "http://[::1]",
		"http://example.org":            "",
		"https://u:p@example.org":       "",
		"ftp://example.org":             "",
		"https://example.org?x=1":       "",
		"example.org":                   "",
	} {
		u, err := CheckURL(given)
		if (err == nil) != (want != "") || err == nil && u.String() != want {
			t.Errorf("CheckURL(%q): %v, %v, expected %q", given, u, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "u:p@") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

func TestCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "netrc")
	text := "machine other.org login x password y\nmachine example.org\n  login me\n  password key\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host string
		env  map[string]string
		want string
	}{
		{"example.org", map[string]string{"NETRC": file}, "me key"},
		{"third.org", map[string]string{"NETRC": file}, "error"},
		{"example.org", map[string]string{"NETRC": file, "DOMJUDGE_USER": "a", "DOMJUDGE_PASSWORD": "b"}, "a b"},
		{"example.org", map[string]string{"NETRC": file, "DOMJUDGE_USER": "a"}, "error"},
	} {
		user, password, err := Credentials(c.host, func(name string) string { return c.env[name] })
		got := user + " " + password
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("Credentials(%s, %v): %s, %v, expected %s", c.host, c.env, got, err, c.want)
		}
	}
}
