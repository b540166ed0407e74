package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"crucible/judge/internal/osfile"
)

// longest is the maximum length of a line, in bytes. The judge writes much shorter
// lines; a longer one was not written by a judge.
const longest = 64 << 20

// A State is the state of a call.
type State string

const (
	Ended   State = "ended"   // the file has an end line
	GoingOn State = "running" // the judge still has the lock on the file
	Killed  State = "killed"  // neither; finished runs and trials are stored
)

// A Summary contains the facts about a call that are known without parsing all of its
// file.
type Summary struct {
	Entry
	Head  Head  // the first line
	State State // whether the call ended
	End   End   // the last line; if the call did not end, zero except for Runs, the number of lines of runs and trials
}

// A file is the open file of a call, after its first line.
type callFile struct {
	*os.File
	r     *bufio.Reader
	first []byte // the first line
}

// open opens the file of a call. It rejects files that are not regular, because
// opening a pipe would wait for its other end.
func (e Entry) open() (*callFile, error) {
	info, err := os.Stat(e.Path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no file of a run", e.Path)
	}
	f, err := os.Open(e.Path)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(f, 16<<10)
	first, err := readLine(r)
	if err == io.EOF {
		err = errors.New("nothing is in it: its judge was killed at once")
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s:1: %w", e.Path, err)
	}
	return &callFile{f, r, first}, nil
}

// head parses the first line.
func (f *callFile) head() (*Head, error) {
	var l Line
	if err := Parse(f.first, &l); err != nil || l.Head == nil {
		return nil, fmt.Errorf("%s:1: expected the head of a stored run", f.Name())
	}
	if s := l.Head.Schema; s != LogSchema {
		return nil, fmt.Errorf("%s:1: schema %d: expected %d", f.Name(), s, LogSchema)
	}
	return l.Head, nil
}

// state returns the state of a call whose file has no end line.
func (f *callFile) state() State {
	if osfile.Locked(f.File) {
		return GoingOn
	}
	return Killed
}

// goesOn reports whether the file of a call is locked, so its judge still runs.
func goesOn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return osfile.Locked(f)
}

// Head parses the first line if it contains one of the words or words is nil.
// Otherwise it returns nil without an error, in much less time. The error names the
// file.
func (e Entry) Head(words [][]byte) (*Head, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if words != nil && !slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(f.first, word) }) {
		return nil, nil
	}
	return f.head()
}

// readLine returns the next line with its newline. It ignores text after the last
// newline and returns io.EOF.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > longest:
			return nil, fmt.Errorf("a line of more than %d MiB", longest>>20)
		}
	}
}

// Summary reads the first line and the last. If the call did not end, it counts the
// lines of runs and trials.
func (e Entry) Summary() (Summary, error) {
	g := Summary{Entry: e, State: Ended}
	f, err := e.open()
	if err != nil {
		return g, err
	}
	defer f.Close()
	head, err := f.head()
	if err != nil {
		return g, err
	}
	g.Head = *head
	ended := false
	if g.End, ended, err = f.end(); err != nil || ended {
		return g, err
	}
	g.State = f.state()
	for {
		text, err := readLine(f.r)
		if err == io.EOF {
			return g, nil
		}
		if err != nil {
			return g, fmt.Errorf("%s: %w", e.Path, err)
		}
		if bytes.HasPrefix(text, []byte(`{"run":`)) || bytes.HasPrefix(text, []byte(`{"`+trialLine+`":`)) {
			g.End.Runs++
		}
	}
}

// end returns the last line; ok is false if it is not an end line.
func (f *callFile) end() (end End, ok bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return end, false, err
	}
	tail := make([]byte, min(info.Size(), 512)) // an end line is shorter
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && err != io.EOF {
		return end, false, err
	}
	tail, complete := bytes.CutSuffix(tail, []byte("\n"))
	last := tail[bytes.LastIndexByte(tail, '\n')+1:]
	var l Line
	if !complete || !bytes.HasPrefix(last, []byte(`{"end":`)) || Parse(last, &l) != nil || l.End == nil {
		return end, false, nil
	}
	return *l.End, true, nil
}

// Read reads all of a call. It ignores an incomplete last line. The error names the
// file and the line.
func (e Entry) Read() (*Call, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := f.head()
	if err != nil {
		return nil, err
	}
	// The lock is tested first: if the judge ends later, the loop reads its end line.
	c := &Call{Summary: Summary{Entry: e, State: f.state(), Head: *head},
		problems: make([]problemLog, len(head.Problems))}
	for i := range c.problems {
		c.problems[i].submissions = make([]submissionLog, len(head.Problems[i].Submissions))
	}
	for line := 2; ; line++ {
		text, err := readLine(f.r)
		if err == io.EOF {
			return c, nil
		}
		var l Line
		if err == nil {
			err = Parse(text, &l)
		}
		if err == nil && c.State == Ended {
			err = errors.New("a line after the end")
		}
		if err == nil {
			err = c.add(&l, line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", e.Path, line, err)
		}
	}
}
