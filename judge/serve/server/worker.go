package server

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// Workers admits workers to a queue.
type Workers struct {
	// Secret of the server, 16 bytes or more; the same key admits workers after a restart of
	// the server.
	Key  []byte
	Fits func(r *api.Registration) (why string) // why a worker is refused, "" if it is not; nil admits all
	// Keeps the registrations, for a server that is started again; "" keeps none.
	File  string
	Queue *queue.Queue  // knows what the workers do; nil if nobody does
	Every time.Duration // time between calibrations of a worker; 0 has none, and no classes
	Log   *slog.Logger  // nil means none

	// Whether there is a token of a name. The name of a worker belongs to the token that
	// registered it as long as there is that token; nil means for ever.
	HasToken func(name string) bool

	Absence time.Duration // work items of a class that has had no worker for that time fail; 0 is 5 minutes

	attendance attendance

	mu     sync.Mutex
	loaded time.Time // when Load was called
	all    map[string]*workerEntry
	trusts map[string]*trust
	pool   Pool
	kept   time.Time                  // when pool was stored
	times  map[string]*api.Comparison // by worker
}

// A workerEntry is a worker that has registered.
type workerEntry struct {
	api.Registration
	Since time.Time `json:"since"`
	Out   []api.Out `json:"out,omitempty"`
	By    string    `json:"by,omitempty"` // the name of the token that registered it
}

var workerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// secret returns the secret of a worker.
func (k *Workers) secret(name string) string {
	h := hmac.New(sha256.New, k.Key)
	h.Write([]byte(name))
	return name + ":" + hex.EncodeToString(h.Sum(nil))
}

// Find returns the name of the worker that has a secret.
func (k *Workers) Find(secret string) (name string, ok bool) {
	name, _, ok = strings.Cut(secret, ":")
	return name, ok && hmac.Equal([]byte(k.secret(name)), []byte(secret))
}

// poll returns what a worker may ask for. It is nil if the worker has not registered. Without
// classes it gets no items.
func (k *Workers) poll(name string) *queue.Poll {
	refusals := 0
	if k.Queue != nil {
		refusals = k.Queue.Refusals(name)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	w := k.all[name]
	if w == nil {
		return nil
	}
	return &queue.Poll{Worker: name, Classes: k.classesOf(name), Languages: w.Languages, Slots: w.Slots,
		Refusals: refusals}
}

// gets reports whether a worker gets items of a class.
func (k *Workers) gets(name, class string) bool {
	p := k.poll(name)
	return p != nil && slices.Contains(p.Classes, class)
}

// isOut reports whether a worker gets no items.
func (k *Workers) isOut(name string) bool { return !k.gets(name, AnyClass) }

// slots returns the number of slots of the workers that get work items, and how many of
// these have none. A nil k has none.
func (k *Workers) slots() (all, idle int) {
	if k == nil {
		return 0, 0
	}
	for _, w := range k.List() {
		if w.Alive && len(w.Out) == 0 {
			all += w.Slots
			idle += max(w.Slots-w.Busy, 0)
		}
	}
	return all, idle
}

// Admit registers a worker for the token of a name. The error is a [*blob.Problem].
func (k *Workers) Admit(by string, r *api.Registration) (token string, err error) {
	if !workerName.MatchString(r.Name) {
		return "", blob.NewProblem(http.StatusBadRequest,
			"name %q of a worker: expected 1 to 63 letters, digits, dots, hyphens and underscores", r.Name)
	}
	if err := r.Check(); err != nil {
		return "", blob.NewProblem(http.StatusBadRequest, "the registration of worker %s: %v", r.Name, err)
	}
	if k.Fits != nil {
		if why := k.Fits(r); why != "" {
			return "", blob.NewProblem(http.StatusConflict, "worker %s: %s", r.Name, why)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = make(map[string]*workerEntry)
	}
	now := &workerEntry{Registration: *r, Since: time.Now().UTC(), By: by}
	if old := k.all[r.Name]; old != nil {
		if old.By != "" && old.By != by && (k.HasToken == nil || k.HasToken(old.By)) {
			return "", blob.NewProblem(http.StatusConflict,
				"worker %s was registered with another token: expected that one, or another name", r.Name)
		}
		now.Out = old.Out
	}
	k.all[r.Name] = now
	return k.secret(r.Name), k.save()
}

// save keeps the registrations.
func (k *Workers) save() error {
	if k.File == "" {
		return nil
	}
	data, err := json.Marshal(k.all)
	if err != nil {
		return err
	}
	return osfile.WriteAtomic(k.File, data)
}

// Load reads the registrations that a server before this one has kept.
func (k *Workers) Load() error {
	data, err := os.ReadFile(k.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.loaded = time.Now()
	if err == nil {
		if err = json.Unmarshal(data, &k.all); err != nil {
			err = fmt.Errorf("%s: %w", k.File, err)
		}
	}
	return cmp.Or(err, k.loadClasses())
}

// alive is the time since the last sign of life of a worker after which it counts as
// lost. A worker that waits asks every 25 s.
const alive = 30 * time.Second

// List returns the workers that have registered, by their names.
func (k *Workers) List() []api.Worker {
	seen := make(map[string]queue.WorkerState)
	if k.Queue != nil {
		for _, w := range k.Queue.Workers() {
			seen[w.Worker] = w
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := make([]api.Worker, 0, len(k.all))
	for name, r := range k.all {
		w := api.Worker{Registration: r.Registration, Since: r.Since, Out: slices.Clone(r.Out), Class: k.classOf(name),
			Times: k.times[name]}
		if s, ok := seen[name]; ok || w.Times != nil {
			at := s.Seen.UTC()
			if w.Times != nil && w.Times.At.After(at) {
				at = w.Times.At
			}
			w.Seen, w.Alive, w.Busy, w.Done, w.Lost, w.Err = &at, time.Since(at) < alive, s.Busy, s.Done, s.Lost, s.Err
		}
		if !w.Alive {
			w.Busy = 0 // its items are given to others
		}
		if t := k.trusts[name]; t != nil {
			w.Differ, w.Unaudited, w.Err = t.differ, t.unaudited, cmp.Or(t.last, w.Err)
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b api.Worker) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// lack reports whether workers of the class have registered, and none can run the language.
// Class "" is any. If only is not "", that worker is the only one.
func (k *Workers) lack(language, class, only string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	found := false
	class = k.pool.Now(class)
	for name, w := range k.all {
		if class != "" && class != api.AnyClass && k.classOf(name) != class || only != "" && name != only {
			continue
		}
		if found = true; slices.Contains(w.Languages, language) {
			return false
		}
	}
	return found
}
