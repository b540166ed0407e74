package server

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// A choice is the machine class of a call, which has one or more judgements. Judgements in
// a language that the class lacks are in another one.
type choice struct {
	id   string // of the call, for the log
	mu   sync.Mutex
	used []api.Class // as they were when they were chosen
}

// known returns an error for a class that no worker is in. The error is a [*blob.Problem].
func (k *Workers) known(class string) error {
	if class == "" || class == api.AnyClass {
		return nil
	}
	names := k.classes()
	if k != nil && slices.Contains(names, k.now(class)) {
		return nil
	}
	return blob.NewProblem(http.StatusUnprocessableEntity, "class %.60q: expected %s", class,
		strings.Join(append(names, api.AnyClass), ", "))
}

// classes returns the names of the classes that have members, whether or not these get work
// items.
func (k *Workers) classes() (names []string) {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for name := range k.all {
		if c := k.classOf(name); c != "" && !slices.Contains(names, c) {
			names = append(names, c)
		}
	}
	slices.Sort(names)
	return names
}

// now returns the class into which a class has merged, or the class itself.
func (k *Workers) now(class string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.pool.Now(class)
}

// chooses reports whether the server chooses the class of a judgement, with a given one.
func (k *Workers) chooses(given string) bool { return given == "" && k != nil && k.Every > 0 }

// choose returns the class for a judgement in a language: the given one, one that the call
// uses already, even if none of its workers is alive, or the one with the most slots. It
// waits until there are classes. Class "" means that all workers may make the runs.
func (k *Workers) choose(ctx context.Context, given, language string, call *choice) string {
	if given == api.AnyClass || k == nil || k.Every == 0 {
		return ""
	}
	if given != "" {
		return k.now(given)
	}
	for {
		if name := call.class(k, language); name != "" {
			return name
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ""
		}
	}
}

// newChoice returns the choice of a new call.
func newChoice() *choice { return &choice{id: rand.Text()} }

// use adds the class that a server before this one has chosen for a language.
func (c *choice) use(class, language string) {
	c.used = append(c.used, api.Class{Name: class, Languages: []string{language}})
}

// class returns the class for a judgement in a language, "" if there are no classes.
func (c *choice) class(k *Workers, language string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, used := range c.used {
		if (language == "" || slices.Contains(used.Languages, language)) && k.known(used.Name) == nil {
			return k.now(used.Name)
		}
	}
	var languages []string
	if language != "" {
		languages = []string{language}
	}
	chosen, _ := api.Choose(k.Classes(), languages)
	if chosen == nil {
		return ""
	}
	c.used = append(c.used, *chosen)
	return chosen.Name
}
