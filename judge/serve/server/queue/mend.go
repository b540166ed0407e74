package queue

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// kindHeader is the header of a message that has the kind of its entry, and revisionHeader that of
// a copy that has the revision of what it copies.
const (
	kindHeader     = "Crucible-Kind"
	revisionHeader = "Crucible-Revision"
	timeHeader     = "Crucible-Time" // of a copy that is younger than what it copies
)

// messageOf returns a message of an entry of a kind, or of a part of one.
func messageOf(subject, kind string, data []byte) *nats.Msg {
	m := &nats.Msg{Subject: subject, Header: nats.Header{}, Data: data}
	if kind != "" {
		m.Header.Set(kindHeader, kind)
	}
	return m
}

// copyOf returns the copy of a message.
func copyOf(subject string, of stamp, data []byte) *nats.Msg {
	m := messageOf(subject, of.kind, data)
	m.Header.Set(revisionHeader, strconv.FormatUint(of.revision, 10))
	return m
}

// lateCopyOf returns the copy of a message, or of its copy, that was stored before.
func lateCopyOf(subject string, of stamp, m *jetstream.RawStreamMsg) *nats.Msg {
	c := copyOf(subject, of, m.Data)
	c.Header.Set(timeHeader, cmp.Or(m.Header.Get(timeHeader), m.Time.Format(time.RFC3339Nano)))
	return c
}

// copy stores a copy, without an answer: the next start copies what is missing.
func (q *Queue) copy(m *nats.Msg) { q.uncopied(m, q.link().conn.PublishMsg(m)) }

// copied stores a copy, and waits for the answer.
func (q *Queue) copied(ctx context.Context, m *nats.Msg) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := q.link().js.PublishMsg(ctx, m)
	q.uncopied(m, err)
}

func (q *Queue) uncopied(m *nats.Msg, err error) {
	if err != nil {
		q.Log.Warn("a message has no copy until the next start", "subject", m.Subject, "error", err)
	}
}

// stampOf returns the stamp of a message, or of what it copies.
func stampOf(h nats.Header, sequence uint64) stamp {
	if n, err := strconv.ParseUint(h.Get(revisionHeader), 10, 64); err == nil {
		sequence = n
	}
	return stamp{sequence, h.Get(kindHeader)}
}

// A mirror is a stream and one with copies of its messages. JetStream drops all of a block of
// messages after a byte that the disk has changed (nats-server 2.15 lost 100 of 100), and says
// nothing. What one stream has lost is taken from the other one.
type mirror struct {
	main, copies *half
	bucket       string // "" if it is of the entries
}

// A half is a stream of a mirror, or another one.
type half struct {
	name   string // of the stream
	prefix string // of the subjects
	// open creates the stream unless it exists, with room for some bytes or more.
	open func(ctx context.Context, least int64) (jetstream.Stream, error)
	jetstream.Stream
}

// A stamp is what is known of a message without its data.
type stamp struct {
	revision uint64
	kind     string
}

// read returns the stamps of the messages, by name, and the names of those that cannot be read.
func (h *half) read(ctx context.Context) (all map[string]stamp, lost []string, err error) {
	all = make(map[string]stamp)
	err = errSilent
	if h.CachedInfo().Config.Retention != jetstream.WorkQueuePolicy { // which has no such consumers
		err = eachMessage(ctx, h, true, func(m jetstream.Msg) error {
			meta, err := m.Metadata()
			if err == nil {
				h.add(all, m.Subject(), m.Headers(), meta.Sequence.Stream, meta.Timestamp)
			}
			return err
		})
	}
	if !errors.Is(err, errSilent) {
		return all, nil, err
	}
	info, err := h.Info(ctx, jetstream.WithSubjectFilter(h.prefix+">"))
	if err != nil {
		return nil, nil, err
	}
	for subject := range info.State.Subjects {
		name := strings.TrimPrefix(subject, h.prefix)
		if all[name].revision > 0 {
			continue
		}
		m, err := h.GetLastMsgForSubject(ctx, subject)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
			lost = append(lost, name)
		case err != nil:
			return nil, nil, err
		default:
			h.add(all, subject, m.Header, m.Sequence, m.Time)
		}
	}
	return all, lost, nil
}

// add adds the stamp of a message that was stored at a time, unless its age has ended: a copy can
// be younger than what it copies.
func (h *half) add(all map[string]stamp, subject string, header nats.Header, sequence uint64, at time.Time) {
	if t, err := time.Parse(time.RFC3339Nano, header.Get(timeHeader)); err == nil {
		at = t
	}
	age := h.CachedInfo().Config.MaxAge
	if age > 0 && header.Get(revisionHeader) != "" && time.Since(at) > age-min(time.Minute, age/8) {
		return
	}
	all[strings.TrimPrefix(subject, h.prefix)] = stampOf(header, sequence)
}

// renew makes the stream anew: JetStream neither replaces what it cannot read, nor reads what it
// writes behind it.
func (h *half) renew(ctx context.Context, l *link, least int64) error {
	err := l.js.DeleteStream(ctx, h.name)
	if err == nil {
		h.Stream, err = h.open(ctx, least)
	}
	return err
}

// drop opens a stream whose messages are made again if they are lost. One that has lost some is
// made anew, if this server has it alone.
func (h *half) drop(ctx context.Context, l *link) (err error) {
	const offline = 10194 // the disk has changed the configuration of a consumer
	var lost []string
	var api *jetstream.APIError
	if h.Stream, err = h.open(ctx, 0); err == nil && l.nats != nil {
		_, lost, err = h.read(ctx)
	}
	if len(lost) > 0 || l.nats != nil && errors.As(err, &api) && api.ErrorCode == offline {
		err = h.renew(ctx, l, 0)
	}
	return err
}

