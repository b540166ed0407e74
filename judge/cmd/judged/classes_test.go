package main

import (
	"encoding/json"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
)

// The runs of a call are of one class, which the record names; a class can be chosen.
func TestClasses(t *testing.T) {
	testkit.InMatrix(t)
	t.Parallel()
	s := newServer(t, "--calibrate-every", "10m")
	dir := write(t)
	env := environment(t, "CRUCIBLE_SERVER="+s.url, "CRUCIBLE_TOKEN="+s.token)
	run := func(args ...string) (classes map[string]bool, errs string, status int) {
		t.Helper()
		out, errs, status := ask(t, env, append([]string{"run", "--fresh", "--format", "json", dir}, args...)...)
		var doc any
		if status <= 1 {
			if err := json.Unmarshal([]byte(out), &doc); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		classes = make(map[string]bool)
		collect(doc, classes)
		return classes, errs, status
	}
	classes, errs, status := run()
	if status != 0 || len(classes) != 1 {
		t.Fatalf("status %d, classes %v, %s: expected one class", status, classes, errs)
	}
	for name := range classes {
		if !strings.HasSuffix(name, "-1") {
			t.Errorf("class %q: expected the first one", name)
		}
		if again, errs, status := run("--class", name); status != 0 || !again[name] {
			t.Errorf("--class %s: status %d, classes %v, %s", name, status, again, errs)
		}
		if _, errs, status := run("--class", "vax-9"); status != 2 || !strings.Contains(errs, "--class vax-9: expected one of "+name+", any") {
			t.Errorf("--class vax-9: status %d, %s: expected 2 and the classes", status, errs)
		}
		if out, errs, status := ask(t, env, "workers"); status != 0 || !strings.Contains(out, "arithmetic") || !strings.Contains(out, name) {
			t.Errorf("judge workers: status %d, %s, %s: expected the class and its ratios", status, out, errs)
		}
	}
}

// collect adds the values of the keys "class".
func collect(v any, to map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if c, ok := v["class"].(string); ok {
			to[c] = true
		}
		for _, one := range v {
			collect(one, to)
		}
	case []any:
		for _, one := range v {
			collect(one, to)
		}
	}
}
