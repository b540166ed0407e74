package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/blob"
)

const (
	peerStall  = 5 * time.Second  // without a byte of another server, before it is given up; twice
	peerTime   = 10 * time.Second // for what another server is asked, besides a second for each MiB
	copyKnown  = 10 * time.Minute // a copy may have made room for others then
	copyFailed = 30 * time.Second // until the others are asked again
	mostCopies = 100_000          // that are known
)

// A Peer is another living server of the cluster.
type Peer struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Peers knows the other servers of a cluster. Nil is a single server.
type Peers struct {
	Living func() []Peer // the others that live, without this one
	Secret string        // of requests between servers; 16 characters or more
	HTTP   *http.Client  // nil is a default
	Log    *slog.Logger  // nil means none

	stall time.Duration // in place of peerStall and peerTime, for tests

	mu     sync.Mutex
	calls  map[string]*peerCall
	copies map[blob.Digest]fileCopy
}

// A peerCall is a request to other servers that is under way.
type peerCall struct {
	done chan struct{} // closed when err is set
	err  error
}

// A fileCopy is what is known of the copy of a tree or a file.
type fileCopy struct {
	on    string // name of the server that has it; "" if no other server could copy it
	until time.Time
}

// is reports whether a secret is that of other servers.
func (p *Peers) is(secret string) bool {
	if p == nil || p.Secret == "" {
		return false
	}
	found, expected := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(p.Secret))
	return subtle.ConstantTimeCompare(found[:], expected[:]) == 1
}

// once calls do, or waits for a call with the same key. The call goes on if ctx ends.
func (p *Peers) once(ctx context.Context, key string, do func(ctx context.Context) error) error {
	p.mu.Lock()
	c := p.calls[key]
	if c == nil {
		if p.calls == nil {
			p.calls = make(map[string]*peerCall)
		}
		c = &peerCall{done: make(chan struct{})}
		p.calls[key] = c
		go func() {
			c.err = do(context.WithoutCancel(ctx))
			p.mu.Lock()
			delete(p.calls, key)
			p.mu.Unlock()
			close(c.done)
		}()
	}
	p.mu.Unlock()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// warn logs the failure of another server.
func (p *Peers) warn(text string, of Peer, err error) {
	if p.Log != nil {
		p.Log.Warn(text, "server", of.Name, "at", of.URL, "error", err)
	}
}

// timeFor returns the time in which another server sends or copies so many bytes.
func (p *Peers) timeFor(bytes int64) time.Duration {
	return cmp.Or(p.stall, peerTime) + time.Duration(bytes>>20)*time.Second
}

func bytesOf(digests []blob.Digest) (n int64) {
	for _, d := range digests {
		n += d.Size
	}
	return n
}

// fetch copies those blobs that the store does not have from other servers. That no server
// has one is no error; that one which may have it does not answer is a [*blob.Problem].
func (p *Peers) fetch(ctx context.Context, store *blob.Store, digests ...blob.Digest) error {
	if p == nil {
		return nil
	}
	digests = store.Missing(digests)
	if len(digests) == 0 {
		return nil
	}
	return p.once(ctx, fmt.Sprint(digests), func(ctx context.Context) error {
		failed := 0
		for _, peer := range p.Living() {
			left := store.Missing(digests)
			if len(left) == 0 {
				return nil
			}
			err := p.fetchFrom(ctx, peer, store, left)
			if errors.Is(err, blob.ErrFull) || osfile.IsFull(err) {
				return err
			}
			if err != nil {
				failed++
				p.warn("another server does not send a file", peer, err)
			}
		}
		if left := store.Missing(digests); failed > 0 && len(left) > 0 {
			return blob.NewProblem(http.StatusServiceUnavailable,
				"blob %s is not on this server, and %d others, which may have it, do not send it now", left[0], failed)
		}
		return nil
	})
}

// fetchFrom copies those blobs that a server has.
func (p *Peers) fetchFrom(ctx context.Context, from Peer, store *blob.Store, digests []blob.Digest) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeFor(bytesOf(digests)))
	defer cancel()
	c := &blob.Client{URL: from.URL, Token: p.Secret, HTTP: p.HTTP, Attempts: 2, Stall: cmp.Or(p.stall, peerStall)}
	lacks, err := c.Missing(ctx, digests...)
	if err != nil {
		return err
	}
	without := make(map[blob.Digest]bool, len(lacks))
	for _, d := range lacks {
		without[d] = true
	}
	return c.Fetch(ctx, store, slices.DeleteFunc(digests, func(d blob.Digest) bool { return without[d] })...)
}

// read returns the bytes of a file, which is copied from another server if the store does not
// have it. The error is [fs.ErrNotExist] if no server has it.
func (p *Peers) read(ctx context.Context, store *blob.Store, d blob.Digest, most int64) ([]byte, error) {
	data, err := store.Read(d, most)
	if p != nil && errors.Is(err, fs.ErrNotExist) {
		if err = p.fetch(ctx, store, d); err == nil {
			data, err = store.Read(d, most)
		}
	}
	return data, err
}

