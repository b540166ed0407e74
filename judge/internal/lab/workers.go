package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
	"crucible/judge/terminal"
)

func Workers(e *cli.Env) *cobra.Command {
	var on cli.OnFlag
	var asJSON, watch bool
	var remove, restore, because string
	c := &cobra.Command{
		Use:   "workers",
		Short: "list the workers of a server, take one out, put it back",
		Long:  helpText("workers"),
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if watch && !e.TTY {
				return errors.New("--watch: standard output is no terminal: expected one, or no --watch")
			}
			from, err := clientOf(e, &on)
			if err != nil {
				return err
			}
			if watch {
				return watchWorkers(c.Context(), e, from)
			}
			var all []api.Worker
			switch {
			case remove != "" || restore != "":
				all, err = changeWorker(c.Context(), from, remove, restore, because)
			case because != "":
				return errors.New("--because without --remove: expected both")
			default:
				all, err = from.Workers(c.Context())
			}
			switch {
			case err != nil:
				return serverFailed(c.Context(), err)
			case asJSON:
				return writeWorkers(e, all)
			}
			_, err = fmt.Fprint(e.Stdout, workersTable(all, time.Now(), !e.Palette.On))
			return err
		},
	}
	on.Flags(c)
	c.Flags().Lookup("on").Usage = "ask the server at `URL`; $CRUCIBLE_SERVER does the same"
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of objects")
	c.Flags().BoolVar(&watch, "watch", false, "show the table on the terminal, new every 2 s, until Ctrl-C")
	c.Flags().StringVar(&remove, "remove", "",
		"take the worker `NAME` out: it gets no work items, and others get those that it has; the token needs the scope "+
			"admin")
	c.Flags().StringVar(&because, "because", "", "with --remove: the reason as `TEXT`, which the list shows")
	c.Flags().StringVar(&restore, "restore", "", "put the worker `NAME` back that --remove took out, or an audit")
	c.MarkFlagsMutuallyExclusive("json", "watch")
	c.MarkFlagsMutuallyExclusive("watch", "remove", "restore")
	return c
}

// changeWorker takes a worker out or puts it back, and returns it.
func changeWorker(ctx context.Context, from *client.Client, remove, restore, because string) ([]api.Worker, error) {
	var w *api.Worker
	var err error
	if remove != "" {
		w, err = from.Remove(ctx, remove, because)
	} else {
		w, err = from.Restore(ctx, restore)
	}
	if err != nil {
		return nil, err
	}
	return []api.Worker{*w}, nil
}

// writeWorkers prints workers as JSON.
func writeWorkers(e *cli.Env, all []api.Worker) error {
	if all == nil {
		all = []api.Worker{}
	}
	out := json.NewEncoder(e.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(all)
}

// watchWorkers shows the table until ctx ends.
func watchWorkers(ctx context.Context, e *cli.Env, from *client.Client) error {
	const home, erase = "\x1b[H", "\x1b[J"
	for {
		all, err := from.Workers(ctx)
		text := workersTable(all, time.Now(), !e.Palette.On)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			text = terminal.Clean(err.Error()) + "\n" // it is asked again
		}
		if _, err := fmt.Fprint(e.Stdout, home+erase+text); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(2 * time.Second):
		}
	}
}

// calibrates is the time after its registration in which a worker without a sign of life
// is taken to be calibrating; without load, a calibration takes seconds.
const calibrates = 2 * time.Minute

// workersTable returns the table of workers.
func workersTable(all []api.Worker, now time.Time, plain bool) string {
	if len(all) == 0 {
		return "no workers: judged worker --server URL starts one\n"
	}
	t := terminal.Table{Right: []int{4, 5, 6, 7}, Most: 60, Plain: plain}
	t.Add("worker", "class", "since", "seen", "busy", "slots", "done", "unaudited", "level", "processor", "kernel",
		"languages", "last error")
	for i := range all {
		w := &all[i]
		seen := "never"
		starting := w.Seen == nil && w.Class == "" && now.Sub(w.Since) < calibrates
		switch {
		case starting:
			seen = "calibrating"
		case w.Seen != nil:
			seen = terminal.Age(now.Sub(*w.Seen)) + " ago"
		}
		if !w.Alive && !starting {
			seen += ", lost"
		}
		t.Add(w.Name, w.Class, w.Since.Local().Format("01-02 15:04"), seen, strconv.Itoa(w.Busy), strconv.Itoa(w.Slots),
			strconv.FormatInt(w.Done, 10), strconv.FormatInt(w.Unaudited, 10),
			w.Level, fmt.Sprintf("%d × %s", w.Cores, w.CPU), w.Kernel, strings.Join(w.Languages, " "), w.Err)
	}
	return t.String() + outText(all) + classesText(all, plain)
}

// outText describes the workers that were taken out.
func outText(all []api.Worker) string {
	var b strings.Builder
	for i := range all {
		for _, o := range all[i].Out {
			fmt.Fprintf(&b, "%s is taken out since %s: %s\n", terminal.Clean(all[i].Name), o.Since.Local().Format("01-02 15:04"),
				terminal.Clean(o.Because))
		}
	}
	return b.String()
}
