package queue

import (
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

// kindHeader is the header of a message that has the kind of its entry.
const kindHeader = "Crucible-Kind"

// messageOf returns a message of an entry of a kind, or of a part of one.
func messageOf(subject, kind string, data []byte) *nats.Msg {
	m := &nats.Msg{Subject: subject, Data: data}
	if kind != "" {
		m.Header = nats.Header{kindHeader: {kind}}
	}
	return m
}

// mend makes both streams of the log equal.
func mend(ctx context.Context, js jetstream.JetStream, log, copies jetstream.Stream, of names, say *slog.Logger) error {
	if equal, err := equal(ctx, log, copies); equal || err != nil {
		return err
	}
	sides := []struct {
		stream jetstream.Stream
		prefix string
		names  map[string]uint64
	}{{log, of.log(), nil}, {copies, of.copies(), nil}}
	for i, s := range sides {
		info, err := s.stream.Info(ctx, jetstream.WithSubjectFilter(s.prefix+">"))
		if err != nil {
			return err
		}
		sides[i].names = info.State.Subjects
	}
	for i, s := range sides {
		other, lost := sides[1-i], 0
		late := make(map[string]int) // by log, the first number that is written again, so that the order is right
		for subject := range other.names {
			name := strings.TrimPrefix(subject, other.prefix)
			if _, has := s.names[s.prefix+name]; !has {
				lost++
				log, number := logOf(name)
				if first, ok := late[log]; !ok || number < first {
					late[log] = number
				}
			}
		}
		if lost == 0 {
			continue
		}
		var again []string
		for subject := range other.names {
			name := strings.TrimPrefix(subject, other.prefix)
			log, number := logOf(name)
			if first, ok := late[log]; ok && number >= first {
				again = append(again, name)
			}
		}
		slices.SortFunc(again, func(a, b string) int {
			_, m := logOf(a)
			_, n := logOf(b)
			return m - n
		})
		for _, name := range again {
			m, err := other.stream.GetLastMsgForSubject(ctx, other.prefix+name)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue // its age has ended, or it is damaged
			}
			if err == nil {
				_, err = js.PublishMsg(ctx, messageOf(s.prefix+name, m.Header.Get(kindHeader), m.Data))
			}
			if err != nil {
				return err
			}
		}
		say.Warn("messages of the log are taken from its copy, or copied", "to", s.prefix, "messages", lost)
	}
	return nil
}

// logOf returns the log and the number in the name of a message, and for one of a part its own.
func logOf(name string) (log string, number int) {
	at := strings.LastIndexByte(name, '.')
	number, _ = strconv.Atoi(name[at+1:])
	return name[:max(at, 0)], number
}

// equal reports whether both streams of the log have as many messages.
func equal(ctx context.Context, log, copies jetstream.Stream) (bool, error) {
	a, err := log.Info(ctx)
	if err != nil {
		return false, err
	}
	b, err := copies.Info(ctx)
	return err == nil && a.State.Msgs == b.State.Msgs, err
}

// revisionHeader is the header of the copy of a value that has the revision of the value.
const revisionHeader = "Crucible-Revision"

// valueCopies are copies of the values of buckets, which have them for the reason that entries
// of logs do. Keys are tokens here.
type valueCopies struct {
	conn   *nats.Conn
	stream jetstream.Stream
	of     names
	say    *slog.Logger
}

// put stores the copy of a value, without an answer: the next start copies what is missing.
func (c *valueCopies) put(bucket, key string, revision uint64, value []byte) {
	err := c.conn.PublishMsg(&nats.Msg{Subject: c.of.values() + bucket + "." + key, Data: value,
		Header: nats.Header{revisionHeader: {strconv.FormatUint(revision, 10)}}})
	if err != nil {
		c.say.Warn("a value has no copy", "bucket", bucket, "key", fromToken(key), "error", err)
	}
}

// openBucket opens the bucket of a name, and creates it if there is none.
type openBucket func(ctx context.Context, name string) (jetstream.KeyValue, error)

