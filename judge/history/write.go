package history

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"crucible/judge/report"
)

// A Writer writes the file of a call. It is for concurrent use. After an error
// nothing more is written, so that no line follows one that is cut.
type Writer struct {
	ID string

	mu     sync.Mutex
	f      *os.File
	buffer bytes.Buffer
	before *report.JSONEnforced // of the last trial
	err    error
}

// Create begins the file of a call in the folder, which it makes if need be,
// and sets the schema, id and time of its head.
func Create(folder string, h *Head) (*Writer, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	h.Schema, h.Time = Schema, time.Now().UTC()
	for {
		h.ID = newID()
		name := h.Time.Format(timeLayout) + "-" + h.ID + extension
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lock(f)
		w := &Writer{ID: h.ID, f: f}
		if err := w.Write(&Line{Head: h}); err != nil {
			// Nothing is known of the call, then.
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
		return w, nil
	}
}

func newID() string {
	random := make([]byte, idLength)
	rand.Read(random) // it never fails
	for i, b := range random {
		random[i] = letters[int(b)%len(letters)]
	}
	return string(random)
}

// Write adds a line.
func (w *Writer) Write(l *Line) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(l)
}

// Trial adds a trial of the measurement of that number.
func (w *Writer) Trial(measurement int, t report.JSONTrial) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := &Line{Trial: trialOf(measurement, t, w.before)}
	w.before = &t.Enforced
	return w.write(l)
}

func (w *Writer) write(l *Line) error {
	if w.err != nil {
		return w.err
	}
	w.buffer.Reset()
	e := json.NewEncoder(&w.buffer)
	e.SetEscapeHTML(false)
	if w.err = e.Encode(l); w.err == nil {
		// One write: whoever is killed has written all of the line or, between
		// two blocks of the disk, its start.
		_, w.err = w.f.Write(w.buffer.Bytes())
	}
	return w.err
}

// Close ends the file. A call without an end was killed.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.f.Close()
}
