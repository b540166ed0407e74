package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/prepare/archive"
	"crucible/judge/terminal"
)

// listenFlags are the flags of judge listen.
type listenFlags struct {
	port     int
	folder   string
	language string
	template string
	once     bool
	levels   cli.Levels
}

func Listen(e *cli.Env) *cobra.Command {
	var f listenFlags
	c := &cobra.Command{
		Use:   "listen [FOLDER]",
		Short: "receive problems from the browser, and test programs as they are saved",
		Long:  helpText("listen"),
		Example: `  judge listen
  judge listen --template ~/template.cpp ~/contests`,
		Args: cli.Arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			f.folder = "."
			if len(args) > 0 {
				f.folder = args[0]
			}
			return listen(e, c, &f)
		},
	}
	ports := terminal.Texts(archive.Ports, strconv.Itoa)
	c.Flags().IntVar(&f.port, "port", archive.Ports[0], "the `PORT` on localhost; the extension sends to "+
		strings.Join(ports, ", ")+" and to those in its options")
	c.Flags().StringVar(&f.language, "lang", "cpp", "make an empty program in the language `CODE` (see judge lang)")
	c.Flags().StringVar(&f.template, "template", "",
		"make the program of each problem as a copy of this `FILE`, in its language")
	c.Flags().BoolVar(&f.once, "once", false, "end after the first problem or contest, and watch nothing")
	f.levels.Flag(c)
	cli.Positives(c, "port")
	c.MarkFlagsMutuallyExclusive("lang", "template")
	c.RegisterFlagCompletionFunc("lang", cli.CompleteLanguages)
	return c
}

// emptyPrograms are the first lines of programs, by language. The others begin empty.
var emptyPrograms = map[string]string{
	"cpp": "#include <bits/stdc++.h>\nusing namespace std;\n\nint main() " +
		"{\n\tios::sync_with_stdio(false);\n\tcin.tie(nullptr);\n}\n",
	"java": "import java.util.*;\n\npublic class Main {\n    public static void main(String[] args) {\n        Scanner " +
		"in = new Scanner(System.in);\n    }\n}\n",
	"go":   "package main\n\nfunc main() {\n}\n",
	"rust": "fn main() {\n}\n",
}

// program returns the program that each problem begins with, and the extension of its
// file.
func (f *listenFlags) program(languages language.Table) (data []byte, ext string, err error) {
	if f.template != "" {
		if data, err = os.ReadFile(f.template); err != nil {
			return nil, "", fmt.Errorf("--template: %w", err)
		}
		return data, filepath.Ext(f.template), nil
	}
	l := languages.ByCode(f.language)
	if l == nil {
		return nil, "", fmt.Errorf("--lang %s: unknown language%s; judge lang lists them", f.language,
			terminal.DidYouMean(f.language, languages.Codes()))
	}
	ext = l.Ext()
	if l.Writes("." + l.Code) { // .cpp rather than .cc
		ext = "." + l.Code
	}
	return []byte(emptyPrograms[l.Code]), ext, nil
}

// A listener makes folders of the problems that it receives, and tests the programs in
// them when these change.
type listener struct {
	e       *cli.Env
	c       *cobra.Command
	f       *listenFlags
	program []byte
	ext     string
	files   *fsnotify.Watcher
	talks   map[string]bool // folders of interactive problems, which no sample tests
}

// A receivedTask waits for the error of making its folder.
type receivedTask struct {
	task    *archive.Task // nil if the message is no task
	refused error
	done    chan error
}

func listen(e *cli.Env, c *cobra.Command, f *listenFlags) (err error) {
	ctx := c.Context()
	l := &listener{e: e, c: c, f: f, talks: make(map[string]bool)}
	if l.program, l.ext, err = f.program(e.Languages); err != nil {
		return err
	}
	if !osfile.IsDir(f.folder) {
		return fmt.Errorf("%s: expected a folder", terminal.Clean(f.folder))
	}
	if l.files, err = fsnotify.NewWatcher(); err != nil {
		return cli.WithStatus(cli.StatusJudge, fmt.Errorf("watching files: %w", err))
	}
	defer l.files.Close()
	tasks := make(chan receivedTask)
	stop, err := f.serve(ctx, tasks)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	fmt.Fprintf(e.Stdout, "listening on http://localhost:%d for Competitive Companion; Ctrl-C ends\n", f.port)
	return l.loop(ctx, tasks)
}

// serve answers requests on localhost until stop is called.
func (f *listenFlags) serve(ctx context.Context, tasks chan<- receivedTask) (stop func() error, err error) {
	port := strconv.Itoa(f.port)
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		var cause *os.SyscallError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("--port %s: %w: expected a port that no other program uses, such as %d", port, err,
			archive.Ports[1])
	}
	listeners := []net.Listener{listener}
	// A browser may look for localhost here first.
	if six, err := net.Listen("tcp", net.JoinHostPort("::1", port)); err == nil {
		listeners = append(listeners, six)
	}
	handler := taskHandler(func(t *archive.Task, refused error) (int, error) {
		one := receivedTask{t, refused, make(chan error, 1)}
		select {
		case tasks <- one:
			err := <-one.done
			switch {
			case refused != nil:
				return http.StatusBadRequest, err
			case osfile.IsFull(err):
				return http.StatusInsufficientStorage, err
			}
			return http.StatusInternalServerError, err
		case <-ctx.Done():
			return http.StatusServiceUnavailable, context.Cause(ctx)
		}
	})
	server := &http.Server{ReadTimeout: 30 * time.Second, IdleTimeout: time.Minute, Handler: handler}
	for _, one := range listeners {
		go server.Serve(one)
	}
	return func() error {
		ending, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return errors.Join(server.Shutdown(ending), server.Close())
	}, nil
}

// loop receives tasks and tests changed programs until ctx ends.
func (l *listener) loop(ctx context.Context, tasks <-chan receivedTask) error {
	changed := make(map[string]bool)
	settled := (<-chan time.Time)(nil)
	seen, failed := make(map[string]int), error(nil) // problems by batch, and the errors of --once
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case one := <-tasks:
			err := one.refused
			switch {
			case err == nil:
				err = l.receive(ctx, one.task)
			case one.task != nil:
				err = fmt.Errorf("%s: is not kept: %w", cmp.Or(one.task.Name, one.task.URL), err)
			}
			one.done <- err
			if l.f.once && one.task != nil {
				b := one.task.Batch
				failed = errors.Join(failed, err)
				if seen[b.ID]++; seen[b.ID] >= b.Size {
					return cli.JudgeFailed(ctx, failed)
				}
			} else if err != nil {
				cli.Complain(l.e, err)
			}
		case event := <-l.files.Events:
			if l, _ := l.e.Languages.Of([]string{filepath.Base(event.Name)}); l != nil && cli.Matters(event) {
				changed[event.Name] = true
				settled = time.After(cli.SettleTime)
			}
		case err := <-l.files.Errors:
			cli.Warn(l.e, fmt.Errorf("watching files: %w", err))
		case <-settled:
			for name := range changed {
				l.test(name)
			}
			clear(changed)
		}
	}
}

// test tests a program that has changed, unless it is as the problem began with.
func (l *listener) test(name string) {
	if data, err := os.ReadFile(name); err != nil || string(data) == string(l.program) || l.talks[filepath.Dir(name)] {
		return
	}
	fmt.Fprintf(l.e.Stdout, "\n%s ", l.e.Palette.Faint(time.Now().Format("15:04:05")))
	if err := cli.TestFile(l.e, l.c, l.f.levels, name); err != nil && l.c.Context().Err() == nil {
		cli.Complain(l.e, err)
	}
}
