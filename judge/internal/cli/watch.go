package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

func Watch(e *Env) *cobra.Command {
	var f RunFlags
	c := &cobra.Command{
		Use:   "watch [PROBLEM | SUBMISSION | CASE | FILE]...",
		Short: "judge again whenever a file changes",
		Long: `Judge as judge run does, and again whenever a file of the problems changes, until
Ctrl-C. If only submissions have changed, only these are judged. Runs whose
results cannot have changed are not made again. Samples come first, and a change
during a run ends the run and starts a new one.

The arguments are those of judge run.`,
		Example: `  judge watch
  judge watch poj3074 --samples
  judge watch --problem poj3074 ~/mine.cpp`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.Check(e); err != nil {
				return err
			}
			return watch(c.Context(), e, &f, args)
		},
	}
	c.Flags().IntVarP(&f.Jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	f.Judging(c)
	return c
}

// SettleTime is how long no file may change before a new run: editors write a file in
// several steps.
const SettleTime = 20 * time.Millisecond

// A watcher judges the problems that arguments name, again after each change.
type watcher struct {
	e     *Env
	f     *RunFlags
	args  []string
	j     *judge.Judge
	files *fsnotify.Watcher

	warned sync.Once // of a folder that cannot be watched

	mu      sync.Mutex        // protects the following
	sources []*problem.Source // the packages of the last run
}

func watch(ctx context.Context, e *Env, f *RunFlags, args []string) (err error) {
	w := &watcher{e: e, f: f, args: args}
	r := &runner{e: e, f: f}
	if w.j, err = f.Levels.Judge(&judge.Judge{
		Languages: w.e.Languages,
		Settings:  judge.Settings{All: f.All, TimeLimit: f.TimeLimit},
		Jobs:      f.Jobs, OnEvent: r.event, Eager: true,
	}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, Closed(w.j)) }()
	UseStored(w.j)
	if w.files, err = fsnotify.NewWatcher(); err != nil {
		return WithStatus(StatusJudge, fmt.Errorf("watching files: %w", err))
	}
	defer w.files.Close()
	var affects []string // nil: everything is judged
	for first := true; ; first = false {
		during, stop := context.WithCancelCause(ctx)
		done := make(chan error, 1)
		go func() { done <- w.judge(during, r, affects) }()
		changed, ended, err := w.wait(ctx, done, stop)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var usage *StatusError
		if err != nil && first && !errors.As(err, &usage) {
			return err // the arguments name nothing
		}
		if err != nil {
			Complain(e, err)
			if changed, _, err = w.wait(ctx, nil, nil); err != nil {
				return err
			}
		}
		switch {
		case ended:
			affects = changed
		case affects != nil:
			affects = slices.Concat(affects, changed) // the run that was cut off had changes of its own
		}
		fmt.Fprintf(e.Stdout, "\n%s %s\n", e.Palette.Faint(time.Now().Format("15:04:05")),
			e.Palette.Faint(terminal.Clean(describeChange(changed))))
	}
}

// errChanged is the cause for which a run ends when a file changes.
var errChanged = errors.New("a file has changed")

// wait waits until a run has ended and a file has changed. It ends the run as soon as a
// file changes. It returns the changed files, sorted, whether the run had ended before,
// and the error of the run, with which it returns at once.
func (w *watcher) wait(ctx context.Context, done <-chan error,
	stop context.CancelCauseFunc) (changed []string, ended bool, err error) {
	settled := (<-chan time.Time)(nil)
	for {
		select {
		case <-ctx.Done():
			if done != nil {
				stop(context.Cause(ctx))
				<-done
			}
			return nil, false, context.Cause(ctx)
		case err := <-done:
			if err != nil && changed == nil {
				return nil, true, err
			}
			done, ended = nil, true
		case e := <-w.files.Events:
			if !Matters(e) || !w.names(e.Name) {
				continue
			}
			if !slices.Contains(changed, e.Name) {
				changed = append(changed, e.Name)
			}
			if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
				w.add(e.Name)
			}
			settled = time.After(SettleTime)
		case err := <-w.files.Errors:
			Warn(w.e, fmt.Errorf("watching files: %w", err))
		case <-settled:
			if done != nil {
				stop(errChanged)
				<-done
			}
			slices.Sort(changed)
			return changed, ended, nil
		}
	}
}

// Matters reports whether an event may change a result. Editors write files with names
// that no package uses.
func Matters(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	return e.Op != fsnotify.Chmod && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "~") &&
		!strings.HasPrefix(name, "#") && name != "4913"
}

