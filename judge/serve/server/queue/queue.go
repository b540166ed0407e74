// Package queue keeps work items and entries in NATS JetStream, gives the items to workers, and
// keeps what these answer.
//
// It knows no problems and no verdicts of programs: what an item is, and what a worker
// answers, are bytes. All that must outlive a process is in JetStream: the items, in a
// stream that loses one when its verdict is stored; the state of each item, which has its
// leases and its verdict, in a bucket in which the first writer wins; the partial results;
// and entries, which say what the items are for, twice, because a byte that the disk has changed
// can take many messages with it. A Queue keeps caches only. Workers never reach JetStream: they
// call the methods of a Queue by way of an HTTP server.
package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

const (
	// MaxPayload is the largest payload of an item, in bytes.
	MaxPayload = 64 << 10
	// MaxMessage is the largest size of a message in a stream, in bytes: many that are
	// larger fill the memory of NATS.
	MaxMessage = 256 << 10
	// MaxVerdict is the largest verdict or partial result, in bytes. It leaves room for
	// headers.
	MaxVerdict = MaxMessage - 16<<10
	// MaxSlots is the largest number of items that a worker may wait for at once.
	MaxSlots = 1024
	// MaxName is the largest length of the names in an item, in bytes.
	MaxName = 128
	// mostWorkers is the number of different workers that may lose an item before it
	// fails; mostLeases is the number of leases if fewer workers exist.
	mostWorkers = 3
	mostLeases  = 2 * mostWorkers
	// mostDeliveries is the number of leases with those that were given back, and mostReturns
	// that after which a worker that gives an item back gets it again only if no other does.
	mostDeliveries = 64
	mostReturns    = 3
)

// ErrCancelled is the error of an item that was cancelled.
var ErrCancelled = errors.New("cancelled")

// An Item is one piece of work.
type Item struct {
	// ID names the item. An item whose ID is in the queue is not added again, and one
	// that has a verdict gets that verdict.
	ID string `json:"id"`
	// Class and Language decide which workers can get the item.
	Class    string `json:"class"`
	Language string `json:"language"`
	// Client is who the work is for. Items of different clients take turns.
	Client string `json:"client"`
	// Priority orders the items of one client that wait: the highest goes first.
	Priority int `json:"priority,omitempty"`
	// Avoid are workers that get the item only if there are no others, or none of these
	// asks for it in time.
	Avoid []string `json:"avoid,omitempty"`
	// Worker is the only one that gets the item; "" means any.
	Worker string `json:"worker,omitempty"`
	// Kept items are submitted again, with the same ID, after the process of their
	// submitter has ended. The others end with it.
	Kept bool `json:"kept,omitempty"`
	// Payload is what the worker gets, at most MaxPayload bytes.
	Payload []byte `json:"-"`
}

// check reports the first field with a bad value.
func (it *Item) check() error {
	for _, f := range []struct{ name, value string }{
		{"ID", it.ID}, {"Class", it.Class}, {"Language", it.Language}, {"Client", it.Client},
	} {
		if f.value == "" || len(f.value) > MaxName {
			return fmt.Errorf("queue: item %.32q: %s has %d bytes, expected 1 to %d", it.ID, f.name, len(f.value), MaxName)
		}
		if !utf8.ValidString(f.value) {
			return fmt.Errorf("queue: item %.32q: %s is %.32q, expected valid UTF-8", it.ID, f.name, f.value)
		}
	}
	if len(it.Payload) > MaxPayload {
		return fmt.Errorf("queue: item %.32q: the payload has %d bytes, expected at most %d", it.ID, len(it.Payload),
			MaxPayload)
	}
	return nil
}

// subjectOf is that of an item in the stream.
func (q *Queue) subjectOf(it *Item) string {
	kept := "0."
	if it.Kept {
		kept = "1."
	}
	return q.names.items() + token(it.Class) + "." + token(q.Name) + "." + kept + token(it.ID)
}

// A Result is a partial result of an item.
type Result struct {
	// Delivery is the number of the lease that made the result, from 1.
	Delivery int
	// Number numbers the results of one lease, from 0 without gaps. The result 0 starts
	// the item again: the results before it are void.
	Number  int
	Worker  string
	Payload []byte
}

// A Verdict is the final result of an item.
type Verdict struct {
	Worker   string
	Delivery int
	Payload  []byte
	// Err says why the queue gave up, for example after several workers were lost.
	// Payload is empty then.
	Err string
	// Results is the number of partial results of the delivery.
	Results int
}

