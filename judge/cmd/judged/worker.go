package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/language"
	"crucible/judge/measure/machine"
	"crucible/judge/record"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server"
	"crucible/judge/serve/worker"
	"crucible/judge/terminal"
)

// workerFlags are the flags of judged worker.
type workerFlags struct {
	server  string
	token   string
	name    string
	dir     string
	jobs    int
	leave   bool // leave a processor to the server, if there are three or more
	levels  cli.Levels
	disk    int64
	verbose bool
	out     io.Writer // gets a line after the first registration; nil omits it
}

func workerCommand(e *cli.Env) *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker",
		Short: "make runs for a server",
		Long: `Make runs for the server at --server, until Ctrl-C or SIGTERM: then what is under
way is completed. Another one, a second later or more, stops at once.

The machine needs the compilers of the languages that it judges; it gets no work in
others. Programs are confined as judge run confines them (judge doctor shows how);
--sandbox require refuses to work without full boxes. The token, in $CRUCIBLE_TOKEN or
--token-file, needs the scope worker or admin; if it has the fingerprint of the
server's certificate, the worker sends it to that server only. For a server of the same user on
this machine no token is needed.

A worker speaks HTTP to the address of the server, and nothing else. No answer takes longer
than 25 s, so proxies may stand between them.`,
		Args: cli.Arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, drain, stop := untilStopped(c.Context())
			defer stop()
			return f.run(ctx, e, drain)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.server, "server", os.Getenv("CRUCIBLE_SERVER"),
		"the server at `URL`; those of a cluster have commas between them; $CRUCIBLE_SERVER does the same")
	flags.StringVar(&f.token, "token-file", "", "read the token from `FILE` (default: $CRUCIBLE_TOKEN)")
	flags.StringVar(&f.name, "name", "", "names this worker in reports (default: the name of the machine)")
	flags.StringVar(&f.dir, "dir", "", "keep packages in `FOLDER` (default: crucible/worker in the user's cache folder)")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once (default: one per CPU)")
	flags.Int64Var(&f.disk, "disk", 20<<30,
		"keep at most `BYTES` of packages; those not used for the longest time go first")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log each item")
	f.levels.Flag(c)
	cli.Positives(c, "disk")
	return c
}

// run runs judged worker.
func (f *workerFlags) run(ctx context.Context, e *cli.Env, drain <-chan struct{}) error {
	if f.server == "" {
		return errors.New("expected --server URL or $CRUCIBLE_SERVER")
	}
	secret, err := client.Secret(f.server, f.token)
	if err != nil {
		return err
	}
	if f.name == "" {
		if f.name, err = os.Hostname(); err != nil {
			return err
		}
	}
	if f.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		f.dir = filepath.Join(cache, "crucible", "worker")
	}
	f.out = e.Stdout
	return f.supervise(ctx, secret, drain, logTo(e.Stderr, f.verbose))
}

