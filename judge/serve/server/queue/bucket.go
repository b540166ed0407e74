package queue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// A Bucket has the values of what all servers know, by keys of any text.
type Bucket struct {
	q    *Queue
	name string

	mu   sync.Mutex
	of   *link // of open
	open jetstream.KeyValue
}

// Bucket returns the bucket of a name, which is a word.
func (q *Queue) Bucket(name string) *Bucket { return &Bucket{q: q, name: name} }

// kv returns the bucket of the connection that is open now.
func (b *Bucket) kv(ctx context.Context) (jetstream.KeyValue, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.q.link()
	if b.of == l {
		return b.open, nil
	}
	kv, err := l.bucket(ctx, b.q, strings.ToUpper(b.name), 0)
	if err == nil {
		_, err = l.mirror(b.q, b.name).copies.open(ctx, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: bucket %s: %w", b.name, err)
	}
	b.of, b.open = l, kv
	return kv, nil
}

// ErrChanged is the error of a value that has another revision than expected.
var ErrChanged = errors.New("queue: another server has changed the value")

// Get returns a value and its revision. The error is [fs.ErrNotExist] if there is none.
func (b *Bucket) Get(ctx context.Context, key string) (value []byte, revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	kv, err := b.kv(ctx)
	if err != nil {
		return nil, 0, err
	}
	e, err := kv.Get(ctx, token(key))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, fs.ErrNotExist
	}
	if err != nil {
		return nil, 0, fmt.Errorf("queue: %s in bucket %s: %w", key, b.name, err)
	}
	return e.Value(), e.Revision(), nil
}

// Put stores a value in place of one with that revision; 0 is that of none. The error is
// [ErrChanged] if it has another one.
func (b *Bucket) Put(ctx context.Context, key string, value []byte, revision uint64) error {
	return b.q.insist(ctx, key, func(ctx context.Context) error {
		kv, err := b.kv(ctx)
		var stored uint64
		if err == nil {
			stored, err = kv.Update(ctx, token(key), value, revision)
		}
		switch {
		case isChanged(err):
			return ErrChanged
		case err != nil:
			return fmt.Errorf("queue: %s in bucket %s: %w", key, b.name, err)
		}
		b.q.copy(copyOf(b.q.names.copies(b.name)+token(key), stamp{revision: stored}, value))
		return nil
	})
}

// IsCrowded reports whether a bucket is half full. Callers add no more keys then, so that there is
// room for changes of the values that it has: nothing is removed.
func (b *Bucket) IsCrowded(ctx context.Context) (bool, error) {
	kv, err := b.kv(ctx)
	if err != nil {
		return false, err
	}
	s, err := kv.Status(ctx)
	if err != nil {
		return false, fmt.Errorf("queue: bucket %s: %w", b.name, err)
	}
	return int64(s.Bytes()) > s.Config().MaxBytes/2, nil
}

// Change changes a value until no other server has changed it meanwhile. A change gets nil
// if there is none, and leaves it as it is if it returns nil.
func (b *Bucket) Change(ctx context.Context, key string, change func(old []byte) ([]byte, error)) error {
	for {
		old, revision, err := b.Get(ctx, key)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		value, err := change(old)
		if err != nil || value == nil {
			return err
		}
		if err = b.Put(ctx, key, value, revision); !errors.Is(err, ErrChanged) {
			return err
		}
	}
}

// Keys returns the keys, in no order.
func (b *Bucket) Keys(ctx context.Context) (all []string, err error) {
	kv, err := b.kv(ctx)
	if err != nil {
		return nil, err
	}
	l, err := kv.ListKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("queue: bucket %s: %w", b.name, err)
	}
	for key := range l.Keys() {
		all = append(all, fromToken(key))
	}
	return all, nil
}

// export calls f with each value.
func (b *Bucket) export(ctx context.Context, f func(*Message) error) error {
	keys, err := b.Keys(ctx)
	for _, key := range keys {
		var value []byte
		if err == nil {
			value, _, err = b.Get(ctx, key)
		}
		if err == nil {
			err = f(&Message{Name: "bucket." + b.name + "." + token(key), Data: value})
		}
	}
	return err
}

// Watch calls f with each value, and then with its changes until ctx ends, but perhaps not with
// one that is replaced at once; a nil value is one that was removed. It returns when f has had all
// that there are.
func (b *Bucket) Watch(ctx context.Context, f func(key string, value []byte)) error {
	kv, err := b.kv(ctx)
	if err != nil {
		return err
	}
	w, err := kv.WatchAll(ctx)
	if err != nil {
		return fmt.Errorf("queue: bucket %s: %w", b.name, err)
	}
	all := make(chan struct{})
	go func() {
		for e := range w.Updates() {
			switch {
			case e == nil:
				close(all)
			case e.Operation() == jetstream.KeyValuePut:
				f(fromToken(e.Key()), e.Value())
			default:
				f(fromToken(e.Key()), nil)
			}
		}
	}()
	select {
	case <-all:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
