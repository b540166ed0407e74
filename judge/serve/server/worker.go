package server

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// Workers admits workers to a queue. Call [Workers.Load] first.
type Workers struct {
	// Secret of the server, 16 bytes or more; the same key admits workers after a restart of
	// the server.
	Key  []byte
	Fits func(r *api.Registration) (why string) // why a worker is refused, "" if it is not; nil admits all
	// Has the registrations and the classes, in [WorkerBucket], and knows what the workers do.
	Queue *queue.Queue
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
	times  map[string]*api.Comparison // by worker
	placed map[string]string          // the classes of the workers that were made to ask again
	merged int                        // the length of pool.Merged then

	bucket      *queue.Bucket
	calibrating sync.Mutex              // held while the pool in the bucket is changed
	stored      map[string]*memberTimes // as the bucket has them, by worker
}

// A workerEntry is a worker that has registered. It is replaced, not changed.
type workerEntry struct {
	api.Registration
	Since time.Time `json:"since"`
	Out   []api.Out `json:"out,omitempty"`
	By    string    `json:"by,omitempty"` // the name of the token that registered it

	Number int `json:"number,omitempty"` // of the changes in the bucket
}

var workerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// secret returns the secret of a worker that a token of the name by has registered: one of
// another name that takes its place does not get that of its predecessor.
func (k *Workers) secret(name, by string) string {
	h := hmac.New(sha256.New, k.Key)
	h.Write([]byte(name + "\x00" + by))
	return name + ":" + hex.EncodeToString(h.Sum(nil))
}

// Find returns the name of the worker that has a secret, as long as there is the token that
// registered it.
func (k *Workers) Find(secret string) (name string, ok bool, err error) {
	name, _, ok = strings.Cut(secret, ":")
	if !ok || !workerName.MatchString(name) {
		return "", false, nil
	}
	w, err := k.lookUp(name)
	if w == nil || err != nil || w.By != "" && k.HasToken != nil && !k.HasToken(w.By) {
		return "", false, err
	}
	return name, hmac.Equal([]byte(k.secret(name, w.By)), []byte(secret)), nil
}

// poll returns what a worker may ask for. It is nil if the worker has not registered. Without
// classes it gets no items.
func (k *Workers) poll(name string) *queue.Poll {
	refusals := k.Queue.Refusals(name)
	w := k.entry(name)
	if w == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
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
	err = k.change(r.Name, func(old *workerEntry) (*workerEntry, error) {
		now := &workerEntry{Registration: *r, Since: time.Now().UTC(), By: by}
		if old != nil {
			if old.By != "" && old.By != by && (k.HasToken == nil || k.HasToken(old.By)) {
				return nil, blob.NewProblem(http.StatusConflict,
					"worker %s was registered with another token: expected that one, or another name", r.Name)
			}
			now.Out = old.Out
			return now, nil
		}
		return now, hasRoom(k.bucket, "workers")
	})
	if err != nil {
		return "", err
	}
	return k.secret(r.Name, by), nil
}

// hasRoom returns the error of a bucket to which no more keys are added.
func hasRoom(b *queue.Bucket, of string) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	crowded, err := b.IsCrowded(ctx)
	if err == nil && crowded {
		err = blob.NewProblem(http.StatusInsufficientStorage, "what the server keeps of %s takes half of its share "+
			"of --disk: it takes no further ones", of)
	}
	return err
}

// change replaces what all servers know of a worker. The function to gets nil if it has not
// registered, and returns nil to change nothing.
func (k *Workers) change(name string, to func(old *workerEntry) (*workerEntry, error)) error {
	var now *workerEntry
	err := k.store(registrationKey+name, func(data []byte) (_ []byte, err error) {
		var old *workerEntry
		number := 1
		if data != nil {
			if old, err = parseEntry(name, data); err != nil {
				return nil, err
			}
			number += old.Number
		}
		if now, err = to(old); now == nil || err != nil {
			return nil, err
		}
		now.Number = number
		return json.Marshal(now)
	})
	if now != nil && err == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.know(now)
	}
	return err
}

