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

// longest bounds a line, in bytes. A judge's own are far shorter; what is longer
// was not written by one.
const longest = 64 << 20

// A State says how far a call came.
type State string

const (
	Ended   State = "ended"
	GoingOn State = "running"
	Killed  State = "killed" // without a word; what it had finished is there
)

// A Glance is what can be told of a call without reading all of it.
type Glance struct {
	Entry
	Head  Head
	State State
	End   End // zero unless it ended; Runs are always counted
}

// open opens the file of a call. Files in a folder of calls are regular ones;
// what is not is not waited for.
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

func goesOn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return osfile.Locked(f)
}

// Head reads the first line.
func (e Entry) Head() (Head, error) {
	h, err := e.HeadWith(nil)
	if err != nil {
		return Head{}, err
	}
	return *h, nil
}

// HeadWith reads the first line if one of the words is in it, and otherwise
// returns nil, in much less time. No words are in all.
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
		return nil, fmt.Errorf("%s:1: want the head of a stored run", e.Path)
	}
	if s := l.Head.Schema; s != Schema {
		return nil, fmt.Errorf("%s:1: schema %d: want %d", e.Path, s, Schema)
	}
	return l.Head, nil
}

// readLine returns the next line with its end. What follows the last end is
// not a line: the error is io.EOF then.
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

// Glance reads the first line and the last. Of a call that did not end it
// counts lines.
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

// endOf reads the last line; nil if it is not an end.
func endOf(f *os.File) (*End, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(info.Size(), 512)) // an end is shorter
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

// Read reads all of a call. A last line without its end is left out. The error
// names the file and the line.
func (e Entry) Read() (*Call, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Asked first: a judge that ends meanwhile has written its end before.
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
