package queue

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// An Entry is what a server must know of something after it was killed. It replaces the one
// before it that has its name.
type Entry struct {
	Revision uint64 // larger than that of the one before it; 0 is none
	Kind     string // a word
	Data     []byte
}

// ErrTaken is the error of an entry whose place another writer has taken.
var ErrTaken = errors.New("queue: another server has written the entry")

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
func sumOf(name string, e *Entry) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", name, e.Kind)
	h.Write(e.Data)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Write writes an entry in place of the one of that name and revision, and returns its own
// revision. It returns when JetStream has stored it, however long that takes. The error is
// [ErrTaken] if the entry of that name has another revision. Entries are kept for
// [Options.Keep].
func (q *Queue) Write(ctx context.Context, name string, e Entry) (revision uint64, err error) {
	head := entryHeader{Writer: rand.Text(), Sum: sumOf(name, &e)}
	body := e.Data
	if len(body) > maxPart {
		body = nil
		for part := range slices.Chunk(e.Data, maxPart) {
			if _, err := q.write(ctx, partName(head.Writer, head.Parts), "", part, 0); err != nil {
				return 0, fmt.Errorf("queue: entry %s: %w", name, err)
			}
			head.Parts++
		}
	}
	revision, err = q.write(ctx, entryName(name), e.Kind, pack(head, body), e.Revision)
	if err != nil {
		if errors.Is(err, ErrTaken) && head.Parts > 0 {
			q.removeParts(head.Writer)
		}
		return 0, fmt.Errorf("queue: entry %s: %w", name, err)
	}
	q.noteParts(name, revision, &head)
	return revision, nil
}

// noteParts notes the parts of an entry of a revision, and removes others that it had before.
func (q *Queue) noteParts(name string, revision uint64, head *entryHeader) {
	q.mu.Lock()
	old := q.parts[name]
	switch {
	case revision <= old.revision: // another goroutine has read or written this one, or a later one
		old.writer = ""
	case head.Parts == 0:
		delete(q.parts, name)
	default:
		q.parts[name] = parted{revision, head.Writer}
	}
	q.mu.Unlock()
	if old.writer != "" {
		q.removeParts(old.writer)
	}
}

// removeParts removes the parts of an entry that was replaced, or not stored. What it cannot
// remove stays as long as entries do.
func (q *Queue) removeParts(writer string) {
	if strings.ContainsAny(writer, "*>.") {
		return // of a backup that somebody has changed
	}
	q.spawn(func() {
		of := q.link().entries
		for _, h := range []*half{of.main, of.copies} {
			ctx, cancel := context.WithTimeout(q.run, answerTime)
			err := h.Purge(ctx, jetstream.WithPurgeSubject(h.prefix+partPrefix+writer+".*"))
			if cancel(); err != nil && q.run.Err() == nil {
				q.Log.Warn("the old parts of an entry are not removed", "stream", h.name, "error", err)
			}
		}
	})
}

// entryName is the name of the message of an entry, in both streams.
func entryName(name string) string { return "of." + token(name) }

// partPrefix begins the name of a part of an entry.
const partPrefix = "part."

func partName(writer string, number int) string {
	return partPrefix + writer + "." + strconv.Itoa(number)
}

// write writes a message of an entry in place of the one of a revision, and again while JetStream
// is away or has no room.
func (q *Queue) write(ctx context.Context, name, kind string, data []byte, old uint64) (revision uint64, err error) {
	m := messageOf(q.names.entries()+name, kind, data)
	err = q.insist(ctx, "an entry", func(ctx context.Context) error {
		stored, err := q.link().js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(old),
			jetstream.WithExpectStream(q.names.stream(entryStream)))
		if err == nil {
			revision = stored.Sequence
		}
		if !isTaken(err) {
			return err
		}
		found, err := q.message(ctx, name)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		if revision = 0; err == nil {
			revision = stampOf(found.Header, found.Sequence).revision
		}
		l := q.link()
		switch {
		case err == nil && bytes.Equal(found.Data, data): // by this call, whose first answer was lost
			return nil
		case l.nats == nil && revision == old: // a cluster refuses it while one is on its way, which can be lost
			return jetstream.ErrNoStreamResponse
		case q.renewed.Load(): // nobody else writes it
			old = revision
			return jetstream.ErrNoStreamResponse
		}
		return ErrTaken
	})
	if err == nil {
		c := copyOf(q.names.copies("entries")+name, stamp{revision, kind}, data)
		if strings.HasPrefix(name, partPrefix) { // it may be removed at once
			q.copied(ctx, c)
		} else {
			q.copy(c)
		}
	}
	return revision, err
}

// message reads a message of an entry, from the stream that has it.
func (q *Queue) message(ctx context.Context, name string) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	l := q.link()
	of := l.entries
	m, err := of.main.GetLastMsgForSubject(ctx, of.main.prefix+name)
	// A cluster that does not answer may have a newer one.
	if errors.Is(err, jetstream.ErrMsgNotFound) || err != nil && l.nats != nil && ctx.Err() == nil {
		if other, otherErr := of.copies.GetLastMsgForSubject(ctx, of.copies.prefix+name); otherErr == nil {
			return other, nil
		}
	}
	return m, err
}