// know notes the registration of a worker. A change of why it is out makes it ask again for
// items. The caller holds k.mu.
func (k *Workers) know(w *workerEntry) {
	if k.all == nil {
		k.all = make(map[string]*workerEntry)
	}
	old := k.all[w.Name]
	if old != nil && w.Number < old.Number {
		return // this server has made a later change
	}
	k.all[w.Name] = w
	if old == nil || slices.Equal(old.Out, w.Out) {
		return
	}
	k.Queue.Refuse(w.Name)
	if old.outFor(api.Differs) && !w.outFor(api.Differs) {
		delete(k.trusts, w.Name)
	}
	if n := len(w.Out); n > len(old.Out) {
		k.log().Warn("a worker is taken out", "worker", w.Name, "cause", w.Out[n-1].Cause, "because", w.Out[n-1].Because)
	} else if n == 0 {
		k.log().Warn("a worker gets work items again", "worker", w.Name)
	}
}

// outFor reports whether a worker is out for a cause.
func (w *workerEntry) outFor(c api.Cause) bool {
	return slices.ContainsFunc(w.Out, func(o api.Out) bool { return o.Cause == c })
}

// WorkerBucket is the bucket with what all servers know of workers.
const WorkerBucket = "workers"

// Keys of [WorkerBucket].
const (
	registrationKey = "worker/" // with the name of the worker
	timesKey        = "times/"  // the same
	classesKey      = "classes"
)

// maxValue is the largest size in bytes of a value in [WorkerBucket], which has room for the
// classes of 5,000 workers. NATS as shipped takes messages of 1 MiB.
const maxValue = 1<<20 - 16<<10

// store changes a value of the bucket.
func (k *Workers) store(key string, change func(old []byte) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	err := k.bucket.Change(ctx, key, func(old []byte) ([]byte, error) {
		now, err := change(old)
		if len(now) > maxValue {
			err = fmt.Errorf("%d bytes: expected at most %d", len(now), maxValue)
		}
		return now, err
	})
	if err != nil && !errors.As(err, new(*blob.Problem)) {
		return blob.NewProblem(http.StatusServiceUnavailable, "what servers know of %s: %v", key, err)
	}
	return err
}

// storeTime is the longest time for which a change of the bucket is tried: a client needs an
// answer.
const storeTime = 20 * time.Second

// hear takes a value of the bucket.
func (k *Workers) hear(key string, value []byte) {
	name, isEntry := strings.CutPrefix(key, registrationKey)
	worker, isTimes := strings.CutPrefix(key, timesKey)
	var err error
	switch {
	case value == nil:
	case isEntry:
		var w *workerEntry
		if w, err = parseEntry(name, value); err == nil {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.know(w)
		}
	case isTimes:
		err = k.hearTimes(worker, value)
	case key == classesKey:
		err = k.hearClasses(value)
	}
	if err != nil {
		k.log().Error("what servers know of workers is not understood", "key", key, "error", err)
	}
}

// parseEntry reads the registration of a worker in the bucket.
func parseEntry(name string, data []byte) (*workerEntry, error) {
	w := new(workerEntry)
	err := cmp.Or(json.Unmarshal(data, w), w.Check())
	if err == nil && (w.Name != name || !workerName.MatchString(name)) {
		err = fmt.Errorf("the registration is that of %.70q: expected %.70q", w.Name, name)
	}
	return w, err
}

// entry returns the registration of a worker. It is nil if there is none.
func (k *Workers) entry(name string) *workerEntry {
	w, _ := k.lookUp(name)
	return w
}

// lookUp returns the registration of a worker, also one of which this server will hear only
// now. It is nil if there is none.
func (k *Workers) lookUp(name string) (*workerEntry, error) {
	k.mu.Lock()
	w := k.all[name]
	k.mu.Unlock()
	if w != nil {
		return w, nil
	}
	data, _, err := k.bucket.Get(context.Background(), registrationKey+name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("worker %s: %w", name, err)
	}
	k.hear(registrationKey+name, data)
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[name], nil
}

// Load reads what servers know of workers, and hears of all changes from then on, until the
// queue is closed. In a queue with a folder there is no other server to hear of.
func (k *Workers) Load() error {
	k.bucket = k.Queue.Bucket(WorkerBucket)
	err := cmp.Or(k.Queue.Hear(findingSubject, k.hearFinding), k.bucket.Watch(context.Background(), k.hear))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.loaded = time.Now()
	return err
}

// alive is the time since the last sign of life of a worker after which it counts as
// lost. A worker that waits asks every 25 s.
const alive = 30 * time.Second

// List returns the workers that have registered, by their names.
func (k *Workers) List() []api.Worker {
	seen := make(map[string]queue.WorkerState)
	for _, w := range k.Queue.Workers() {
		seen[w.Worker] = w
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
