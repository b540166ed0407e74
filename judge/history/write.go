package history

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"crucible/judge/bench"
	"crucible/judge/internal/osfile"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// A Writer writes the file of a call. It is for concurrent use. After an error
// nothing more is written, so that no line follows one that is cut.
//
// Nobody waits for the disk but who closes it: lines are brought there beside
// the writing, the first at once, later ones within about a second. So a judge
// that is killed loses nothing that it wrote, a machine that loses its power the
// last second, and a call that has ended is there.
type Writer struct {
	ID string

	mu     sync.Mutex
	f      *os.File
	buffer []byte
	limits *sandbox.Limits // of the last trial; nil before it
	err    error
	told   bool // err was returned

	written chan struct{} // holds one if there are lines that are not on the disk
	ending  chan struct{} // closed by Close
	kept    chan struct{} // closed when nothing is brought to the disk any more
}

const (
	pace     = time.Second     // between two times that lines are brought to the disk
	patience = 5 * time.Second // with a disk, at the end
)

// Create begins the file of a call in the folder, which it makes if need be,
// and sets the schema, id and time of its head.
func Create(folder string, h *Head) (*Writer, error) {
	return create(folder, h, syncAll)
}

// create is Create; sync brings a file and folders to the disk.
func create(folder string, h *Head, sync func(f *os.File, folders []string) error) (*Writer, error) {
	folders := changedBy(folder)
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
		// A reader that asks whether the file is locked locks it for a moment. Without
		// locks, the call looks killed until it ends.
		for range 10 {
			if !errors.Is(osfile.Lock(f), osfile.ErrLocked) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		w := &Writer{ID: h.ID, f: f, written: make(chan struct{}, 1), ending: make(chan struct{}), kept: make(chan struct{})}
		if err := w.Write(&Line{Head: h}); err != nil {
			// Nothing is known of the call, then.
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
		go w.keep(w.written, func(folders []string) error { return sync(f, folders) }, folders)
		return w, nil
	}
}

// keep brings lines to the disk as they are written, and once the folders that
// the file is new in.
func (w *Writer) keep(written <-chan struct{}, sync func(folders []string) error, folders []string) {
	defer close(w.kept)
	for range written {
		if err := sync(folders); err != nil {
			w.mu.Lock()
			w.err = cmp.Or(w.err, err)
			w.mu.Unlock()
			return
		}
		folders = nil
		select {
		case <-time.After(pace):
		case <-w.ending:
		}
	}
}

// changedBy returns the folders in which something is new once there is a file
// in the folder: itself, and those in which a folder has to be made for it.
func changedBy(folder string) []string {
	all := []string{folder}
	for {
		if _, err := os.Stat(folder); err == nil || filepath.Dir(folder) == folder {
			return all
		}
		folder = filepath.Dir(folder)
		all = append(all, folder)
	}
}

// syncAll waits until a file and folders are on the disk. Where a system does
// not have that, or not for folders, there is nothing to wait for.
func syncAll(f *os.File, folders []string) error {
	if err := f.Sync(); err != nil && !cannotSync(err) {
		return err
	}
	for _, folder := range folders {
		d, err := os.Open(folder)
		if err == nil {
			err = d.Sync()
			d.Close()
		}
		if err != nil && !cannotSync(err) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

func cannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
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
func (w *Writer) Trial(measurement int, t bench.Trial) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := &Line{Trial: &Trial{Measurement: measurement, Trial: t}}
	if limits := t.Outcome.Limits; w.limits == nil || *w.limits != limits {
		w.limits, l.Trial.Enforced = &limits, &limits
	}
	return w.write(l)
}

func (w *Writer) write(l *Line) error {
	if w.err == nil {
		if w.buffer, w.err = record.Append(w.buffer[:0], l, l.Trial != nil); w.err == nil {
			// One write: whoever is killed has written all of the line or, between
			// two blocks of the disk, its start.
			_, w.err = w.f.Write(append(w.buffer, '\n'))
		}
	}
	if w.err != nil {
		w.told = true
		return w.err
	}
	select {
	case w.written <- struct{}{}:
	default:
	}
	return nil
}

// Close ends the file, and waits a while for the disk. A call without an end was
// killed. The error is none that Write or Trial returned before.
func (w *Writer) Close() error {
	late := w.finish()
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.f.Close()
	if w.told {
		return err
	}
	return cmp.Or(w.err, late, err)
}

// finish waits until all lines are on the disk, but not for ever.
func (w *Writer) finish() error {
	w.mu.Lock()
	written := w.written
	w.written = nil
	w.mu.Unlock()
	if written == nil {
		return nil
	}
	close(w.ending)
	close(written)
	select {
	case <-w.kept:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("%s: its last lines are not on the disk after %v", w.f.Name(), patience)
	}
}
