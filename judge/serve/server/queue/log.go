package queue

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// An Entry is an entry of a log: what a server must know of something after it was killed.
type Entry struct {
	Number int    // from 1; of several writers of one number, the first one wins
	Kind   string // a word
	Data   []byte
}

// ErrTaken is the error of an entry whose number another writer has taken.
var ErrTaken = errors.New("queue: another server has written to the log")

// ErrDamaged is the error of an entry that is not as it was written.
var ErrDamaged = errors.New("the disk of the server has changed what it kept")

// maxPart is the largest number of bytes of an entry in one message.
const maxPart = MaxVerdict

// An entryHeader is the first line of the message of an entry.
type entryHeader struct {
	Writer string `json:"writer"`          // a name of the call that wrote it
	Parts  int    `json:"parts,omitempty"` // messages with the data; 0 has it in this one
	Sum    string `json:"sum"`             // of all that the entry is
}

// sumOf returns the checksum of an entry.
func sumOf(log string, e *Entry) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q\n", log, e.Number, e.Kind)
	h.Write(e.Data)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Append adds an entry to a log, which is created by its first one. It returns when
// JetStream has stored it, however long that takes. The error is [ErrTaken] if the log has
// an entry of that number. Entries are kept for [Options.Keep].
func (q *Queue) Append(ctx context.Context, log string, e Entry) error {
	head := entryHeader{Writer: rand.Text(), Sum: sumOf(log, &e)}
	body := e.Data
	if len(body) > maxPart {
		body = nil
		for part := range slices.Chunk(e.Data, maxPart) {
			if err := q.write(ctx, partName(head.Writer, head.Parts), "", part); err != nil {
				return fmt.Errorf("queue: log %s: %w", log, err)
			}
			head.Parts++
		}
	}
	err := q.write(ctx, entryName(log, e.Number), e.Kind, pack(head, body))
	if err != nil {
		return fmt.Errorf("queue: log %s: %w", log, err)
	}
	return nil
}

// Entries have two messages each: JetStream drops all of a block of messages after a byte
// that the disk has changed (nats-server 2.15 lost 100 of 100), and says nothing. What one
// stream has lost is taken from the other one.

// entryName is the name of the message of an entry, in both streams.
func entryName(log string, number int) string {
	return "entry." + token(log) + "." + strconv.Itoa(number)
}

func partName(writer string, number int) string { return "part." + writer + "." + strconv.Itoa(number) }

// write writes a message of the log, and again while JetStream is away or has no room.
func (q *Queue) write(ctx context.Context, name, kind string, data []byte) error {
	m := messageOf(q.names.log()+name, kind, data)
	err := q.insist(ctx, "an entry of a log", func(ctx context.Context) error {
		_, err := q.link().js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0),
			jetstream.WithExpectStream(q.names.stream(logStream)))
		if !isTaken(err) {
			return err
		}
		found, readErr := q.message(ctx, name)
		switch {
		case errors.Is(readErr, jetstream.ErrMsgNotFound) && q.link().nats == nil:
			return jetstream.ErrNoStreamResponse // a cluster refuses it while one is on its way, which can be lost
		case readErr != nil:
			return readErr
		case !bytes.Equal(found.Data, data):
			return ErrTaken
		}
		return nil // by this call, whose first answer was lost: it has a writer or a name of its own
	})
	if err == nil {
		// Without an answer: the next start copies what is missing.
		err = q.link().conn.PublishMsg(messageOf(q.names.copies()+name, kind, data))
	}
	return err
}

// message reads a message of the log, from the stream that has it.
func (q *Queue) message(ctx context.Context, name string) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	m, err := q.link().entries.GetLastMsgForSubject(ctx, q.names.log()+name)
	if err != nil && ctx.Err() == nil {
		if other, otherErr := q.link().copies.GetLastMsgForSubject(ctx, q.names.copies()+name); otherErr == nil {
			return other, nil
		}
	}
	return m, err
}

// Last returns the last entry of a log. It is zero if there is none. The error is
// [ErrDamaged] if it is not as it was written, with its number.
func (q *Queue) Last(ctx context.Context, log string) (Entry, error) {
	last := 0
	info, err := q.link().entries.Info(ctx, jetstream.WithSubjectFilter(q.names.log()+"entry."+token(log)+".*"))
	if err != nil {
		return Entry{}, fmt.Errorf("queue: log %s: %w", log, err)
	}
	for subject := range info.State.Subjects {
		_, e, _ := q.entryOf(subject, nil)
		last = max(last, e.Number)
	}
	if last == 0 {
		return Entry{}, nil
	}
	e, err := q.Entry(ctx, log, last)
	if err == nil && e.Number == 0 { // it is there, and cannot be read
		err = ErrDamaged
	}
	e.Number = last
	return e, err
}

// Entry returns an entry of a log. It is zero if there is none.
func (q *Queue) Entry(ctx context.Context, log string, number int) (Entry, error) {
	m, err := q.message(ctx, entryName(log, number))
	return q.entry(ctx, log, m, err)
}

