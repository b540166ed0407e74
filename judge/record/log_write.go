package record

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

	"crucible/judge/internal/osfile"
)

// A LogWriter writes the file of a call. It is safe for concurrent use. After an error
// it writes nothing more, so no line follows an incomplete one.
//
// Only Close waits for the disk. A goroutine syncs the file in the background: at
// once after the first line, and later at most once a second. If the judge is
// killed, no written line is lost. If the machine loses power, about the last second
// of lines is lost. After Close without an error, all lines are on the disk.
type LogWriter struct {
	ID string // the id of the call

	mu     sync.Mutex
	f      *os.File
	buffer []byte
	err    error

	written chan struct{} // contains one element if lines are not on the disk yet
	ending  chan struct{} // closed by Close
	synced  chan struct{} // closed when syncLoop has returned
}

const (
	pace     = time.Second     // minimum time between two syncs
	patience = 5 * time.Second // maximum time that Close waits for the disk
)

// CreateLog creates the file of a call in the folder and writes the head. It creates
// the folder if needed, and sets Schema, ID and Time of the head. The caller must
// call Close.
func CreateLog(folder string, h *Head) (*LogWriter, error) {
	return createLog(folder, h, syncAll)
}

// createLog is CreateLog with a function that syncs a file and folders to the disk.
func createLog(folder string, h *Head, sync func(f *os.File, folders []string) error) (*LogWriter, error) {
	folders := changedBy(folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	h.Schema, h.Time = LogSchema, time.Now().UTC()
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
		// A reader that tests the lock takes it for a moment, hence the retries. If locks
		// are not available, the call looks killed until it ends.
		for range 10 {
			if !errors.Is(osfile.Lock(f), osfile.ErrLocked) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		w := &LogWriter{ID: h.ID, f: f, written: make(chan struct{}, 1), ending: make(chan struct{}),
			synced: make(chan struct{})}
		if err := w.Write(&Line{Head: h}); err != nil {
			// Without a head, the file is useless.
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
		go w.syncLoop(w.written, func(folders []string) error { return sync(f, folders) }, folders)
		return w, nil
	}
}

// syncLoop syncs the file after lines are written, and with the first sync also the
// folders that have a new entry.
func (w *LogWriter) syncLoop(written <-chan struct{}, sync func(folders []string) error, folders []string) {
	defer close(w.synced)
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

// changedBy returns the folders that get a new entry when a file is created in the
// folder: the folder itself, and each parent in which a folder must be created.
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

// syncAll syncs a file and folders to the disk. It ignores the errors of systems that
// cannot sync files or folders.
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
	rand.Read(random) // never fails
	for i, b := range random {
		random[i] = letters[int(b)%len(letters)]
	}
	return string(random)
}

// Write appends a line. After an error, every call returns that error.
func (w *LogWriter) Write(l *Line) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, sparse := l.Sections[trialLine]
		if w.buffer, w.err = Append(w.buffer[:0], l, sparse); w.err == nil {
			// One system call: a judge that is killed during it has written the line or,
			// between two disk blocks, the start of it.
			_, w.err = w.f.Write(append(w.buffer, '\n'))
		}
	}
	if w.err != nil {
		return w.err
	}
	select {
	case w.written <- struct{}{}:
	default:
	}
	return nil
}

// Close closes the file and waits up to 5 seconds until its lines are on the disk. If
// no end line was written, readers report the call as killed. Close returns the first error
// of the file, which Write may have returned.
func (w *LogWriter) Close() error {
	late := w.finish()
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.f.Close()
	return cmp.Or(w.err, late, err)
}

// finish waits until all lines are on the disk, for at most patience.
func (w *LogWriter) finish() error {
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
	case <-w.synced:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("%s: its last lines are not on the disk after %v", w.f.Name(), patience)
	}
}
