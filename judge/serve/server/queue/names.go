package queue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// names have the names of streams, buckets and subjects after a prefix.
type names string

var prefixes = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// Streams and buckets.
const (
	itemStream   = "ITEMS"
	resultStream = "RESULTS"
	stateBucket  = "STATES"
	entryStream  = "ENTRIES"
	copyStream   = "COPY" // and what it copies
)

// stream is the name of a stream or a bucket.
func (n names) stream(of string) string { return strings.ToUpper(string(n)) + "_" + of }

// Subjects. The tokens after each are listed with it.
func (n names) items() string           { return string(n) + ".item." }            // class submitter kept id
func (n names) results() string         { return string(n) + ".result." }          // submitter id
func (n names) entries() string         { return string(n) + ".entry." }           // name; see entryName
func (n names) copies(of string) string { return string(n) + ".copy." + of + "." } // name
func (n names) cancelled() string       { return string(n) + ".cancel" }
func (n names) said() string            { return string(n) + ".say." } // what

// token writes any string as one token of a subject and key of a bucket. Different strings
// have different tokens.
func token(s string) string {
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

// lastToken returns what the last token of a subject stands for.
func lastToken(subject string) string {
	return fromToken(subject[strings.LastIndexByte(subject, '.')+1:])
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
