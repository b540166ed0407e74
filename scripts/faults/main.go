//go:build linux

// Faults proves that a server with workers loses nothing. It starts judged serve and
// three workers as processes, has a small problem judged by judge run --on again and
// again, and at random moments kills, stops and disconnects what takes part. A record
// that differs from that of judge run without a server, after record.Normalize, is a
// failure: a run that was lost, counted twice, or is wrong. In the end, the queue itself is
// checked: every work item that the server has logged has exactly one verdict, or was
// cancelled.
//
// Other kinds submit judgements while the disk of the server is full, or its system calls fail
// with EIO (by strace), or one of three machines is cut off or loses its NATS server: each
// judgement that was accepted must end once, with its verdict.
//
// It prints a line for each kind of fault, and exits with 1 if a record or an item was
// wrong.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"crucible/judge/record"
)

// settings are the flags.
type settings struct {
	seed          uint64
	count         int
	kinds         string
	short         bool
	judge, judged string // paths of the programs
	wrongClock    string // path of judged with a wrong clock
	keep          bool
}

func main() {
	if len(os.Args) == 5 && os.Args[1] == "node" {
		if err := node(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "faults: a NATS server:", err)
			os.Exit(3)
		}
		return
	}
	var s settings
	flag.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "of the moments of faults and of what they hit")
	flag.IntVar(&s.count, "count", 50, "faults of each kind")
	flag.StringVar(&s.kinds, "kinds", "", "kinds of faults, with commas between them (default: all)")
	flag.BoolVar(&s.short, "short", false, "the server notices lost workers after 2 s, not after 12 s")
	flag.StringVar(&s.judge, "judge", "", "the program judge (default: built from this module)")
	flag.StringVar(&s.judged, "judged", "", "the program judged (default: built from this module)")
	flag.BoolVar(&s.keep, "keep", false, "keep the folder with logs, records and the data of the server")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	wrong, err := run(ctx, &s)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(3)
	case wrong > 0:
		os.Exit(1)
	}
}

// run runs all kinds and returns how many records were wrong.
func run(ctx context.Context, s *settings) (wrong int, err error) {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return 0, err
	}
	if s.keep {
		fmt.Println("folder", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	if err := s.build(ctx, dir); err != nil {
		return 0, err
	}
	problem, err := writeProblem(dir)
	if err != nil {
		return 0, err
	}
	chosen := kinds
	if s.kinds != "" {
		chosen = nil
		for name := range strings.SplitSeq(s.kinds, ",") {
			at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
			if at < 0 {
				return 0, fmt.Errorf("kind %q: expected some of %s", name, names())
			}
			chosen = append(chosen, kinds[at])
		}
	}
	fmt.Printf("seed %d\n", s.seed)
	if slices.ContainsFunc(chosen, func(k kind) bool { return k.clock }) {
		if err := s.buildWrongClock(ctx, dir); err != nil {
			return 0, err
		}
	}
	var before *trial // with a pool
	end := func() {
		if before != nil {
			items, bad := before.pool.close()
			wrong, err, before = wrong+items, errors.Join(err, bad), nil
		}
	}
	defer func() { end() }()
	for i, k := range chosen {
		if why := k.missing(); why != "" {
			fmt.Printf("%-18s skipped: %s\n", k.name, why)
			continue
		}
		in := filepath.Join(dir, k.name)
		if err := os.Mkdir(in, 0o755); err != nil {
			return wrong, err
		}
		random := rand.New(rand.NewPCG(s.seed, uint64(i)))
		t := &trial{settings: s, kind: k, dir: in, problem: problem, random: random}
		if k.cluster {
			err := t.machines(ctx)
			if wrong += t.wrong; err != nil {
				return wrong, fmt.Errorf("%s: %w", k.name, err)
			}
			continue
		}
		if before != nil && !before.kind.sharesPool(&k) {
			end()
		}
		err := t.open(ctx, before)
		if t.pool != nil {
			before = t
		}
		if err == nil {
			err = t.all(ctx)
		}
		if err != nil {
			return wrong, fmt.Errorf("%s: %w", k.name, err)
		}
		wrong += t.wrong
	}
	return wrong, nil
}

// names are the names of all kinds.
func names() string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.name)
	}
	return strings.Join(all, ", ")
}

// build builds the programs that are not named, and judgelab, which judge finds beside it.
func (s *settings) build(ctx context.Context, dir string) error {
	if s.judge != "" && s.judged != "" {
		return nil
	}
	const in = "crucible/judge/cmd/"
	out, err := exec.CommandContext(ctx, "go", "build", "-o", dir, in+"judge", in+"judgelab", in+"judged").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	s.judge = cmp.Or(s.judge, filepath.Join(dir, "judge"))
	s.judged = cmp.Or(s.judged, filepath.Join(dir, "judged"))
	return nil
}

// buildWrongClock builds judged with a clock that is ahead by an hour, or behind. Its own
// code and its libraries read the same clock. All of the standard library is compiled for it.
func (s *settings) buildWrongClock(ctx context.Context, dir string) error {
	seconds := 3600
	if s.seed%2 == 1 {
		seconds = -3600
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	name := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	const now = "sec, nsec, mono := runtimeNow()\n"
	if !strings.Contains(string(source), now) {
		return fmt.Errorf("%s: expected a line %q", name, now)
	}
	changed := strings.ReplaceAll(string(source), now, now+fmt.Sprintf("\tsec += %d\n", seconds))
	file, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {name: file}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(file, []byte(changed), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return err
	}
	s.wrongClock = filepath.Join(dir, "judged-wrong-clock")
	if out, err := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", s.wrongClock,
		"crucible/judge/cmd/judged").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	fmt.Printf("a clock that is wrong by %d s\n", seconds)
	return nil
}

// cases is the number of cases of the problem. A run takes about 0.1 s.
const cases = 16

// writeProblem writes a problem with submissions of several verdicts.
func writeProblem(dir string) (string, error) {
	dir = filepath.Join(dir, "echo")
	files := map[string]string{
		"problem.yaml": "problem_format_version: 2025-09\nname: Echo\nuuid: " +
			"7e57d004-2b97-4e7a-b45f-5387367791ce\nlimits: {time_limit: 5}\n",
		"statement/problem.en.md":           "Repeat the input.\n",
		"attachments/large.bin":             strings.Repeat("0123456789abcdef", 1<<16), // too much for a full disk
		"submissions/accepted/cat.sh":       "sleep 0.1\ncat\n",
		"submissions/wrong_answer/late.sh":  "read -r a\nsleep 0.1\n[ $a -lt 1012 ] && echo $a || echo 0\n",
		"submissions/run_time_error/one.sh": "read -r a\nsleep 0.1\n[ $a -lt 1009 ] && echo $a || exit 3\n",
	}
	for i := range cases {
		text := fmt.Sprintf("%d\n", 1000+i)
		files[fmt.Sprintf("data/secret/%02d.in", i)], files[fmt.Sprintf("data/secret/%02d.ans", i)] = text, text
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// normalized returns the record in a file, without what may differ.
func normalized(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := record.Read(f)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = record.Write(&text, record.Normalize(d))
	return text.Bytes(), err
}
