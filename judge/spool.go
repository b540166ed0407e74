package judge

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// spoolMemory is the maximum part of an output in memory, in bytes. The rest goes
// to a file, so that many large outputs at once do not exhaust the memory.
const spoolMemory = 16 << 20

// A spool stores the output of a program until the checker has read it. The zero
// value is ready.
type spool struct {
	mem  bytes.Buffer
	file *os.File // the rest; nil if everything fits in memory
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.mem.Len()+len(p) <= spoolMemory {
		return s.mem.Write(p)
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "crucible-output-")
		if err != nil {
			return 0, err
		}
		// Remove its name where possible, so that the file cannot stay if the judge is
		// killed.
		os.Remove(f.Name())
		s.file = f
	}
	return s.file.Write(p)
}

// reader returns a reader of the complete output.
func (s *spool) reader() (io.Reader, error) {
	mem := bytes.NewReader(s.mem.Bytes())
	if s.file == nil {
		return mem, nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.MultiReader(mem, s.file), nil
}

// open returns the reader with a Close that does nothing.
func (s *spool) open() (io.ReadCloser, error) {
	r, err := s.reader()
	return io.NopCloser(r), err
}

// start returns a copy of the first bytes, at most most of them.
func (s *spool) start(most int) []byte {
	b := s.mem.Bytes()
	return bytes.Clone(b[:min(len(b), most)])
}

// equals reports whether the spool has exactly these bytes, all in memory.
func (s *spool) equals(data []byte) bool { return s.file == nil && bytes.Equal(s.mem.Bytes(), data) }

// reset empties the spool.
func (s *spool) reset() error {
	s.mem.Reset()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if e := os.Remove(s.file.Name()); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	s.file = nil
	return err
}

// A head keeps the first bytes written to it and drops the rest.
type head struct {
	buf  bytes.Buffer
	most int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.most - h.buf.Len(); room > 0 {
		h.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
