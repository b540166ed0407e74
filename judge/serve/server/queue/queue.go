// Package queue carries work items over NATS JetStream.
//
// It knows no problems and no verdicts: payloads, partial results and verdicts are
// bytes. A submitter publishes items to a stream (Queue.Submit). A Server, with the
// stream in its own process or in a cluster elsewhere, gives the items to workers
// (Work), one client after the other, and stores one verdict for each cell. An item
// whose worker is lost is delivered again, and the verdict that is written first
// counts.
//
// Workers speak to the Server only. They can neither read the streams nor write to
// them, so a worker can settle nothing but the items that it was given.
package queue

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	// MaxPayload is the largest payload of an item, in bytes.
	MaxPayload = 64 << 10
	// MaxVerdict is the largest verdict or partial result, in bytes. It leaves room
	// for headers in a message of 1 MiB, the limit of NATS as shipped.
	MaxVerdict = 1<<20 - 16<<10
	// DefaultAckWait is the time without a sign of life after which an item is
	// delivered again.
	DefaultAckWait = 12 * time.Second
	// DefaultStall is Item.Stall if it is not set.
	DefaultStall = time.Minute
	// DefaultLimit is Item.Limit if it is not set.
	DefaultLimit = time.Hour
	// MaxSlots is the largest number of items that a worker may wait for at once.
	MaxSlots = 1024
	// MaxName is the largest length of the names in an item, in bytes.
	MaxName = 128
	// mostWorkers is the number of different workers that may lose an item before
	// its cell is an error; mostAttempts is the number of attempts if fewer workers
	// exist.
	mostWorkers  = 3
	mostAttempts = 2 * mostWorkers
)

// ErrCancelled is the error of an item that was cancelled.
var ErrCancelled = errors.New("cancelled")

// An Item is one piece of work.
type Item struct {
	// ID names the item. An item whose ID is already in the queue is not added again.
	ID string `json:"id"`
	// Class and Language decide which workers can get the item.
	Class    string `json:"class"`
	Language string `json:"language"`
	// Client is who the work is for. Items of different clients take turns.
	Client string `json:"client"`
	// Priority items are given out before all others.
	Priority bool `json:"priority,omitempty"`
	// Cell is the key of the verdict. Items with the same cell share one verdict.
	Cell string `json:"cell"`
	// Avoid are workers that get the item only if there are no others, or none of these
	// asks for it in time.
	Avoid []string `json:"avoid_all,omitempty"`
	// Stall is the longest time without progress of the worker (a partial result, or
	// Delivery.Beat) before the item is given to another one. The default is DefaultStall.
	Stall time.Duration `json:"stall,omitempty"`
	// Limit is the longest time of one attempt, whatever progress the worker reports,
	// in whole seconds. The default is DefaultLimit.
	Limit time.Duration `json:"limit,omitempty"`
	// Payload is what the worker gets, at most MaxPayload bytes.
	Payload []byte `json:"-"`
}

// check reports the first field with a bad value.
func (it *Item) check() error {
	for _, f := range []struct{ name, value string }{
		{"ID", it.ID}, {"Class", it.Class}, {"Language", it.Language}, {"Client", it.Client}, {"Cell", it.Cell},
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

// A Result is a partial result of an item.
type Result struct {
	// Attempt is the number of the delivery that made the result, from 1.
	Attempt int
	// Seq numbers the results of one attempt, from 0 without gaps. A result with
	// Seq 0 starts the item again: the results before it are void.
	Seq     int
	Worker  string
	Payload []byte
}

// A Verdict is the final result of an item.
type Verdict struct {
	Worker  string
	Attempt int
	Payload []byte
	// Err says why the queue gave up, for example after several workers were lost.
	// Payload is empty then.
	Err string
	// Results is the number of partial results of the attempt.
	Results int
}

// A Connection says where the server is and who connects.
type Connection struct {
	// URL is a NATS URL or a list of them, separated by commas.
	URL   string
	Token string
	// Name of a submitter. Partial results of its items are sent to this name, so a
	// submitter that starts again under its name gets them. The default is random.
	Name string
	TLS  *tls.Config
	// Sweep is the time between comparisons of open items with the stream and the
	// verdicts. The default is one minute.
	Sweep time.Duration
	// Log gets what an administrator should know. The default discards it.
	Log *slog.Logger

	inProcess *server.Server
}