// names reports whether a file is part of a package, or one of the arguments. The folder
// of such an argument may have other files. The folder of a package has two files of its
// own and folders; the output of this command may go to another file there.
func (w *watcher) names(file string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sources {
		if within, ok := s.Within(file); ok {
			info, err := os.Lstat(file)
			return s.Zip != nil || within == problem.ProblemFile || within == "domjudge-problem.ini" ||
				strings.Contains(within, "/") || err == nil && info.IsDir()
		}
	}
	return slices.ContainsFunc(w.args, func(arg string) bool { return filepath.Clean(arg) == filepath.Clean(file) })
}

// judge opens the packages anew and judges what the changed files can affect; nil means
// everything. The results are printed; the error is for arguments that name nothing.
func (w *watcher) judge(ctx context.Context, r *runner, changed []string) error {
	h, err := w.f.Gather(w.e, w.args)
	if err != nil {
		return err
	}
	defer h.Close()
	w.addAll(h)
	if err := w.f.Narrow(w.e, h); err != nil {
		return err
	}
	w.f.Outputs.Quiet = false // of the run before
	doc := &record.Document{Problems: Unopened(w.e, h)}
	for _, one := range h.Choices {
		Warn(w.e, one.Problem.Warnings...)
	}
	return quietly(r.judge(ctx, w.j, affected(h.Choices, changed), doc))
}

// quietly drops an error that only carries an exit status, because its problem was
// printed already.
func quietly(err error) error {
	var status *StatusError
	if errors.As(err, &status) && status.Err == nil {
		return nil
	}
	return err
}

// affected returns what changed files can affect: the changed submissions if only
// submissions have changed, else every choice that has a changed file.
func affected(choices []*Choice, changed []string) []*Choice {
	var some []*Choice
	for _, c := range choices {
		only := *c
		only.Submissions = nil
		whole := false
		for _, name := range changed {
			within, ok := c.Source.Within(name)
			if _, err := os.Lstat(name); !ok || err != nil && strings.HasPrefix(within, "submissions/") {
				continue // a submission that is gone affects no other one
			}
			i := slices.IndexFunc(c.Submissions, func(s *problem.Submission) bool {
				return within == s.Path ||
					strings.HasPrefix(within, s.Path+"/")
			})
			if i < 0 {
				whole = true
			} else if !slices.Contains(only.Submissions, c.Submissions[i]) {
				only.Submissions = append(only.Submissions, c.Submissions[i])
			}
		}
		switch {
		case whole:
			some = append(some, c)
		case only.Submissions != nil:
			some = append(some, &only)
		}
	}
	if some == nil {
		return choices
	}
	return some
}

// addAll watches the folders of all packages, and those of the files in the arguments.
func (w *watcher) addAll(h *Packages) {
	var sources []*problem.Source
	for _, c := range h.Choices {
		sources = append(sources, c.Source)
	}
	for _, b := range h.Broken {
		sources = append(sources, b.Source)
	}
	w.mu.Lock()
	w.sources = sources
	w.mu.Unlock()
	for _, s := range sources {
		w.addSource(s)
	}
	for _, name := range w.args {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			w.addFolder(filepath.Dir(name))
		}
	}
}

func (w *watcher) addSource(s *problem.Source) {
	if s.Zip != nil {
		w.addFolder(filepath.Dir(s.Path))
		return
	}
	for _, name := range []string{filepath.Dir(s.Where(problem.ProblemFile)), s.Where("submissions"), s.Where("data")} {
		w.add(name)
	}
}

// add watches a folder and all folders below it.
func (w *watcher) add(dir string) {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			w.addFolder(name)
		}
		return nil
	})
}

// addFolder watches a folder, which may have been removed meanwhile. It warns of the first
// folder that cannot be watched: usually the system allows no more.
func (w *watcher) addFolder(dir string) {
	err := w.files.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	w.warned.Do(func() {
		Warn(w.e, fmt.Errorf("changes in %s, and maybe in other folders, are not seen: %w", terminal.Clean(dir), err))
	})
}

// describeChange names the changed files in at most one line. Temporary files of
// editors, which are gone, are not named.
func describeChange(changed []string) string {
	if there := slices.DeleteFunc(slices.Clone(changed), func(name string) bool {
		_, err := os.Lstat(name)
		return err != nil
	}); len(there) > 0 {
		changed = there
	}
	switch n := len(changed); n {
	case 1:
		return changed[0] + " has changed"
	case 2:
		return changed[0] + " and another file have changed"
	default:
		return fmt.Sprintf("%s and %d other files have changed", changed[0], n-1)
	}
}
