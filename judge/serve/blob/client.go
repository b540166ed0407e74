package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	transfers  = 8                // at once
	attempts   = 8                // of a request, without progress
	firstPause = time.Second / 10 // before the second attempt, then doubled
	maxPause   = time.Minute      // between two attempts, even if the server asks for more
	maxStall   = 30 * time.Second // without a byte, before a connection is given up
)

// pooled is the client of HTTP for all clients that have none.
var pooled = sync.OnceValue(func() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = transfers
	return &http.Client{Transport: transport}
})

// A Client copies blobs to and from a server with [Handler]. It repeats requests that
// failed because of the connection or of a server that is busy (408, 429, 500, 502, 503,
// 504): Attempts times, with pauses that double from 0.1 s, or that the server asks for
// with Retry-After. A download continues where it was interrupted. A server that refuses is
// a [*Problem].
type Client struct {
	URL   string       // of the server, without /v1
	Token string       // sent as a bearer token, unless ""
	HTTP  *http.Client // nil means one that keeps a connection for each transfer

	Lease string // the work item for which a worker asks for files, if not ""; see [LeaseHeader]

	Attempts int           // of a request, without progress; 0 means 8
	Stall    time.Duration // without a byte, before a connection is given up; 0 means 30 s

	pause time.Duration // in place of firstPause, for tests
}

// LeaseHeader is the header with the lease of the work item for which a worker asks for files.
const LeaseHeader = "Crucible-Lease"

// Missing returns the digests that the server does not have, in their order and without
// repetitions. It asks for 10,000 at a time.
func (c *Client) Missing(ctx context.Context, digests ...Digest) ([]Digest, error) {
	digests = distinct(digests)
	asked := make(map[Digest]bool, len(digests))
	for _, d := range digests {
		asked[d] = true
	}
	var missing []Digest
	for batch := range slices.Chunk(digests, MaxBatch) {
		body, err := json.Marshal(batch)
		if err != nil {
			return nil, err
		}
		var found []Digest
		err = c.retry(ctx, func() error {
			header := http.Header{"Content-Type": {"application/json"}}
			r, err := c.send(ctx, "POST", "/v1/blobs:missing", io.NopCloser(bytes.NewReader(body)), int64(len(body)), header)
			if err != nil {
				return err
			}
			defer r.Body.Close()
			text, err := io.ReadAll(io.LimitReader(r.Body, maxBatch))
			if err != nil {
				return err
			}
			found = nil
			if err := json.Unmarshal(text, &found); err != nil {
				return final{fmt.Errorf("POST /v1/blobs:missing: expected a list of digests: %w", err)}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if !asked[d] {
				return nil, fmt.Errorf("POST /v1/blobs:missing: found %s, which was not asked for, or found it twice", d)
			}
			delete(asked, d)
		}
		missing = append(missing, found...)
	}
	return missing, nil
}

func distinct(digests []Digest) []Digest {
	seen := make(map[Digest]bool, len(digests))
	return slices.DeleteFunc(slices.Clone(digests), func(d Digest) bool {
		again := seen[d]
		seen[d] = true
		return again
	})
}

// Put sends a blob. open is called for each attempt.
func (c *Client) Put(ctx context.Context, d Digest, open func() (io.ReadCloser, error)) error {
	if err := d.check(); err != nil {
		return err
	}
	return c.retry(ctx, func() error {
		f, err := open()
		if err != nil {
			return final{err}
		}
		header := http.Header{"Content-Type": {"application/octet-stream"}}
		if d.Size > 1<<20 {
			// The server can refuse before anything is sent.
			header.Set("Expect", "100-continue")
		}
		r, err := c.send(ctx, "PUT", "/v1/blobs/"+d.String(), f, d.Size, header)
		if err != nil {
			return err
		}
		return r.Body.Close()
	})
}

// UploadTree sends those files of a folder that the server does not have, and its tree,
// which comes last, so that a server that has a tree has had its files.
func (c *Client) UploadTree(ctx context.Context, f *Folder) error {
	missing, err := c.Missing(ctx, f.Digests()...)
	if err != nil {
		return err
	}
	all := len(missing)
	files := slices.DeleteFunc(missing, func(d Digest) bool { return d == f.Tree })
	put := func(ctx context.Context, d Digest) error {
		return c.Put(ctx, d, func() (io.ReadCloser, error) { return f.Open(d) })
	}
	err = each(ctx, transfers, len(files), func(ctx context.Context, i int) error { return put(ctx, files[i]) })
	if err != nil || len(files) == all {
		return err
	}
	return put(ctx, f.Tree)
}

// Fetch stores those blobs that the store does not have. Take a [Store.Lease] first to
// keep them.
func (c *Client) Fetch(ctx context.Context, s *Store, digests ...Digest) error {
	missing := s.Missing(digests)
	return each(ctx, transfers, len(missing), func(ctx context.Context, i int) error {
		body := &download{client: c, ctx: ctx, digest: missing[i]}
		defer body.Close()
		return s.PutDigest(ctx, missing[i], body)
	})
}

// FetchTree stores a tree and its files, and keeps them until the lease is released.
func (c *Client) FetchTree(ctx context.Context, s *Store, tree Digest) (*Lease, error) {
	if tree.Size > maxTree {
		return nil, fmt.Errorf("tree %s: expected at most %d bytes", tree, maxTree)
	}
	own, err := s.Lease(ctx, tree)
	if err != nil {
		return nil, err
	}
	defer own.Release()
	if err := c.Fetch(ctx, s, tree); err != nil {
		return nil, err
	}
	t, err := s.Tree(tree)
	if err != nil {
		return nil, err
	}
	if err := s.bound(tree, t); err != nil {
		return nil, err
	}
	lease, err := s.Lease(ctx, append(t.Digests(), tree)...)
	if err != nil {
		return nil, err
	}
	if err := c.Fetch(ctx, s, t.Digests()...); err != nil {
		lease.Release()
		return nil, err
	}
	return lease, nil
}