// entry reads the entry of a message.
func (q *Queue) entry(ctx context.Context, log string, m *jetstream.RawStreamMsg, err error) (e Entry, _ error) {
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return e, nil
	}
	var head entryHeader
	if err == nil {
		e.Number, err = strconv.Atoi(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:])
	}
	if err != nil {
		return e, fmt.Errorf("queue: log %s: %w", log, err)
	}
	e.Kind = m.Header.Get(kindHeader)
	if e.Data, err = unpack(m.Data, &head); err != nil {
		return e, ErrDamaged
	}
	for i := range head.Parts {
		part, err := q.message(ctx, partName(head.Writer, i))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return e, ErrDamaged
		}
		if err != nil {
			return e, fmt.Errorf("queue: log %s: %w", log, err)
		}
		e.Data = append(e.Data, part.Data...)
	}
	if sumOf(log, &e) != head.Sum {
		return e, ErrDamaged
	}
	return e, nil
}

// Tails returns the number and the kind of the last entry of each log, but not of those that
// end with a kind.
func (q *Queue) Tails(ctx context.Context, but string) (map[string]Entry, error) {
	all := make(map[string]Entry)
	add := func(subject string, header nats.Header) {
		if log, e, ok := q.entryOf(subject, header); ok && e.Kind == but {
			delete(all, log)
		} else if ok {
			all[log] = e
		}
	}
	err := eachMessage(ctx, q.link().entries, true, func(m jetstream.Msg) error {
		add(m.Subject(), m.Headers())
		return nil
	})
	if errors.Is(err, errSilent) { // it has lost messages: each is looked for in the copies, too
		clear(all)
		var info *jetstream.StreamInfo
		info, err = q.link().entries.Info(ctx, jetstream.WithSubjectFilter(q.names.log()+"entry.>"))
		if err != nil {
			return nil, fmt.Errorf("queue: %s: %w", q.names.stream(logStream), err)
		}
		for subject := range info.State.Subjects {
			log, e, _ := q.entryOf(subject, nil)
			if all[log].Number > e.Number {
				continue
			}
			m, one := q.message(ctx, entryName(log, e.Number))
			if one == nil {
				e.Kind = m.Header.Get(kindHeader)
			} else if !errors.Is(one, jetstream.ErrMsgNotFound) {
				err = errors.Join(err, one)
			}
			all[log] = e
		}
		maps.DeleteFunc(all, func(_ string, e Entry) bool { return e.Kind == but })
	}
	if err != nil {
		return nil, fmt.Errorf("queue: %s: %w", q.names.stream(logStream), err)
	}
	return all, nil
}

// entryOf returns what the subject and the header of a message say of its entry. It is false
// for a part of one.
func (q *Queue) entryOf(subject string, header nats.Header) (log string, e Entry, ok bool) {
	name, ok := strings.CutPrefix(subject, q.names.log()+"entry.")
	log, number, _ := strings.Cut(name, ".")
	n, err := strconv.Atoi(number)
	return fromToken(log), Entry{Number: n, Kind: header.Get(kindHeader)}, ok && err == nil
}

// A Message is a message of a log, or a value of a bucket, as a backup has it.
type Message struct {
	Name, Kind string
	Data       []byte
	Time       time.Time // when it was stored; zero for a value
}

// Export calls f with each message of the logs, and then with each value of these buckets.
func (q *Queue) Export(ctx context.Context, buckets []string, f func(*Message) error) error {
	err := eachMessage(ctx, q.link().entries, false, func(m jetstream.Msg) error {
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(m.Subject(), q.names.log())
		return f(&Message{name, m.Headers().Get(kindHeader), m.Data(), meta.Timestamp})
	})
	for _, name := range buckets {
		if err == nil {
			err = q.Bucket(name).export(ctx, f)
		}
	}
	return err
}

// Import stores a message that Export had, unless there is one with its name.
func (q *Queue) Import(ctx context.Context, m *Message) (err error) {
	switch parts := messageName.FindStringSubmatch(m.Name); {
	case parts == nil:
		err = errors.New("expected the name of a message of a log, or of a value of a bucket")
	case parts[1] != "":
		err = q.Bucket(parts[1]).Put(ctx, fromToken(parts[2]), m.Data, 0)
	default:
		err = q.write(ctx, m.Name, m.Kind, m.Data)
	}
	if err != nil && !errors.Is(err, ErrTaken) && !errors.Is(err, ErrChanged) {
		return fmt.Errorf("queue: message %.200q: %w", m.Name, err)
	}
	return nil
}

var messageName = regexp.MustCompile(
	`^(?:(?:entry|part)\.[A-Za-z0-9_=-]{1,300}\.[0-9]{1,9}|bucket\.([a-z]{1,30})\.([A-Za-z0-9_=-]{1,300}))$`)
