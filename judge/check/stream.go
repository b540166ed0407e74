package check

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A stream reads one block at a time. A block is so large that the system call costs
// little, and so small that two blocks fit into a core's second-level cache. A stream
// keeps at least the last history bytes that were read, so that a number or an excerpt
// is available from its first byte.
const (
	block   = 128 << 10
	history = 2 * maxFloat
)

// A stream is a window that moves over one of the two texts. For the text before
// the window it keeps only counts, so the text may have any length.
//
// Counting costs more than comparing equal bytes. So if the reader can seek, lines
// and tokens are counted only when their number is needed.
type stream struct {
	name     string // "answer" or "output"
	r        io.Reader
	err      error // the error that ended the text: io.EOF or a failure
	pos, end int   // buf[pos:end] is unread

	again io.ReadSeeker // r, if it can seek; else nil
	start int64         // its offset at the beginning

	// For the text before buf[0]:
	length     int    // bytes
	tokenStart int    // start of the token that continues in buf; length if there is none
	gone       counts // not maintained if again is set

	buf [history + block]byte
}

func (s *stream) reset(name string, r io.Reader) {
	s.name, s.r, s.err, s.pos, s.end = name, r, nil, 0, 0
	s.length, s.tokenStart, s.gone = 0, 0, counts{}
	s.again = nil
	if again, ok := r.(io.ReadSeeker); ok {
		if start, err := again.Seek(0, io.SeekCurrent); err == nil { // fails for a pipe
			s.again, s.start = again, start
		}
	}
}

func (s *stream) unread() []byte { return s.buf[s.pos:s.end] }

// more reads the next block. It returns false at the end of the text or on failure.
func (s *stream) more() bool {
	if s.err != nil {
		return false
	}
	if s.end == len(s.buf) {
		s.slide()
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// failed returns the reader's error, once everything before it has been read.
func (s *stream) failed() error {
	if s.pos < s.end || s.err == nil || s.err == io.EOF {
		return nil
	}
	return fmt.Errorf("read the %s at byte %d: %w", s.name, s.length+s.end, s.err)
}

// slide moves the window forward and counts the bytes that leave it.
func (s *stream) slide() {
	n := s.pos - history
	if n <= 0 {
		return
	}
	gone := s.buf[:n]
	if s.again == nil {
		s.gone.add(gone)
	}
	if k := tail(gone); k < n || s.tokenStart == s.length {
		s.tokenStart = s.length + n - k
	}
	s.length += n
	s.pos -= n
	s.end = copy(s.buf[:], s.buf[n:s.end])
}

// tail returns the number of bytes after the last whitespace of b.
func tail(b []byte) int {
	i := len(b)
	for i >= 8 && spaces(binary.LittleEndian.Uint64(b[i-8:])) == 0 {
		i -= 8
	}
	for i > 0 && !space[b[i-1]] {
		i--
	}
	return len(b) - i
}

// behind returns the number of bytes before the position that belong to one token,
// which may continue after it.
func (s *stream) behind() int {
	k := tail(s.buf[:s.pos])
	if k == s.pos {
		k += s.length - s.tokenStart
	}
	return k
}

// read returns the counts of the text before the position. Afterwards the stream may
// be unable to continue.
func (s *stream) read() (counts, error) {
	c := s.gone
	if s.again != nil && s.length > 0 {
		if _, err := s.again.Seek(s.start, io.SeekStart); err != nil {
			return c, fmt.Errorf("read the %s again: %w", s.name, err)
		}
		buf := make([]byte, block)
		for left := s.length; left > 0; left -= len(buf) {
			buf = buf[:min(left, len(buf))]
			if _, err := io.ReadFull(s.again, buf); err != nil {
				return c, fmt.Errorf("read the %s again: %w", s.name, err)
			}
			c.add(buf)
		}
	}
	c.add(s.buf[:s.pos])
	return c, nil
}

// skip reads past whitespace.
func (s *stream) skip() {
	for {
		i := s.pos
		for i < s.end && space[s.buf[i]] {
			i++
		}
		s.pos = i
		if i < s.end || !s.more() {
			return
		}
	}
}

// inside reports whether the byte read last belongs to a token.
func (s *stream) inside() bool { return s.pos > 0 && !space[s.buf[s.pos-1]] }

// atToken reports whether the next byte belongs to a token: it is neither
// whitespace nor the end.
func (s *stream) atToken() bool { return s.pos < s.end && !space[s.buf[s.pos]] }

func (s *stream) ended() bool { return s.pos == s.end }

// token returns the token of which k bytes were already read, or nil if it is
// longer than maxFloat. The result is valid until the next read.
func (s *stream) token(k int) ([]byte, error) {
	for n := 0; n+k <= maxFloat; n++ {
		if s.pos+n < s.end || s.more() {
			if !space[s.buf[s.pos+n]] {
				continue
			}
		} else if s.err != io.EOF {
			s.pos = s.end
			return nil, s.failed()
		}
		return s.buf[s.pos-k : s.pos+n], nil
	}
	return nil, nil
}

// excerpt returns the token of which k bytes were read before the first unread
// byte, or the whitespace that starts there, cut as [Kind] describes.
func (s *stream) excerpt(k int, whitespace bool) string {
	const dots = "..."
	var head string
	if k > maxExcerpt/2 {
		k, head = maxExcerpt/4, dots
	}
	for s.end-s.pos <= maxExcerpt && s.more() { // one more byte shows whether the text is cut
	}
	text := s.buf[s.pos-k : s.end]
	n := k
	for n < len(text) && space[text[n]] == whitespace {
		n++
	}
	if len(head)+n > maxExcerpt {
		return head + string(text[:maxExcerpt-len(head)-len(dots)]) + dots
	}
	return head + string(text[:n])
}
