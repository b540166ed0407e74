package lab

import (
	"os"
	"path/filepath"
	"testing"
)

// A line that was not written completely is removed, and the next one begins there.
func TestVerdictsAfterKill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.jsonl")
	const first = `{"problem":"a","id":"1","language":"bash","verdict":"AC"}` + "\n"
	if err := os.WriteFile(name, []byte(first+`{"problem":"a","id":"2","lang`), 0o644); err != nil {
		t.Fatal(err)
	}
	v, err := openVerdicts(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.known) != 1 || v.known["a\x001"] == nil {
		t.Errorf("it has %v: expected sample 1", v.known)
	}
	if err := v.add(&judgedSample{Problem: "a", ID: "2", Language: "bash", Verdict: "WA"}); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if want := first + `{"problem":"a","id":"2","language":"bash","verdict":"WA"}` + "\n"; err != nil || string(data) != want {
		t.Errorf("%v: %s: expected %s", err, data, want)
	}
}
