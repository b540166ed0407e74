package remote

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/serve/blob"
)

// Items and answers of others are not trusted.

func TestOpenRefuses(t *testing.T) {
	l := newLoop(t)
	p, err := problem.OpenDir(lay(t, "minimal"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx := context.Background()
	tests := []struct {
		name   string
		change func(*Item)
		want   string // part of the error
	}{
		{"another version", func(i *Item) { i.Judge = "other" }, `version "other" of the judge: expected "test"`},
		{"unknown case", func(i *Item) { i.Cases = append(i.Cases, "secret/none") }, `no case "secret/none"`},
		{"cases in another order", func(i *Item) { i.Cases = append(i.Cases, i.Cases[0]) }, "no case"},
		{"unknown language", func(i *Item) { i.Submission.Language = "klingon" }, `language "klingon" is not known`},
		{"path that climbs", func(i *Item) { i.Submission.Files = map[string][]byte{"../../escaped": nil} }, `path "../../escaped"`},
		{"absolute path", func(i *Item) { i.Submission.Files = map[string][]byte{"/escaped": nil} }, `path "/escaped"`},
		{"file in a file", func(i *Item) { i.Submission.Files = map[string][]byte{"a": nil, "a/b": nil} }, `path "a": found as a file and as a folder`},
		{"id that climbs", func(i *Item) { i.Problem.ID = "../x" }, `problem id "../x"`},
		{"no such package", func(i *Item) { i.Problem.Tree = blob.Of([]byte("none")) }, "no such file"},
		{"file elsewhere", func(i *Item) { i.Submission.Path = "submissions/other.sh" }, "submissions/other.sh"},
		{"no paths to show", func(i *Item) { i.Problem.Shown = nil }, "expected the part that contains the rest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, err := l.Packer.Pack(ctx, &judge.WorkItem{Submission: p.Submissions[0], Cases: p.Cases[:1]})
			if err != nil {
				t.Fatal(err)
			}
			tt.change(i)
			_, release, err := l.unpacker.Open(ctx, i)
			if err == nil {
				release()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("found %q, expected a text with %q", err, tt.want)
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(l.unpacker.Dir, "submission-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if _, err := os.Lstat(filepath.Join(l.unpacker.Dir, "..", "escaped")); err == nil {
		t.Error("a file was written outside the folder")
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", "null", `{"cases":["a"]}`, `{"cases":["a"],"problem":{"id":"a"}}`, `{"cases":1}`, "[" + strings.Repeat("[", 1000)} {
		if _, err := Decode([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "work item: ") {
			t.Errorf("%.20q: found %v, expected an error about the work item", text, err)
		}
	}
}

func TestReceiveRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "the answer to a work item"},
		{"{}\n", "without a run and without an end"},
		{"nonsense\n", "the answer to a work item"},
		{`{"run":{}}` + "\n", "without a run and without an end"},
		{`{"end":{"failed":"the disk is full"}}` + "\n", "the disk is full"},
	} {
		l := &Line{Data: []byte(tt.text)}
		_, err := l.Run()
		if l.IsLast() {
			_, err, _ = l.End()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: found %v, expected an error with %q", tt.text, err, tt.want)
		}
	}
}

// A defect of the package is one on both sides, so the exit status is the same.
func TestDefectsTravel(t *testing.T) {
	d := &problem.Defect{File: "problems/a/problem.yaml", Line: 3, Column: 1, Msg: "no"}
	c, failed, err := Fail(d, "a1").End()
	var got *problem.Defect
	if err != nil || failed != nil || !errors.As(c.Err, &got) || *got != *d || c.By != "a1" {
		t.Errorf("found %v, %v by %q: expected the defect by a1", c.Err, err, c.By)
	}
}