// newer returns the names of messages that are newer in all than in other, or not in other.
func newer(all, other map[string]stamp) (names []string) {
	for name, of := range all {
		if other[name].revision < of.revision {
			names = append(names, name)
		}
	}
	return names
}

// mend opens both halves and makes them equal: the newer message of both is right. It reports
// whether the main stream was made anew, which only happens if this server has it alone.
func (m *mirror) mend(ctx context.Context, l *link, say *slog.Logger) (renewed bool, err error) {
	var all [2]map[string]stamp
	var lost [2][]string
	for i, h := range []*half{m.main, m.copies} {
		if h.Stream, err = h.open(ctx, 0); err == nil {
			all[i], lost[i], err = h.read(ctx)
		}
		if err != nil {
			return false, err
		}
	}
	main, copies, alone := all[0], all[1], l.nats != nil
	var room int64 // for what both have: --disk may be smaller than before
	if alone {
		room = int64(m.main.CachedInfo().State.Bytes + m.copies.CachedInfo().State.Bytes)
	}
	switch {
	case alone && len(lost[1]) > 0:
		copies, err = m.renewCopies(ctx, l, main, copies, room)
	case alone && len(lost[0])+len(newer(main, copies))+len(newer(copies, main)) > 0:
		m.copies.Stream, err = m.copies.open(ctx, room)
	}
	if err != nil {
		return false, err
	}
	late, err := m.addCopies(ctx, l, main, copies)
	if err != nil {
		return false, err
	}
	missing := len(newer(copies, main))
	if renewed = alone && len(lost[0])+missing > 0; renewed {
		clear(main)
		err = m.main.renew(ctx, l, room)
	}
	if err == nil {
		err = m.restore(ctx, l, main, copies)
	}
	for _, name := range slices.Concat(lost[0], lost[1]) {
		if _, has := copies[name]; has || !alone {
			continue
		}
		say.Error("the disk has changed both copies of a message", "subject", m.main.prefix+name)
		if m.bucket == "" && err == nil { // it reads as ErrDamaged
			_, err = l.js.PublishMsg(ctx, messageOf(m.main.prefix+name, "", nil))
		}
	}
	if missing+late > 0 || renewed {
		say.Warn("a stream and its copies are made equal", "subject", m.main.prefix, "from copies", missing,
			"not copied", late, "made anew", renewed)
	}
	return renewed, err
}

// renewCopies makes the copies anew, with those of which the main stream lacks the message, and
// returns these.
func (m *mirror) renewCopies(ctx context.Context, l *link, main, copies map[string]stamp,
	room int64) (map[string]stamp, error) {
	kept := make(map[string]stamp)
	var held []*nats.Msg
	for _, name := range newer(copies, main) {
		c, err := m.copies.GetLastMsgForSubject(ctx, m.copies.prefix+name)
		if err != nil {
			return nil, err
		}
		kept[name] = copies[name]
		held = append(held, lateCopyOf(c.Subject, kept[name], c))
	}
	err := m.copies.renew(ctx, l, room)
	for _, c := range held {
		if err == nil {
			_, err = l.js.PublishMsg(ctx, c)
		}
	}
	return kept, err
}

// addCopies copies the messages that have no copy, or an older one, and returns their number.
func (m *mirror) addCopies(ctx context.Context, l *link, main, copies map[string]stamp) (n int, err error) {
	for _, name := range newer(main, copies) {
		one, err := m.main.GetLastMsgForSubject(ctx, m.main.prefix+name)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue // its age has ended
		}
		if err == nil {
			copies[name] = stampOf(one.Header, one.Sequence)
			_, err = l.js.PublishMsg(ctx, lateCopyOf(m.copies.prefix+name, copies[name], one))
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// restore writes the copies that are newer than their messages to the main stream.
func (m *mirror) restore(ctx context.Context, l *link, main, copies map[string]stamp) error {
	for _, name := range newer(copies, main) {
		c, err := m.copies.GetLastMsgForSubject(ctx, m.copies.prefix+name)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		kind := copies[name].kind
		var stored *jetstream.PubAck
		if err == nil {
			stored, err = l.js.PublishMsg(ctx, messageOf(m.main.prefix+name, kind, c.Data),
				jetstream.WithExpectLastSequencePerSubject(main[name].revision))
		}
		if isTaken(err) {
			continue // by another server, meanwhile
		}
		if err == nil {
			_, err = l.js.PublishMsg(ctx, copyOf(c.Subject, stamp{stored.Sequence, kind}, c.Data))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isChanged reports whether an error is that of a value with another revision than expected.
func isChanged(err error) bool {
	return errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrKeyExists)
}

// errSilent is the error of a stream that does not send all messages that it says it has: the
// disk has changed one.
var errSilent = errors.New("queue: the stream has fallen silent")

const silence = 5 * time.Second

// eachMessage calls f with each message of a stream until there is no more, without its data if
// only its headers are needed.
func eachMessage(ctx context.Context, s jetstream.Stream, headers bool, f func(jetstream.Msg) error) error {
	info, err := s.Info(ctx)
	if err != nil || info.State.Msgs == 0 {
		return err
	}
	c, err := s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{HeadersOnly: headers})
	if err != nil {
		return err
	}
	messages, err := c.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextMaxWait(silence))
		if errors.Is(err, nats.ErrTimeout) {
			err = errSilent
		}
		if err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		meta, err := m.Metadata()
		if err == nil {
			err = f(m)
		}
		if err != nil || meta.NumPending == 0 {
			return err
		}
	}
}
