package blob

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

// piece is the number of bytes for which a client has a minute.
const piece = 1 << 20

// A pace gives each piece of a transfer a deadline.
type pace struct {
	set  func(time.Time) error // where there are no deadlines, its error changes nothing
	time time.Duration         // for a piece; 0 means a minute
	left int64                 // bytes of the piece
}

// next is called before bytes are transferred. It returns how many, at least 1, may be
// before the next call.
func (p *pace) next() int64 {
	if p.left <= 0 {
		p.set(time.Now().Add(cmp.Or(p.time, time.Minute)))
		p.left = piece
	}
	return p.left
}

// pacedReader is the body of a request.
type pacedReader struct {
	io.Reader
	pace
}

func (r *pacedReader) Read(p []byte) (int, error) {
	r.next()
	n, err := r.Reader.Read(p)
	r.left -= int64(n)
	return n, err
}

// pacedWriter is a response.
type pacedWriter struct {
	http.ResponseWriter
	pace
}

func (w *pacedWriter) Write(p []byte) (int, error) {
	w.next()
	n, err := w.ResponseWriter.Write(p)
	w.left -= int64(n)
	return n, err
}

// ReadFrom copies r in pieces. Files are still sent by the kernel, which net/http does
// if it finds a file in one LimitedReader.
func (w *pacedWriter) ReadFrom(r io.Reader) (n int64, err error) {
	whole, ok := r.(*io.LimitedReader)
	if !ok {
		whole = &io.LimitedReader{R: r, N: 1<<63 - 1}
	}
	for whole.N > 0 && err == nil {
		part := io.LimitedReader{R: whole.R, N: min(whole.N, w.next())}
		var m int64
		m, err = io.Copy(w.ResponseWriter, &part)
		w.left -= m
		whole.N -= m
		n += m
		if part.N > 0 {
			break // the end of r
		}
	}
	return n, err
}
