package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A line is one line of a stream: a run, or the end.
type line struct {
	Run *run `json:"run,omitzero"`
	End *end `json:"end,omitzero"`
}

// A run is a [judge.Run] with what records do not keep.
type run struct {
	Run         *judge.Run      `json:"run"`
	Defect      *problem.Defect `json:"defect,omitzero"`
	Score       *float64        `json:"score,omitzero"`
	Multiplier  *float64        `json:"multiplier,omitzero"`
	Message     string          `json:"message,omitzero"`
	FullMessage string          `json:"full_message,omitzero"`
	Output      []byte          `json:"output,omitempty"`
	Images      []judge.Image   `json:"images,omitempty"`
	Undrawn     *problem.Defect `json:"undrawn,omitzero"`
}

// An end is the last line: what compiling came to, and whether the item was completed.
type end struct {
	Compile  build.Compile   `json:"compile"`
	Rejected bool            `json:"rejected,omitzero"`
	Skipped  string          `json:"skipped,omitzero"`
	Err      string          `json:"error,omitzero"` // of compiling
	Defect   *problem.Defect `json:"defect,omitzero"`
	By       string          `json:"by,omitzero"`
	Failed   string          `json:"failed,omitzero"`  // why the item was not completed; "" if it was
	Refused  bool            `json:"refused,omitzero"` // it was not begun: see [judge.ErrNoOtherWorker]
}

// Stream executes a work item and passes each line of the answer to write, in order and
// one at a time. By names the worker, and class its machine class. The error is that of write, or the failure of the
// executor, which is also in the last line.
func Stream(ctx context.Context, x judge.Executor, w *judge.WorkItem, by, class string, write func(*Line) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	send := func(l *line, failed error) error {
		data, err := record.Append(nil, l, false)
		if err == nil {
			err = write(&Line{Data: append(data, '\n'), failed: ofMachine(failed)})
		}
		return err
	}
	var broken error
	c, err := x.Execute(ctx, w, func(r *judge.Run) {
		if broken != nil {
			return
		}
		r.Worker, r.Class = by, class
		for i := range r.Others {
			r.Others[i].Worker = by
		}
		limitImages(r)
		if broken = send(&line{Run: &run{r, defectOf(r.Err), r.Score, r.Multiplier, r.Message, r.FullMessage, r.Output,
			r.Images, r.Undrawn}}, r.Err); broken != nil {
			cancel(broken)
		}
	})
	if broken != nil {
		return broken
	}
	e := &end{Compile: c.Compile, Rejected: c.Rejected, Skipped: c.Skipped, Defect: defectOf(c.Err), By: by}
	if c.Err != nil {
		e.Err = c.Err.Error()
	}
	if err != nil {
		e.Failed = err.Error()
	}
	return errors.Join(err, send(&line{End: e}, cmp.Or(err, c.Err)))
}

const (
	// MaxLine is the largest size of a line, in bytes.
	MaxLine = 1<<20 - 16<<10
	// maxImages is the size in bytes of the pictures of a run that travel, which a line has
	// room for.
	maxImages = 512 << 10
)

// limitImages removes the pictures of a run if they are too large to travel.
func limitImages(r *judge.Run) {
	size := 0
	for _, i := range r.Images {
		size += len(i.Data)
	}
	if size > maxImages {
		r.Images, r.Undrawn = nil, &problem.Defect{File: "output_visualizer",
			Msg: fmt.Sprintf("on %s: pictures of %s: expected at most %s from a worker", r.Case, terminal.Bytes(int64(size)),
				terminal.Bytes(maxImages))}
	}
}

// Fail returns the last line of an item that was not begun. If the reason is a defect of
// the package, it is that of the submission.
func Fail(err error, by string) *Line {
	e := &end{By: by}
	switch e.Defect = defectOf(err); {
	case e.Defect != nil:
		e.Err = err.Error()
	case errors.Is(err, judge.ErrNoOtherWorker):
		e.Refused = true
	default:
		e.Failed = err.Error()
	}
	data, encoding := record.Append(nil, &line{End: e}, false)
	if encoding != nil {
		panic(encoding) // it has only strings and numbers
	}
	return &Line{Data: append(data, '\n'), failed: ofMachine(err)}
}