// mend makes the values of the buckets and their copies equal; the newer one of both is right.
// No other server has the buckets if it is alone.
func (c *valueCopies) mend(ctx context.Context, js jetstream.JetStream, open openBucket, alone bool) error {
	copies := make(map[string]map[string]uint64) // revisions, by bucket and key
	streams := js.StreamNames(ctx)
	for name := range streams.Name() {
		if name, ok := strings.CutPrefix(name, "KV_"+c.of.stream("")); ok && name != stateBucket {
			copies[strings.ToLower(name)] = make(map[string]uint64)
		}
	}
	if streams.Err() != nil {
		return streams.Err()
	}
	all, err := revisions(ctx, c.stream, c.of.values())
	if err != nil {
		return err
	}
	for name, revision := range all {
		bucket, key, _ := strings.Cut(name, ".")
		if copies[bucket] == nil {
			copies[bucket] = make(map[string]uint64)
		}
		copies[bucket][key] = revision
	}
	for name := range copies {
		if err := c.mendBucket(ctx, js, name, copies[name], open, alone); err != nil {
			return err
		}
	}
	return nil
}

func (c *valueCopies) mendBucket(ctx context.Context, js jetstream.JetStream, name string, copies map[string]uint64,
	open openBucket, alone bool) error {
	kv, err := open(ctx, name)
	if err != nil {
		return err
	}
	bucket, err := js.Stream(ctx, "KV_"+kv.Bucket())
	if err != nil {
		return err
	}
	values, err := revisions(ctx, bucket, "$KV."+kv.Bucket()+".")
	if err != nil {
		return err
	}
	again := make(map[string][]byte) // values to write, by key
	for key, revision := range copies {
		if values[key] >= revision {
			continue
		}
		m, err := c.stream.GetLastMsgForSubject(ctx, c.of.values()+name+"."+key)
		if err == nil {
			again[key] = m.Data
		} else if !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
	}
	if len(again) > 0 {
		c.say.Warn("values of a bucket are taken from their copies", "bucket", name, "values", len(again))
	}
	if len(again) > 0 && alone {
		// JetStream does not read what is written to a block that was damaged: the bucket is made
		// anew, with all its values.
		for key := range values {
			if _, ok := again[key]; ok {
				continue
			}
			if e, err := kv.Get(ctx, key); err == nil {
				c.put(name, key, e.Revision(), e.Value())
				again[key] = e.Value()
			}
		}
		err := c.conn.FlushTimeout(answerTime)
		if err == nil {
			err = js.DeleteKeyValue(ctx, kv.Bucket())
		}
		if err == nil {
			kv, err = open(ctx, name)
		}
		if err != nil {
			return err
		}
		clear(values)
	}
	for key, value := range again {
		revision, err := kv.Update(ctx, key, value, values[key])
		if err == nil {
			values[key] = revision
		} else if !isChanged(err) { // by another server, meanwhile
			return err
		}
	}
	for key, revision := range values {
		if copies[key] == revision {
			continue
		}
		if e, err := kv.Get(ctx, key); err == nil {
			c.put(name, key, e.Revision(), e.Value())
		} else if !errors.Is(err, jetstream.ErrKeyNotFound) {
			return err
		}
	}
	return nil
}

// isChanged reports whether an error is that of a value with another revision than expected.
func isChanged(err error) bool {
	return errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrKeyExists)
}

// revisions returns those of the messages of a stream, by what follows prefix in their subjects.
// What cannot be read is missing.
func revisions(ctx context.Context, s jetstream.Stream, prefix string) (map[string]uint64, error) {
	all := make(map[string]uint64)
	err := eachMessage(ctx, s, true, func(m jetstream.Msg) error {
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		revision, err := strconv.ParseUint(m.Headers().Get(revisionHeader), 10, 64)
		if err != nil {
			revision = meta.Sequence.Stream // of a value
		}
		all[strings.TrimPrefix(m.Subject(), prefix)] = revision
		return nil
	})
	if errors.Is(err, errSilent) {
		err = nil
	}
	return all, err
}

// errSilent is the error of a stream that does not send all messages that it says it has: the
// disk has changed one.
var errSilent = errors.New("queue: the stream has fallen silent")

const silence = 5 * time.Second

// eachMessage calls f with each message that is in a stream now, without its data if only its
// headers are needed.
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
		if err != nil || meta.Sequence.Stream >= info.State.LastSeq {
			return err
		}
	}
}
