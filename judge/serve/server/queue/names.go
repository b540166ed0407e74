package queue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Streams and buckets.
const (
	itemStream       = "CRUCIBLE_ITEMS"
	resultStream     = "CRUCIBLE_RESULTS"
	cellBucket       = "CRUCIBLE_CELLS"
	quarantineBucket = "CRUCIBLE_QUARANTINE"
	stateBucket      = "CRUCIBLE_STATE"
)

// Subjects. The tokens after each prefix are listed with it.
const (
	itemSubject   = "crucible.item."   // class language priority client id
	resultSubject = "crucible.result." // submitter id
	workSubject   = "crucible.work."   // worker verb
	laneSubject   = "crucible.lane."   // class language priority client: the lane has items
	cancelSubject = "crucible.cancel"
)

// subjectToken writes any string as one token of a subject and key of a bucket.
// Different strings have different tokens.
func subjectToken(s string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			b.WriteByte('=')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// subjectTokens writes each of some strings as a token; nil stays nil.
func subjectTokens(names []string) []string {
	if names == nil {
		return nil
	}
	tokens := make([]string, len(names))
	for i, n := range names {
		tokens[i] = subjectToken(n)
	}
	return tokens
}

// fromToken returns the string of a token.
func fromToken(t string) string {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if n, err := strconv.ParseUint(t[min(i+1, len(t)):min(i+3, len(t))], 16, 8); t[i] == '=' && err == nil {
			b.WriteByte(byte(n))
			i += 2
			continue
		}
		b.WriteByte(t[i])
	}
	return b.String()
}

// A lane holds the items of one client that the same workers can run. A work-queue
// stream allows one consumer for each subject, so each lane has a consumer of its own.
type lane struct {
	class, language, client string // tokens of subjects
	priority                bool
}

func laneOf(it *Item) lane {
	return lane{
		class: subjectToken(it.Class), language: subjectToken(it.Language),
		client: subjectToken(it.Client), priority: it.Priority,
	}
}

// suffix is the part of the lane's subjects after the prefix.
func (l lane) suffix() string {
	p := "0"
	if l.priority {
		p = "1"
	}
	return l.class + "." + l.language + "." + p + "." + l.client
}

func (l lane) item(id string) string { return itemSubject + l.suffix() + "." + subjectToken(id) }

// parseLane reads what suffix wrote; anything may follow it.
func parseLane(suffix string) (lane, bool) {
	f := strings.Split(suffix, ".")
	if len(f) < 4 {
		return lane{}, false
	}
	return lane{class: f[0], language: f[1], priority: f[2] == "1", client: f[3]}, true
}

// pack puts a header and a body into one message: a line of JSON, then the bytes.
func pack(header any, body []byte) []byte {
	h, err := json.Marshal(header)
	if err != nil {
		panic(err) // headers are structures of strings and numbers
	}
	return append(append(h, '\n'), body...)
}

func unpack(message []byte, header any) (body []byte, err error) {
	h, body, found := bytes.Cut(message, []byte{'\n'})
	if !found {
		return nil, fmt.Errorf("queue: a message of %d bytes has no header line", len(message))
	}
	if err := json.Unmarshal(h, header); err != nil {
		return nil, fmt.Errorf("queue: header of a message: %w", err)
	}
	return body, nil
}