// A Line is one line that Stream passed to write: a run, or the end. It is parsed once,
// whoever asks for what it has. It is not safe for concurrent use before.
type Line struct {
	Data []byte // with the newline
	read *line  // nil until it has been parsed

	failed error
}

// Attempts is the number of deliveries of an item that workers cannot complete, until the reason
// is the answer.
const Attempts = 3

// Failed returns why this machine could not do what the line is about, while the package is not
// to blame: another one may. It is nil for a line of another machine.
func (l *Line) Failed() error { return l.failed }

// Fails returns the same as Failed for a line of another machine.
func (l *Line) Fails() error {
	if !l.IsLast() {
		r, err := l.Run()
		if err != nil {
			return err
		}
		return ofMachine(r.Err)
	}
	c, failed, err := l.End()
	return cmp.Or(err, failed, ofMachine(c.Err))
}

// ofMachine returns an error unless a defect of the package caused it.
func ofMachine(err error) error {
	if defectOf(err) != nil {
		return nil
	}
	return err
}

// IsLast reports whether the line is the last one of its answer.
func (l *Line) IsLast() bool { return IsLast(l.Data) }

func (l *Line) parse() error {
	if l.read != nil {
		return nil
	}
	read := new(line)
	err := record.Parse(l.Data, read)
	if err == nil && read.End == nil && (read.Run == nil || read.Run.Run == nil) {
		err = errors.New("found a line without a run and without an end")
	}
	if err != nil {
		return fmt.Errorf("the answer to a work item: %w", err)
	}
	l.read = read
	return nil
}

// Run returns the run of a line that is not the last one.
func (l *Line) Run() (*judge.Run, error) {
	if err := l.parse(); err != nil {
		return nil, err
	}
	made := l.read.Run
	if made == nil || made.Run == nil || made.Run.Case == "" {
		return nil, errors.New("the answer to a work item: expected a run with the name of its case")
	}
	r := *made.Run
	r.Err = failure(r.Err, made.Defect)
	r.Score, r.Multiplier, r.Message, r.FullMessage, r.Output, r.Images, r.Undrawn = made.Score, made.Multiplier,
		made.Message, made.FullMessage, made.Output, made.Images, made.Undrawn
	if len(r.Times) == 0 {
		r.Times = []sandbox.Outcome{r.Outcome} // records keep several only
	}
	return &r, nil
}

// End returns the results of [judge.Executor] that the last line has; failed is its error.
func (l *Line) End() (c judge.Compiled, failed, err error) {
	if err := l.parse(); err != nil {
		return c, nil, err
	}
	e := l.read.End
	if e == nil {
		return c, nil, errors.New("the answer to a work item: expected an end")
	}
	c = judge.Compiled{Compile: e.Compile, Rejected: e.Rejected, Skipped: e.Skipped, By: e.By}
	if e.Err != "" {
		c.Err = failure(errors.New(e.Err), e.Defect)
	}
	switch {
	case e.Refused:
		failed = judge.ErrNoOtherWorker
	case e.Failed != "":
		failed = errors.New(e.Failed)
	}
	return c, failed, nil
}

// A remoteDefect is an error of another machine that a defect of the package caused.
type remoteDefect struct {
	error
	defect *problem.Defect
}

// Unwrap returns the defect.
func (r *remoteDefect) Unwrap() error { return r.defect }

// failure returns an error that is also the defect, if there is one.
func failure(err error, d *problem.Defect) error {
	if err == nil || d == nil {
		return err
	}
	return &remoteDefect{err, d}
}

// defectOf returns the defect that is the cause of an error, or nil.
func defectOf(err error) *problem.Defect {
	d, _ := errors.AsType[*problem.Defect](err)
	return d
}

// IsLast reports whether a line, as bytes, is the last one of its answer.
func IsLast(data []byte) bool { return bytes.HasPrefix(data, []byte(`{"end":`)) }
