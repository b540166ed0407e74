package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
)

// OnFlag is the value of --on: the server that makes the runs; "" means this process.
type OnFlag struct {
	URL       string
	tokenFile string
	class     string
	jobs      bool             // the number of jobs follows from the slots
	workers   *remote.Executor // set by Dial; nil if the runs are made in this process
}

// Flags adds --on and --token-file.
func (f *OnFlag) Flags(c *cobra.Command) {
	c.Flags().StringVar(&f.URL, "on", os.Getenv("CRUCIBLE_SERVER"),
		"make the runs on the server at `URL`, see judge help servers; $CRUCIBLE_SERVER does the same, and --on '' makes "+
			"them here")
	c.Flags().StringVar(&f.tokenFile, "token-file", "",
		"read the token for --on from `FILE` (default: $CRUCIBLE_TOKEN, or that of a server of this user on this machine)")
	c.RegisterFlagCompletionFunc("on", cobra.NoFileCompletions)
}

// ClassFlag adds --class.
func (f *OnFlag) ClassFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.class, "class", "",
		"with --on: make the runs on workers of the machine class `NAME`, see judge workers; any mixes classes, whose "+
			"times cannot be compared (default: the class with the most slots)")
	c.RegisterFlagCompletionFunc("class", cobra.NoFileCompletions)
}

// StateDir is the folder in which a server of this user keeps its data.
func StateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "crucible", "server"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "crucible", "server"), err
}

// TokenFile is the file in the folder of a server with the token of its own machine.
const TokenFile = "token"

// Secret returns the secret of this user for the server: that in the file, if one is
// named, in the environment, or of a server of this user on this machine.
func (f *OnFlag) Secret(file string) (string, error) {
	if file != "" {
		data, err := os.ReadFile(file)
		return strings.TrimSpace(string(data)), err
	}
	if secret := os.Getenv("CRUCIBLE_TOKEN"); secret != "" {
		return secret, nil
	}
	if u, err := url.Parse(f.URL); err == nil {
		if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
			dir, err := StateDir()
			if err != nil {
				return "", err
			}
			if data, err := os.ReadFile(filepath.Join(dir, TokenFile)); err == nil {
				return strings.TrimSpace(string(data)), nil
			}
		}
	}
	return "", fmt.Errorf("%s needs a token: expected $CRUCIBLE_TOKEN or --token-file; judged serve prints one", f.URL)
}

// Check checks that a machine class is given with a server only.
func (f *OnFlag) Check() error {
	if f.class != "" && f.URL == "" {
		return fmt.Errorf("--class %s without --on: expected both", f.class)
	}
	return nil
}

// Client returns the client of the server.
func (f *OnFlag) Client() (*client.Client, error) {
	if f.URL == "" {
		return nil, errors.New("no server: expected --on URL or $CRUCIBLE_SERVER")
	}
	secret, err := f.Secret(f.tokenFile)
	if err != nil {
		return nil, err
	}
	c, err := client.New(f.URL, secret)
	if err != nil {
		return nil, fmt.Errorf("--on %w", err)
	}
	return c, nil
}

// Dial asks the server, if there is one, whether it can make the runs. Jobs is how many
// items are to be under way; 0 means twice what the server executes at the same time, so
// that one is on its way while another is executed.
func (f *OnFlag) Dial(ctx context.Context, jobs *int) error {
	if f.URL == "" {
		return nil
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	d, err := c.Describe(ctx)
	if err != nil {
		return JudgeFailed(ctx, err)
	}
	if own := RemoteVersion(); d.Judge != own {
		return WithStatus(StatusJudge, fmt.Errorf("%s is version %q of the judge: expected %q, as this one", f.URL, d.Judge,
			own))
	}
	f.workers = &remote.Executor{Packer: &remote.Packer{Judge: d.Judge, Send: c.Blobs().UploadTree}, Pool: c}
	if f.jobs = *jobs == 0; f.jobs {
		*jobs = 2 * max(d.Slots, 1)
	}
	return nil
}

// Executor returns [judge.Judge.Executor], after Dial.
func (f *OnFlag) Executor() func(*problem.Submission) judge.Executor {
	if f.workers == nil {
		return nil
	}
	return remote.Agree(f.workers)
}

// Choose chooses the machine class for programs in these languages, after Dial. It waits
// until workers have been calibrated.
func (f *OnFlag) Choose(ctx context.Context, e *Env, languages []string, jobs *int) error {
	x := f.workers
	if x == nil {
		return nil
	}
	c, err := f.Class(ctx, e, x.Pool.(*client.Client), languages)
	if err != nil || c == nil {
		return err
	}
	if x.Class = c.Name; f.jobs {
		*jobs = 2 * max(c.Slots, 1)
	}
	return nil
}

// Class returns the machine class of the server for programs in these languages; nil if all
// workers may make the runs.
func (f *OnFlag) Class(ctx context.Context, e *Env, from *client.Client, languages []string) (*api.Class, error) {
	patience := time.After(2 * time.Second)
	for {
		d, err := from.Describe(ctx)
		if err != nil {
			return nil, JudgeFailed(ctx, err)
		}
		if f.class == api.AnyClass || !d.Calibrates && f.class == "" {
			if len(d.Classes) > 1 {
				fmt.Fprintf(e.Stderr, "judge: workers of %d machine classes make the runs: their times cannot be compared\n",
					len(d.Classes))
			}
			return nil, nil
		}
		if f.class != "" {
			var names []string
			for i := range d.Classes {
				if names = append(names, d.Classes[i].Name); d.Classes[i].Name == f.class {
					return &d.Classes[i], nil
				}
			}
			return nil, fmt.Errorf("--class %s: expected one of %s", f.class, strings.Join(append(names, api.AnyClass), ", "))
		}
		if c, lacks := api.Choose(d.Classes, languages); c != nil {
			if len(lacks) > 0 {
				fmt.Fprintf(e.Stderr, "judge: no machine class has all languages: %s lacks %s\n", c.Name, strings.Join(lacks, ", "))
			}
			return c, nil
		}
		select {
		case <-patience:
			fmt.Fprintf(e.Stderr, "judge: no worker of %s is ready: waiting for one; judge workers lists them, judged worker "+
				"starts one\n", f.URL)
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// RemoteVersion is what two judges must have in common so that one may judge for the
// other: the sources that decide verdicts, and the form of keys.
func RemoteVersion() string {
	return fmt.Sprintf("sources %s, keys %d", judge.Identity(), record.KeySchema)
}