// Options are the settings of a Queue. Dir or URL is needed.
type Options struct {
	// Dir is the folder of the streams of a NATS server in this process, which listens
	// nowhere.
	Dir string
	// Durable syncs every write to the disk before it is acknowledged.
	Durable bool
	// SyncInterval is the time between syncs if not Durable: at most 10 s, which is
	// also the default. NATS itself waits two minutes, and loses acknowledged
	// messages when the machine loses power (nats-server#7564).
	SyncInterval time.Duration

	// URL is that of an external NATS server or cluster, in place of Dir; several have
	// commas between them. Credentials is the file with those of its user; "" has none.
	URL         string
	Credentials string
	// Prefix begins the names of all streams, buckets and subjects: small letters, digits
	// and hyphens. The default is "crucible".
	Prefix string
	// Replicas of the streams: 1 (the default) or 3.
	Replicas int
	// Name is that of the submitter: partial results of its items are sent to this name,
	// so a process that starts again under its name gets them. The default is "server".
	Name string

	// Leased is called, if it is not nil, before a worker gets an item, from several
	// goroutines.
	Leased func(worker string, it *Item)

	// AckWait is the time without a sign of life after which an item goes to another
	// worker. The default is 12 s.
	AckWait time.Duration
	// Stall is the longest time without progress of a worker (a partial result) before an
	// item goes to another one. The default is one minute.
	Stall time.Duration
	// Limit is the longest time of one lease, whatever progress the worker reports. The
	// default is one hour.
	Limit time.Duration
	// Keep is how long entries are kept. The default is 30 days. Verdicts of items
	// are kept for two hours, or as long if that is less.
	Keep time.Duration
	// Sweep is the time between comparisons of the open items with the stream and the
	// verdicts. The default is one minute.
	Sweep time.Duration
	// Bytes bounds all streams and buckets together, each of which has a share, on each machine
	// that has a replica. What they have already is kept, even if it is more. The default is
	// 10 GiB.
	Bytes int64
	// Room is the free space in Dir, in bytes, below which no new items are taken. The
	// default is 128 MiB.
	Room int64
	// Log gets what an administrator should know. The default discards it.
	Log *slog.Logger
}

func (o Options) complete() (Options, error) {
	const most = 10 * time.Second
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.SyncInterval, most}, {&o.AckWait, 12 * time.Second}, {&o.Stall, time.Minute}, {&o.Limit, time.Hour},
		{&o.Keep, 30 * 24 * time.Hour}, {&o.Sweep, time.Minute}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.SyncInterval < 0 || o.SyncInterval > most {
		return o, fmt.Errorf("queue: SyncInterval is %v, expected at most %v", o.SyncInterval, most)
	}
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.Replicas != 1 && o.Replicas != 3 {
		return o, fmt.Errorf("queue: Replicas is %d, expected 1 or 3", o.Replicas)
	}
	if (o.URL == "") == (o.Dir == "") {
		return o, errors.New("queue: expected either Dir or URL")
	}
	if o.Room == 0 {
		o.Room = 128 << 20
	}
	if o.Bytes == 0 {
		o.Bytes = 10 << 30
	}
	if o.Name == "" {
		o.Name = "server"
	}
	if o.Prefix = cmp.Or(o.Prefix, "crucible"); !prefixes.MatchString(o.Prefix) {
		return o, fmt.Errorf("queue: Prefix %.40q: expected 1 to 32 small letters, digits and hyphens", o.Prefix)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// A Queue takes items, gives them to workers, and stores verdicts. Its methods may be
// called concurrently.
type Queue struct {
	Options
	names  names
	folder *os.File // holds the lock of Options.Dir
	at     atomic.Pointer[link]
	again  chan struct{} // gets a value after a reconnection
	room   room
	gate   Gate
	full   atomic.Pointer[string] // why the queue takes no new items, if the disk is full; or nil
	packed atomic.Pointer[string] // the same, if a stream is
	away   atomic.Bool            // see ErrAway

	renewed atomic.Bool // the entries have other revisions than those that were read or written first

	mu        sync.Mutex
	open      map[string]*Pending  // by item: what this process has submitted
	feeds     map[string]*feed     // by class
	leases    map[string]*lease    // by id: a cache of the states
	running   map[string]*lease    // by item
	cancelled map[uint64]time.Time // items by sequence in the stream, until when they are remembered
	parts     map[string]parted    // by entry: what has parts
	presence  map[string]*WorkerState
	peers     map[string]*peer // the other servers, by their names
	counts    Counts
	closed    bool // tasks gets no more

	run    context.Context // ends with Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	once   sync.Once
}

// A parted is an entry with parts.
type parted struct {
	revision uint64
	writer   string
}

// Counts are numbers since a Queue started.
type Counts struct {
	Leased      int64 `json:"leased"`      // items that workers got
	Redelivered int64 `json:"redelivered"` // deliveries after the first
	Released    int64 `json:"released"`    // items that workers gave back
	Verdicts    int64 `json:"verdicts"`    // verdicts that were stored
	Discarded   int64 `json:"discarded"`   // verdicts that came second
	GivenUp     int64 `json:"given_up"`    // items that several workers lost
}

// Counts returns what this Queue has done since it started.
func (q *Queue) Counts() Counts {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.counts
}

func (q *Queue) count(n *int64) {
	q.mu.Lock()
	*n++
	q.mu.Unlock()
}
