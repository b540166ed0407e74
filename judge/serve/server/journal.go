package server

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/osfile"
	"crucible/judge/serve/api"
)

const (
	maxLine    = 16 << 20 // bytes of a line of the journal
	maxJournal = 16 << 20 // bytes of the journal, at which judgements that have ended are removed from it
	syncEach   = 10 * time.Second
	settleTime = time.Minute // after that time the system has written the file of a judgement that has ended
)

// A journalLine is a line of the journal: a judgement that the server has begun.
type journalLine struct {
	ID       string       `json:"id"`
	Token    string       `json:"token"` // its name
	Created  time.Time    `json:"created_at"`
	Hash     string       `json:"hash"` // of the request
	Language string       `json:"language,omitempty"`
	Restarts int          `json:"restarts,omitempty"`
	Request  *api.Request `json:"request"`
	Call     string       `json:"call,omitempty"`  // the judgements of one call are in one class
	Class    string       `json:"class,omitempty"` // "" if it was not chosen yet, or any worker may make the runs

	damaged bool // only ID is known
}

// A journal is the file of the judgements that may have to be made again when the server
// has been killed. A line is in the file before the client has the answer, and on the
// disk 10 s later, or before the answer with durable.
type journal struct {
	name    string
	durable bool

	mu      sync.Mutex
	f       *os.File
	size    int64
	most    int64
	ended   map[string]time.Time // when the judgements of the lines have ended; zero is not yet
	written int                  // lines

	syncing sync.Mutex
	synced  int // lines that are on the disk; guarded by syncing
}

// openJournal reads the journal of an earlier server, and returns the judgements that
// have not ended. It begins a new one with these. A file with damaged lines stays, under the
// name of the journal and ".damaged".
func openJournal(name string, durable bool, hasEnded func(id string) bool) (j *journal, left []journalLine, err error) {
	old, err := os.Open(name)
	if err == nil {
		var damaged bool
		left, damaged, err = readJournal(old, hasEnded)
		if err = errors.Join(err, old.Close()); err == nil && damaged {
			err = os.Rename(name, name+".damaged")
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for i := range left {
		left[i].Restarts++
	}
	j = &journal{name: name, durable: durable, ended: make(map[string]time.Time)}
	return j, left, j.rewrite(func(to io.Writer) error {
		for i := range left {
			j.ended[left[i].ID] = time.Time{}
			line, err := json.Marshal(&left[i])
			if err == nil && !left[i].damaged {
				_, err = to.Write(seal(left[i].ID, line))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// journaledID finds the ids in a line that is damaged elsewhere: that of its judgement twice. A
// newline may be what is damaged.
var journaledID = lazy.Regexp(`[ "]([A-Z2-7]{26})[ "]`)

// mostNamed is the number of ids that are looked for in a damaged line.
const mostNamed = 100

// readJournal returns the judgements that have not ended, and whether lines are damaged. Of a
// judgement whose line is damaged, only the id is known. The last line is not complete if the
// machine has lost power.
func readJournal(f io.Reader, hasEnded func(id string) bool) (left []journalLine, damaged bool, err error) {
	at := make(map[string]int)
	in := linesOf(f)
	add := func(a journalLine) {
		if i, twice := at[a.ID]; twice {
			left[i] = a // it was cancelled, and sent again
		} else if !hasEnded(a.ID) {
			at[a.ID] = len(left)
			left = append(left, a)
		}
	}
	for in.Scan() {
		line, ok := unseal(in.Bytes())
		if !ok {
			damaged = true
			for _, id := range journaledID().FindAllSubmatch(in.Bytes(), mostNamed) {
				add(journalLine{ID: string(id[1]), damaged: true})
			}
			continue
		}
		var a journalLine
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, false, err
		}
		add(a)
	}
	return left, damaged, in.Err()
}

// seal returns the line of a judgement with its id and a checksum before it.
func seal(id string, line []byte) []byte {
	body := fmt.Appendf(nil, "%s %s", id, line)
	sum := sha256.Sum256(body)
	return fmt.Appendf(nil, "%x %s\n", sum[:sumBytes], body)
}

// sumBytes is the length of checksums.
const sumBytes = 16

// unseal returns a line as it was sealed, and whether it is the one that was written.
func unseal(sealed []byte) (line []byte, ok bool) {
	_, body, _ := bytes.Cut(sealed, []byte(" "))
	id, line, _ := bytes.Cut(body, []byte(" "))
	return line, bytes.Equal(bytes.TrimSuffix(seal(string(id), line), []byte("\n")), sealed)
}

// linesOf returns a scanner of lines, which have at most a request with its texts quoted.
func linesOf(f io.Reader) *bufio.Scanner {
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 64<<10), maxLine)
	return in
}

// rewrite replaces the file. The caller holds j.mu, or is the only user.
func (j *journal) rewrite(write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(j.name), 0o700); err != nil {
		return err
	}
	d, err := osfile.NewDraft(nil, j.name)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(d)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = errors.Join(d.Chmod(0o600), d.Sync())
	}
	if err := d.Commit(err); err != nil {
		return err
	}
	f, err := os.OpenFile(j.name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if j.f != nil {
		j.f.Close() // what it has is in the new file
	}
	j.f, j.size, j.most = f, info.Size(), max(maxJournal, 2*info.Size())
	return nil
}

// add adds a judgement that begins.
func (j *journal) add(a *journalLine) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	// One call writes the line, so that no part of another line is in it.
	n, err := j.f.Write(seal(a.ID, line))
	if err != nil {
		return errors.Join(err, j.f.Truncate(j.size))
	}
	j.size += int64(n)
	j.written++
	j.ended[a.ID] = time.Time{}
	return nil
}

// end notes that a judgement has ended and is on the disk.
func (j *journal) end(id string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.ended[id]; !ok {
		return nil
	}
	j.ended[id] = time.Now()
	if j.size < j.most {
		return nil
	}
	return j.compact()
}

// compact removes the judgements that ended some time ago.
func (j *journal) compact() error {
	old, err := os.Open(j.name)
	if err != nil {
		return err
	}
	defer old.Close()
	for id, at := range j.ended {
		if !at.IsZero() && time.Since(at) > settleTime {
			delete(j.ended, id)
		}
	}
	return j.rewrite(func(to io.Writer) error {
		in := linesOf(old)
		for in.Scan() {
			var a journalLine
			line, ok := unseal(in.Bytes())
			if ok {
				if err := json.Unmarshal(line, &a); err != nil {
					return fmt.Errorf("%s: %w", j.name, err)
				}
				if _, keep := j.ended[a.ID]; !keep {
					continue
				}
			} // else the next server says what is damaged
			if _, err := fmt.Fprintf(to, "%s\n", in.Bytes()); err != nil {
				return err
			}
		}
		return in.Err()
	})
}

// sync writes what was added to the disk. Calls at the same time share the work.
func (j *journal) sync() error {
	j.mu.Lock()
	upTo := j.written
	j.mu.Unlock()
	j.syncing.Lock()
	defer j.syncing.Unlock()
	if j.synced >= upTo {
		return nil
	}
	j.mu.Lock()
	f := j.f
	upTo = j.written
	j.mu.Unlock()
	if err := f.Sync(); err != nil && !errors.Is(err, os.ErrClosed) { // a file that was replaced is on the disk
		return err
	}
	j.synced = upTo
	return nil
}

// close writes everything to the disk.
func (j *journal) close() error { return errors.Join(j.sync(), j.f.Close()) }