// tree returns a tree. If there are other servers, those of its files that the store does
// not have are copied from them, and stay until the lease is released.
func (p *Peers) tree(ctx context.Context, store *blob.Store, d blob.Digest) (*blob.Tree, *blob.Lease, error) {
	t, err := store.Tree(d)
	if p == nil {
		return t, nil, err
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.fetch(ctx, store, d); err == nil {
			t, err = store.Tree(d)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	lease, err := store.Lease(ctx, append(t.Digests(), d)...)
	if err == nil {
		err = p.fetch(ctx, store, t.Digests()...)
	}
	if err != nil {
		lease.Release()
		return nil, nil, err
	}
	return t, lease, nil
}

// A copyRequest asks a server to copy files from others.
type copyRequest struct {
	Trees []blob.Digest `json:"trees,omitempty"` // with their files
	Files []blob.Digest `json:"files,omitempty"`
}

// copied has trees with their files, and files of the store copied by another server, unless
// one is known to have them. It returns on how many servers they are then: 2 or more count
// as 2. Without other servers, and if they fail, that is 1; on a single server it is 0.
func (p *Peers) copied(ctx context.Context, store *blob.Store, trees, files []blob.Digest) int {
	if p == nil || len(trees)+len(files) == 0 {
		return 0
	}
	living := p.Living()
	if len(living) == 0 {
		return 1
	}
	failed := false
	p.mu.Lock()
	known := func(d blob.Digest) bool {
		c, ok := p.copies[d]
		ok = ok && time.Now().Before(c.until)
		failed = failed || ok && c.on == ""
		return ok && slices.ContainsFunc(living, func(one Peer) bool { return one.Name == c.on })
	}
	order := &copyRequest{slices.DeleteFunc(slices.Clone(trees), known), slices.DeleteFunc(slices.Clone(files), known)}
	p.mu.Unlock()
	switch {
	case failed:
		return 1
	case len(order.Trees)+len(order.Files) == 0:
		return 2
	}
	err := p.once(ctx, fmt.Sprint("copy ", *order), func(ctx context.Context) error {
		return p.order(ctx, store, living, order)
	})
	if err != nil {
		return 1
	}
	return 2
}

// order has one of the living servers copy files.
func (p *Peers) order(ctx context.Context, store *blob.Store, living []Peer, order *copyRequest) error {
	found := fileCopy{"", time.Now().Add(copyFailed)}
	bytes, err := bytesOf(order.Files), error(nil)
	for _, d := range order.Trees {
		t, lease, one := p.tree(ctx, store, d)
		if err = errors.Join(err, one); one == nil {
			lease.Release()
			bytes += d.Size + bytesOf(t.Digests())
		}
	}
	for i := 0; err == nil && found.on == "" && i < len(living); i++ {
		if one := p.orderFrom(ctx, living[i], order, p.timeFor(bytes)); one != nil {
			p.warn("another server does not copy files", living[i], one)
			continue
		}
		found = fileCopy{living[i].Name, time.Now().Add(copyKnown)}
	}
	if found.on == "" {
		err = errors.Join(err, errors.New("no other server has copied the files"))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.copies == nil || len(p.copies) > mostCopies {
		p.copies = make(map[blob.Digest]fileCopy)
	}
	for _, d := range slices.Concat(order.Trees, order.Files) {
		p.copies[d] = found
	}
	return err
}

// orderFrom has a server copy files within some time, as long as it lives.
func (p *Peers) orderFrom(ctx context.Context, peer Peer, order *copyRequest, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	go func() {
		for slices.Contains(p.Living(), peer) {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return
			}
		}
		cancel()
	}()
	data, err := json.Marshal(order)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, "POST", peer.URL+copyPath, bytes.NewReader(data))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+p.Secret)
	r.Header.Set("Content-Type", "application/json")
	answer, err := cmp.Or(p.HTTP, http.DefaultClient).Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent {
		return blob.ProblemOf(answer)
	}
	return nil
}

// copyPath is the address at which servers ask others to copy files.
const copyPath = "/v1/blobs:copy"

// copyFiles copies files from other servers, for one of them.
func (p *Peers) copyFiles(ctx context.Context, store *blob.Store, order *copyRequest) error {
	files := order.Files
	if err := p.fetch(ctx, store, files...); err != nil {
		return err
	}
	for _, d := range order.Trees {
		t, lease, err := p.tree(ctx, store, d)
		if errors.Is(err, fs.ErrNotExist) {
			return blob.NewProblem(http.StatusNotFound, "tree %s is on no other server that this one knows", d)
		} else if err != nil {
			return err
		}
		defer lease.Release()
		files = append(files, t.Digests()...)
	}
	if missing := store.Missing(files); len(missing) > 0 {
		return blob.NewProblem(http.StatusNotFound, "%d files, such as %s, are on no other server that this one knows",
			len(missing), missing[0])
	}
	return nil
}
