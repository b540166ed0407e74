package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

func TestReadTokens(t *testing.T) {
	all, err := ReadTokens(strings.NewReader(`# people
sam student          sam-0123456789abcdef
joe jury:sum,jury:b,eval joe-0123456789abcdef

old submit           old-0123456789abcdef
top administer       top-0123456789abcdef
ron read             ron-0123456789abcdef
`), "tokens")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"sam": "student", "joe": "jury:sum jury:b eval", "old": "jury eval", "top": "admin", "ron": "read"} {
		found := all.Of(name + "-0123456789abcdef")
		if found == nil || found.Name != name || scopesText(found.Scopes, " ") != want {
			t.Errorf("the token of %s is %+v: expected the scopes %s", name, found, want)
		}
	}
	if got := fmt.Sprint(all.Readers()); got != "[ron]" {
		t.Errorf("tokens with scope read: %s", got)
	}
	for line, want := range map[string]string{
		"sam student":            "tokens:1: found 2 words: expected a name, scopes and a secret",
		"sam student 0123456789": "tokens:1: the secret has 10 characters: expected 16 or more",
		"ann jury 0123456789abcdef\nann eval 0123456789abcdef\nsam student 0123456789abcdef": "tokens:3: the secret is that of ann: expected another one",
		"sam teacher sam-0123456789abcdef":                                                   `tokens:1: scope "teacher": expected one of student, jury, eval, worker, admin, read, submit, administer, or jury:ID`,
		"sam jury: sam-0123456789abcdef":                                                     `tokens:1: scope "jury:": expected one of student`,
		"sam eval:a sam-0123456789abcdef":                                                    `tokens:1: scope "eval:a": expected one of student`,
	} {
		if _, err := ReadTokens(strings.NewReader(line), "tokens"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v: expected %s", line, err, want)
		}
	}
}

// What a token shows depends on its scopes, the problem and who asked for the judgement; a
// package that was sent is that of those who have sent all of its bytes.
func TestViews(t *testing.T) {
	s := newSite(t, nil)
	pack := zipped(t, testkit.Echo())
	digest := blob.Of(pack).String()
	for _, name := range []string{"eva", "eve2", "joe"} {
		s.s.Tokens.Add(name, name+"-0123456789abcdef", Eval, "jury:sum")
	}
	for _, name := range []string{"eva", "joe", "eva"} {
		if status, _, answer := s.send("PUT", "/v1/packages/"+digest, bytes.NewReader(pack), "Authorization: Bearer "+name+"-0123456789abcdef"); status != 201 {
			t.Fatalf("status %d: %s", status, answer)
		}
	}
	if status, _, _ := s.send("PUT", "/v1/packages/"+digest, bytes.NewReader(pack[1:]), "Authorization: Bearer eve2-0123456789abcdef"); status != 422 {
		t.Errorf("other bytes: status %d", status)
	}
	const h, o, w = api.Hidden, api.Outline, api.Whole
	for _, tt := range []struct {
		name, scopes           string
		echo, sum, sent        api.View // of the problem
		own, others, othersSum api.View // of judgements on echo, and on sum
	}{
		{"sam", "student", o, o, h, o, h, h},
		{"eva", "student", o, o, h, o, h, h}, // the token that has sent it is another one
		{"joe", "jury", w, w, w, w, w, w},
		{"joe", "admin", w, w, w, w, w, w},
		{"joe", "jury:sum", h, w, w, o, h, w},
		{"ann", "jury:sum", h, w, h, o, h, w},
		{"ann", "student,jury:sum", o, w, h, o, h, w},
		{"eva", "eval", h, h, w, o, h, h},
		{"eve2", "eval", h, h, h, o, h, h},
		{"ron", "read", o, o, h, o, h, h},
		{"wes", "worker", h, h, h, o, h, h},
		{"eva", "worker", h, h, h, o, h, h},
	} {
		tokens, err := ReadTokens(strings.NewReader(tt.name+" "+tt.scopes+" a-0123456789abcdef"), "")
		if err != nil {
			t.Fatal(err)
		}
		one, k := tokens.Of("a-0123456789abcdef"), s.s.Problems
		got := []api.View{k.View(one, "echo"), k.View(one, "sum"), k.View(one, digest), k.ViewOf(one, tt.name, "echo"), k.ViewOf(one, "x", "echo"), k.ViewOf(one, "x", "sum")}
		if want := []api.View{tt.echo, tt.sum, tt.sent, tt.own, tt.others, tt.othersSum}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s with %s sees %v: expected %v", tt.name, tt.scopes, got, want)
		}
	}
	list := func(name string) string {
		_, _, answer := s.send("GET", "/v1/problems", nil, "Authorization: Bearer "+name+"-0123456789abcdef")
		return strings.TrimSpace(string(answer))
	}
	sent := fmt.Sprintf(`{"id":"package-%.12s","digest":"%s"}`, digest, digest)
	for name, want := range map[string]string{"eva": "[" + sent + "]", "eve2": "[]", "read": `[{"id":"echo"}]`, "submit": `[{"id":"echo"},` + sent + "]"} {
		if got := list(name); got != want {
			t.Errorf("the problems of %s are %s: expected %s", name, got, want)
		}
	}
}

// What is wrong with a package, and how workers differ, is for the jury.
func TestFailuresAreForTheJury(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) {
		s.Tokens.Add("sam", "sam-0123456789abcdef", Student)
		s.Workers = newWorkers(t)
		if _, err := s.Workers.Admit("", &api.Registration{Name: "a1"}); err != nil {
			t.Fatal(err)
		}
		s.Workers.differs("a1", "echo a.sh: secret/2 is WA")
	})
	if err := s.s.Workers.TakeOut("a1", api.Differs, "secret/2"); err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]bool{submitSecret: true, readSecret: false} {
		_, _, answer := s.send("GET", "/v1/workers", nil, "Authorization: Bearer "+secret)
		if strings.Contains(string(answer), "secret/2") != want {
			t.Errorf("the workers for %s: %s", secret, answer)
		}
	}
	if err := os.WriteFile(filepath.Join(s.dir, "problem.yaml"), []byte("name: [secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct{ method, path string }{{"GET", "/v1/problems/echo"}, {"POST", "/v1/judgements"}} {
		for secret, want := range map[string]string{submitSecret: "problem.yaml", "sam-0123456789abcdef": "problem echo cannot be opened; the jury sees why"} {
			status, _, answer := s.send(r.method, r.path, program("cat"), "Authorization: Bearer "+secret)
			if status != 422 || !strings.Contains(string(answer), want) || strings.Contains(string(answer), "problem.yaml") != (secret == submitSecret) {
				t.Errorf("%s for %s: status %d: %s", r.path, secret, status, answer)
			}
		}
	}
	// An earlier server has accepted it; what it then finds is for the jury, too.
	s.s.resume(t.Context(), "AAAAAAAAAAAAAAAAAAAAAAAAAA", &acceptance{Token: "sam", Created: time.Now(), Request: program("cat")}, newChoice())
	until(t, "the end of the judgement", func() bool { return s.isEnded("AAAAAAAAAAAAAAAAAAAAAAAAAA") })
	for secret, want := range map[string]bool{submitSecret: true, "sam-0123456789abcdef": false} {
		if status, _, answer := s.send("GET", "/v1/judgements/AAAAAAAAAAAAAAAAAAAAAAAAAA", nil, "Authorization: Bearer "+secret); status != 200 || strings.Contains(string(answer), "problem.yaml") != want {
			t.Errorf("%s: status %d: %s", secret, status, answer)
		}
	}
}
