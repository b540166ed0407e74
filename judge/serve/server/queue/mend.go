package queue

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"

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