// logTo returns a log that has warnings and errors, and with -v the rest.
func logTo(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// work is what the process that makes the runs needs to know. It is in the environment
// of that process, where other users cannot read it.
type work struct {
	Server    string
	Token     string
	Name, Dir string
	Jobs      int
	Sandbox   string // see [cli.Levels]
	Disk      int64
	Calibrate bool
	Verbose   bool
}

// workVariable is the name of the environment variable with the work.
const workVariable = "JUDGED_WORK"

// supervise registers the worker, and runs the process that makes the runs until drain is
// closed or ctx ends. If the process or the server fails, it begins again.
func (f *workerFlags) supervise(ctx context.Context, secret string, drain <-chan struct{}, log *slog.Logger) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	c, err := client.New(f.server, secret)
	if err != nil {
		return fmt.Errorf("--server %w", err)
	}
	r, err := f.registration(ctx)
	if err != nil {
		return err
	}
	for pause := time.Second; ; pause = min(2*pause, 15*time.Second) {
		began := time.Now()
		err := f.once(ctx, c, r, drain, log)
		if client.IsUntrusted(err) || blob.IsRefusal(err) {
			return err
		}
		select {
		case <-drain:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		default:
		}
		log.Warn("the worker begins again", "after", pause, "error", err)
		if time.Since(began) > time.Minute {
			pause = time.Second
		}
		select {
		case <-drain:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// registration describes this machine.
func (f *workerFlags) registration(ctx context.Context) (*api.Registration, error) {
	if f.jobs == 0 {
		if f.jobs = runtime.NumCPU(); f.leave && f.jobs >= 3 {
			f.jobs--
		}
	}
	j, err := f.levels.Judge(&judge.Judge{Jobs: f.jobs})
	if err != nil {
		return nil, err
	}
	defer j.Close()
	i := machine.Identify(os.DirFS("/"))
	r := &api.Registration{
		Name: f.name, Judge: remote.Version(), Slots: f.jobs, Level: j.Protection().Level.String(), CPU: printable(i.CPU),
		Cores: runtime.NumCPU(), Kernel: printable(i.Kernel),
		Languages: []string{server.NoLanguage},
		Fingerprint: api.Fingerprint{
			Arch: runtime.GOARCH, Microcode: printable(i.Microcode), Governor: printable(i.Governor), SMT: i.SMT,
			Go: runtime.Version(), Compilers: make(map[string]api.Compiler),
		},
	}
	for l := range language.Builtin.Each {
		if tc, err := j.Toolchain(ctx, l.Code); err == nil {
			static, _, err := j.Static(ctx, l.Code)
			if err != nil {
				continue // its programs could not be compiled
			}
			r.Languages = append(r.Languages, l.Code)
			r.Compilers[l.Code] = api.Compiler{Version: printable(tc.Version),
				Flags: strings.Join(slices.Concat(l.ForSubmissions().Flags, static), " ")}
		}
	}
	return r, context.Cause(ctx)
}

// printable returns a text of this machine as servers accept it.
func printable(s string) string { return terminal.Clip(terminal.Clean(s), 100) }

// once registers the worker and runs the process once.
func (f *workerFlags) once(ctx context.Context, c *client.Client, r *api.Registration, drain <-chan struct{},
	log *slog.Logger) error {
	a, err := c.Register(ctx, r)
	if err != nil {
		return err
	}
	if f.out != nil {
		fmt.Fprintf(f.out, "worker %s is registered at %s: %s; Ctrl-C ends it\n", terminal.Clean(f.name), f.server,
			terminal.Count(r.Slots, "slot"))
		f.out = nil
	}
	process, err := own("work")
	if err != nil {
		return err
	}
	told, err := json.Marshal(&work{
		Server: c.Servers(), Token: a.Token, Name: f.name, Dir: f.dir, Jobs: f.jobs, Calibrate: a.Calibrate,
		Sandbox: f.levels.Word, Disk: cmp.Or(f.disk, 20<<30), Verbose: f.verbose,
	})
	if err != nil {
		return err
	}
	process.Env = append(os.Environ(), workVariable+"="+string(told))
	process.Stderr = os.Stderr
	ended := make(chan struct{})
	defer close(ended)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-drain:
		case <-ended:
			return
		}
		if process.Process == nil || process.Process.Signal(syscall.SIGTERM) != nil {
			stop() // it has not begun, or the system has no such signal
		}
	}()
	as, err := client.New(c.Servers(), a.Token)
	if err != nil {
		return err
	}
	return worker.Supervise(ctx, &client.Leases{Client: as, Worker: f.name}, process, log)
}

// workCommand is the process that makes the runs.
func workCommand() *cobra.Command {
	return &cobra.Command{Use: "work", Hidden: true, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		var w work
		if err := json.Unmarshal([]byte(os.Getenv(workVariable)), &w); err != nil {
			return fmt.Errorf("$%s: %w: judged worker starts this", workVariable, err)
		}
		os.Unsetenv(workVariable) // graded programs do not see it
		return w.run(c.Context())
	}}
}

// run makes runs until the supervisor ends, or sends SIGTERM: then it completes what is
// under way.
func (w *work) run(ctx context.Context) (err error) {
	ctx, keeper := worker.Supervised(ctx)
	drain := drained()
	store, err := blob.Open(filepath.Join(w.Dir, "blobs"), w.Disk)
	if err != nil {
		return err
	}
	defer store.Close()
	var levels cli.Levels
	if w.Sandbox != "" {
		if err := levels.Set(w.Sandbox); err != nil {
			return err
		}
	}
	j, err := levels.Judge(&judge.Judge{Jobs: w.Jobs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	if dir, err := j.CacheDir(); err == nil {
		j.Stored = record.OpenStore(filepath.Join(dir, "runs"))
	}
	c, err := client.New(w.Server, w.Token)
	if err != nil {
		return err
	}
	run := worker.Worker{
		Name: w.Name, Judge: j, Version: remote.Version(), Source: &client.Leases{Client: c, Worker: w.Name},
		Blobs: c.Blobs(), Store: store, Keeper: keeper, Drain: drain, Log: logTo(os.Stderr, w.Verbose),
	}
	if w.Calibrate {
		run.Calibrate = func(ctx context.Context) (class string, again time.Duration, err error) {
			measured, err := worker.Measure(ctx, j)
			if err != nil {
				return "", 0, err
			}
			p, err := c.Calibrate(ctx, w.Name, measured)
			if err != nil {
				return "", 0, err
			}
			return p.Class, time.Duration(p.Next * float64(time.Second)), nil
		}
	}
	if err := run.Run(ctx); ctx.Err() == nil {
		return err
	}
	return nil // the supervisor has ended, or wanted this end
}