// Entry returns the entry of a name. It is zero if there is none. The error is [ErrDamaged] if
// it is not as it was written; its revision may be 0 then.
func (q *Queue) Entry(ctx context.Context, name string) (e Entry, err error) {
	for {
		if e, err = q.read(ctx, name); err == nil && e.Revision == 0 && q.run.Err() != nil {
			return e, ErrClosed // a NATS server that stops says that there is nothing
		}
		if !errors.Is(err, ErrDamaged) || e.Revision == 0 {
			return e, err
		}
		m, missing := q.message(ctx, entryName(name))
		if missing != nil || stampOf(m.Header, m.Sequence).revision == e.Revision {
			return e, err
		} // else it was replaced meanwhile, and its parts removed
	}
}

func (q *Queue) read(ctx context.Context, name string) (e Entry, err error) {
	m, err := q.message(ctx, entryName(name))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		var info *jetstream.StreamInfo
		info, err = q.link().entries.main.Info(ctx, jetstream.WithSubjectFilter(q.names.entries()+entryName(name)))
		if err == nil && len(info.State.Subjects) == 0 {
			return e, nil
		}
		if err == nil { // it was written meanwhile, or is there and cannot be read
			m, err = q.message(ctx, entryName(name))
		}
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return e, ErrDamaged
		}
	}
	if err != nil {
		return e, fmt.Errorf("queue: entry %s: %w", name, err)
	}
	var head entryHeader
	of := stampOf(m.Header, m.Sequence)
	e.Revision, e.Kind = of.revision, of.kind
	if e.Data, err = unpack(m.Data, &head); err != nil {
		return e, ErrDamaged
	}
	if head.Parts > 0 {
		q.noteParts(name, e.Revision, &head)
	}
	for i := range head.Parts {
		part, err := q.message(ctx, partName(head.Writer, i))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return e, ErrDamaged
		}
		if err != nil {
			return e, fmt.Errorf("queue: entry %s: %w", name, err)
		}
		e.Data = append(e.Data, part.Data...)
	}
	if sumOf(name, &e) != head.Sum {
		return e, ErrDamaged
	}
	return e, nil
}

// Names returns the names of the entries that are of another kind.
func (q *Queue) Names(ctx context.Context, but string) (names []string, err error) {
	all, lost, err := q.link().entries.main.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("queue: %s: %w", q.names.stream(entryStream), err)
	}
	for _, name := range lost {
		all[name] = stamp{}
		if m, err := q.message(ctx, name); err == nil {
			all[name] = stampOf(m.Header, m.Sequence)
		}
	}
	for name, of := range all {
		if name, ok := strings.CutPrefix(name, "of."); ok && of.kind != but {
			names = append(names, fromToken(name))
		}
	}
	return names, nil
}

// A Message is a message of an entry, or a value of a bucket, as a backup has it.
type Message struct {
	Name, Kind string
	Data       []byte
	Time       time.Time // when it was stored; zero for a value
}

// Export calls f with each message of the entries, and then with each value of these buckets.
func (q *Queue) Export(ctx context.Context, buckets []string, f func(*Message) error) error {
	err := eachMessage(ctx, q.link().entries.main, false, func(m jetstream.Msg) error {
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(m.Subject(), q.names.entries())
		return f(&Message{name, m.Headers().Get(kindHeader), m.Data(), meta.Timestamp})
	})
	for _, name := range buckets {
		if err == nil {
			err = q.Bucket(name).export(ctx, f)
		}
	}
	return err
}

// Import stores a message that Export had. Of several of one name, the last one counts.
func (q *Queue) Import(ctx context.Context, m *Message) error {
	parts := messageName.FindStringSubmatch(m.Name)
	var err error
	switch {
	case parts == nil:
		err = errors.New("expected the name of a message of an entry, or of a value of a bucket")
	case parts[1] != "":
		err = q.Bucket(parts[1]).Change(ctx, fromToken(parts[2]), func([]byte) ([]byte, error) { return m.Data, nil })
	default:
		var old uint64
		found, missing := q.message(ctx, m.Name)
		if missing == nil {
			old = stampOf(found.Header, found.Sequence).revision
		}
		_, err = q.write(ctx, m.Name, m.Kind, m.Data, old)
	}
	if err != nil {
		return fmt.Errorf("queue: message %.200q: %w", m.Name, err)
	}
	return nil
}

var messageName = regexp.MustCompile(`^(?:of\.[A-Za-z0-9_=-]{1,300}|part\.[A-Za-z0-9_=-]{1,300}\.[0-9]{1,9}|` +
	`bucket\.([a-z]{1,30})\.([A-Za-z0-9_=-]{1,300}))$`)
