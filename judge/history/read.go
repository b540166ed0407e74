package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"crucible/judge/internal/osfile"
	"crucible/judge/record"
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

// A Glance contains the facts about a call that are known without parsing all of its
// file.
type Glance struct {
	Entry
	Head  Head  // the first line
	State State // whether the call ended
	End   End   // the last line; if the call did not end, zero except for Runs, the number of lines of runs and trials
}

// open opens the file of a call. It refuses files that are not regular, because
// opening a pipe would wait for its other end.
func (e Entry) open() (*os.File, error) {
	info, err := os.Stat(e.Path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no file of a run", e.Path)
	}
	return os.Open(e.Path)
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

// Head reads the first line. The error names the file.
func (e Entry) Head() (Head, error) {
	h, err := e.HeadWith(nil)
	if err != nil {
		return Head{}, err
	}
	return *h, nil
}

// HeadWith parses the first line if it contains one of the words or words is nil.
// Otherwise it returns nil without an error, in much less time.
func (e Entry) HeadWith(words [][]byte) (*Head, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := e.firstLine(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	if words != nil && !slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(text, word) }) {
		return nil, nil
	}
	return e.head(text)
}

func (e Entry) firstLine(r *bufio.Reader) ([]byte, error) {
	text, err := readLine(r)
	if err == io.EOF {
		return nil, fmt.Errorf("%s: nothing is in it: its judge was killed at once", e.Path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", e.Path, err)
	}
	return text, nil
}

func (e Entry) head(text []byte) (*Head, error) {
	var l Line
	if err := record.Parse(text, &l); err != nil || l.Head == nil {
		return nil, fmt.Errorf("%s:1: expected the head of a stored run", e.Path)
	}
	if s := l.Head.Schema; s != Schema {
		return nil, fmt.Errorf("%s:1: schema %d: expected %d", e.Path, s, Schema)
	}
	return l.Head, nil
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

// Glance reads the first line and the last. If the call did not end, it counts the
// lines of runs and trials.
func (e Entry) Glance() (Glance, error) {
	g := Glance{Entry: e, State: Ended}
	f, err := e.open()
	if err != nil {
		return g, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	text, err := e.firstLine(r)
	if err != nil {
		return g, err
	}
	head, err := e.head(text)
	if err != nil {
		return g, err
	}
	g.Head = *head
	end, err := endOf(f)
	if err != nil || end != nil {
		if end != nil {
			g.End = *end
		}
		return g, err
	}
	if g.State = Killed; osfile.Locked(f) {
		g.State = GoingOn
	}
	for {
		text, err := readLine(r)
		if err == io.EOF {
			return g, nil
		}
		if err != nil {
			return g, fmt.Errorf("%s: %w", e.Path, err)
		}
		if bytes.HasPrefix(text, []byte(`{"run":`)) || bytes.HasPrefix(text, []byte(`{"trial":`)) {
			g.End.Runs++
		}
	}
}

// endOf returns the last line; nil if it is not an end line.
func endOf(f *os.File) (*End, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(info.Size(), 512)) // an end line is shorter
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && err != io.EOF {
		return nil, err
	}
	if len(tail) == 0 || tail[len(tail)-1] != '\n' {
		return nil, nil
	}
	last := tail[bytes.LastIndexByte(tail[:len(tail)-1], '\n')+1:]
	var l Line
	if !bytes.HasPrefix(last, []byte(`{"end":`)) || record.Parse(last, &l) != nil {
		return nil, nil
	}
	return l.End, nil
}

// Read reads all of a call. It ignores an incomplete last line. The error names the
// file and the line.
func (e Entry) Read() (*Call, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// The order matters: a judge that ends after this test has its end line read below.
	on := osfile.Locked(f)
	r := bufio.NewReaderSize(f, 64<<10)
	c := &Call{Entry: e, State: Killed}
	if on {
		c.State = GoingOn
	}
	text, err := e.firstLine(r)
	if err != nil {
		return nil, err
	}
	head, err := e.head(text)
	if err != nil {
		return nil, err
	}
	c.begin(*head)
	for line := 2; ; line++ {
		text, err := readLine(r)
		if err == io.EOF {
			return c, nil
		}
		var l Line
		if err == nil {
			err = record.Parse(text, &l)
		}
		if err == nil && c.State == Ended {
			err = errors.New("a line after the end")
		}
		if err == nil {
			err = c.add(&l)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", e.Path, line, err)
		}
	}
}
