package sandbox

import (
	"fmt"
	"io"
	"sync"
)

// A meter counts the bytes that a program writes to its two streams, and passes
// them on up to the limit.
type meter struct {
	limit int64  // bytes; 0 means no limit
	full  func() // called once, when the limit is exceeded

	mu     sync.Mutex
	n      int64 // bytes written to both streams
	stderr int64 // the part of n written to stderr
	err    error // the first error of a writer, which is a failure of the judge
}

// stream returns the writer for one of the two streams. It accepts all data, so the
// program never blocks because of the judge.
func (m *meter) stream(name string, to io.Writer) *stream { return &stream{m, name, to} }

type stream struct {
	m    *meter
	name string
	to   io.Writer // nil discards
}

func (s *stream) Write(p []byte) (int, error) {
	m := s.m
	m.mu.Lock()
	defer m.mu.Unlock()
	room := p
	if m.limit > 0 {
		room = p[:min(int64(len(p)), max(m.limit-m.n, 0))]
	}
	passed := m.limit > 0 && m.n <= m.limit && m.n+int64(len(p)) > m.limit
	m.n += int64(len(p))
	if s.name == "stderr" {
		m.stderr += int64(len(p))
	}
	if s.to != nil && m.err == nil && len(room) > 0 {
		if _, err := s.to.Write(room); err != nil {
			m.err = fmt.Errorf("write the program's %s: %w", s.name, err)
		}
	}
	if passed && m.full != nil {
		m.full()
	}
	return len(p), nil
}
