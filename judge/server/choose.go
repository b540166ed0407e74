package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/api"
	"crucible/judge/blob"
)

// A choice is the machine class of a call, which has one or more judgements. Judgements in
// a language that the class lacks are in another one.
type choice struct {
	mu   sync.Mutex
	used []api.Class // as they were when they were chosen
}

// known returns an error for a class that no worker is in. The error is a [*blob.Problem].
func (k *Workers) known(class string) error {
	if class == "" || class == api.AnyClass {
		return nil
	}
	var names []string
	if k != nil {
		for _, w := range k.List() {
			if w.Class != "" && !slices.Contains(names, w.Class) {
				names = append(names, w.Class)
			}
		}
	}
	if slices.Contains(names, class) {
		return nil
	}
	slices.Sort(names)
	return blob.NewProblem(http.StatusUnprocessableEntity, "class %.60q: expected %s", class, strings.Join(append(names, api.AnyClass), ", "))
}

// choose returns the class for a judgement in a language: the given one, one that the call
// uses already, even if none of its workers is alive, or the one with the most slots. It
// waits until there are classes. Class "" means that all workers may make the runs.
func (k *Workers) choose(ctx context.Context, given, language string, call *choice) string {
	if given == api.AnyClass || k == nil || k.Every == 0 {
		return ""
	}
	if given != "" {
		return given
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

// class returns the class for a judgement in a language, "" if there are no classes.
func (c *choice) class(k *Workers, language string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, used := range c.used {
		// A class that has merged into another one is no longer known.
		if (language == "" || slices.Contains(used.Languages, language)) && k.known(used.Name) == nil {
			return used.Name
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
