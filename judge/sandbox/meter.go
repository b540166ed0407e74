package sandbox

import (
	"fmt"
	"io"
	"sync"
)

// A meter counts what a program writes to its two streams and passes it on up
// to the limit.
type meter struct {
	limit int64  // bytes; 0 is none
	full  func() // called once, when the limit is passed

	mu     sync.Mutex
	n      int64 // bytes of both streams
	stderr int64 // of them
	err    error // of a writer; the judge's failure
}

// stream returns the writer for one of the two streams. It takes all that it
// is given, so that a program never blocks on the judge's account.
func (m *meter) stream(name string, to io.Writer) *stream { return &stream{m, name, to} }

type stream struct {
	m    *meter
	name string
	to   io.Writer // nil drops
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
			m.err = fmt.Errorf("write of the program's %s: %w", s.name, err)
		}
	}
	if passed && m.full != nil {
		m.full()
	}
	return len(p), nil
}
