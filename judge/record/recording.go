package record

import (
	"cmp"
	"context"
	"io/fs"
	"reflect"
	"slices"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A Recording is the file of a call that runs. Its methods may be called concurrently;
// those of a nil Recording do nothing. After the first error of the file, nothing is
// stored, and Close returns that error.
type Recording struct {
	mu     sync.Mutex
	file   *LogWriter
	tools  *judge.Judge
	began  time.Time
	runs   int
	head   *Head
	places map[*problem.Submission]place
	stored map[any]any // last stored value of a run, submission or language
}

// A place contains the indexes of a submission in the head.
type place struct{ problem, submission int }

// A runOf identifies a run: it is its key in Recording.stored.
type runOf struct {
	place
	name string // of the case
}

// A Selection is a problem of a call, with what is judged of it.
type Selection struct {
	Source      fs.FS // the package
	Problem     *problem.Problem
	Submissions []*problem.Submission
	Cases       []*problem.Case
}

// NewRecording creates the file of a call in a folder, with its problems. It hashes all
// files that judging will read, and sets Head.Problems. The call's arguments are needed
// to find submissions outside of packages. With tools, which may be nil, the toolchains
// of languages are stored.
func NewRecording(folder string, head *Head, problems []Selection, args []string,
	tools *judge.Judge) (*Recording, error) {
	r := &Recording{head: head, tools: tools, began: time.Now(), places: make(map[*problem.Submission]place),
		stored: make(map[any]any)}
	head.Problems = make([]ProblemHead, len(problems))
	for p := range problems {
		head.Problems[p] = headOf(&problems[p], args)
		for s, one := range problems[p].Submissions {
			r.places[one] = place{p, s}
		}
	}
	var err error
	r.file, err = CreateLog(folder, head)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// store calls f, which stores something.
func (r *Recording) store(f func()) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		f()
	}
}

// write adds a line. Close returns the error, because a display may be using the terminal
// until then.
func (r *Recording) write(l *Line) { r.file.Write(l) }

// put writes a line with a value, unless an equal value was stored under the key.
func (r *Recording) put(key, value any, l *Line) {
	if !reflect.DeepEqual(r.stored[key], value) {
		r.stored[key] = value
		r.write(l)
	}
}

// Unopened stores the packages that could not be opened.
func (r *Recording) Unopened(problems []Problem) {
	r.store(func() {
		for _, p := range problems {
			r.write(&Line{Unopened: &UnopenedLine{ID: p.ID, Path: p.Path, Err: p.Err}})
		}
	})
}

// Judging stores the beginning of the judging of a problem, with its limits, or the
// reason why it cannot begin. A later call for the same problem replaces what is stored.
func (r *Recording) Judging(p Problem) {
	r.store(func() {
		if i := r.index(p); i >= 0 {
			r.write(&Line{Begun: &BegunLine{Problem: i, Limits: p.Limits, Err: p.Err, Validators: p.Validators}})
		}
	})
}

// Section stores a section of a problem. The key is the hash of what it depends on, see
// [PackageKey] and [PackageDigest].
func (r *Recording) Section(p Problem, name, key string, v any) {
	r.store(func() {
		i := r.index(p)
		text, err := Append(nil, v, false)
		switch {
		case err != nil:
			r.write(&Line{Sections: Sections{name: v}}) // which fails likewise
		case i >= 0:
			r.write(&Line{Sections: Sections{name: &aboutProblem{i, key, text}}})
		}
	})
}

// Line stores a line of another kind, with a value that encodes itself.
func (r *Recording) Line(kind string, v any) {
	r.store(func() {
		if kind == trialLine {
			r.runs++
		}
		r.write(&Line{Sections: Sections{kind: v}})
	})
}

// index returns the index of a problem in the head; -1 if it is not there.
func (r *Recording) index(p Problem) int {
	return slices.IndexFunc(r.head.Problems, func(one ProblemHead) bool {
		return one.ID == p.ID &&
			one.Path == p.Path
	})
}

// Event stores the results in an event.
func (r *Recording) Event(e judge.Event) {
	switch e.Kind {
	case judge.Ran:
		r.ran(e.Submission, e.Run)
	case judge.Judged:
		r.Judged(e.Submission, e.Report)
	}
}

// ran stores a run of a submission on a case.
func (r *Recording) ran(s *problem.Submission, run *judge.Run) {
	r.store(func() {
		if at, ok := r.places[s]; ok {
			r.runs++
			if s.Language != nil {
				r.toolchain(s.Language.Code)
			}
			r.run(at, run)
		}
	})
}

func (r *Recording) run(at place, run *judge.Run) {
	line := &RunLine{Problem: at.problem, Submission: at.submission, Run: OfRun(run)}
	r.put(runOf{at, run.Case}, line, &Line{Run: line})
}

// Judged stores the report of a submission.
func (r *Recording) Judged(s *problem.Submission, report *judge.Report) {
	r.store(func() {
		at, ok := r.places[s]
		if !ok {
			return
		}
		line := &SubmissionLine{Problem: at.problem, Submission: at.submission, Runs: []string{},
			Report: OfReport(report)}
		line.Report.Runs = nil
		for i := range report.Runs {
			// Scores and second measurements follow after the event of the run.
			r.run(at, &report.Runs[i])
			line.Runs = append(line.Runs, report.Runs[i].Case)
		}
		r.put(s, line, &Line{Submission: line})
	})
}

// Toolchain stores the toolchain of a language, once. It takes no time if the judge has
// already found the toolchain.
func (r *Recording) Toolchain(language string) { r.store(func() { r.toolchain(language) }) }

func (r *Recording) toolchain(language string) {
	if r.tools == nil || r.stored[language] != nil {
		return
	}
	r.stored[language] = true
	if tc, err := r.tools.Toolchain(context.Background(), language); err == nil {
		r.write(&Line{Toolchain: &ToolchainLine{Language: language, Compiler: tc.Compiler, Runtime: tc.Runtime,
			Version: tc.Version}})
	}
}

// Close stores the exit status and the duration of the call, 0 for the time since
// [NewRecording], and closes the file.
func (r *Recording) Close(status int, took time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(&Line{End: &End{Status: status, Elapsed: cmp.Or(took, time.Since(r.began)), Runs: r.runs}})
	return r.file.Close()
}
