package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// programs by verdict, and the number of their runs: a wrong program is judged up to its first
// failure.
var programs = []struct {
	verdict, text string
	runs          int
}{
	{"AC", "cat\n", 2},
	{"WA", "read -r a\n[ $a = 1 ] && echo 1 || echo 0\n", 2},
	{"RTE", "exit 3\n", 1},
}

// window is how much accepted work may be lost without --durable, and a little more, as the
// guest is emulated.
const window = 11 * time.Second

// A job is a judgement that the client sends, until it has been accepted.
type job struct {
	key     string
	kind    int
	archive []byte            // the package
	sources map[string]string // inline, or as files
	files   bool

	id       string // "" if it is not accepted
	accepted time.Time
	ended    *api.Judgement // as the client has seen it
	seen     time.Time
	phase    int // in which it was sent
}

// work is what the client knows.
type work struct {
	mu    sync.Mutex
	on    bool      // the power
	cutAt time.Time // the last cut
	jobs  []*job
	wrong int
	// fileless is the number of judgements that ended with an error as their files were lost.
	fileless int
}

// report prints what is wrong.
func (m *machine) report(format string, values ...any) {
	m.wrong++
	fmt.Printf("wrong: boot %d: judgement %s\n", m.boots, fmt.Sprintf(format, values...))
}

// count returns how many judgements the client knows as accepted, and as ended.
func (m *machine) count() (accepted, ended int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.jobs {
		if j.id != "" {
			accepted++
		}
		if j.ended != nil {
			ended++
		}
	}
	return accepted, ended
}

// pack returns a package that no other is equal to.
func pack(name string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range [][2]string{
		{"problem.yaml", "problem_format_version: 2025-09\nname: " + name +
			"\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791ce\nlimits: {time_limit: 20}\n"},
		{"statement/problem.en.md", "Repeat the input.\n"},
		{"data/secret/1.in", "1\n"}, {"data/secret/1.ans", "1\n"},
		{"data/secret/2.in", "2\n"}, {"data/secret/2.ans", "2\n"},
	} {
		if w, err := z.Create(f[0]); err == nil {
			io.WriteString(w, f[1])
		}
	}
	z.Close()
	return b.Bytes()
}

// submit sends judgements and asks for their verdicts until ctx ends.
func (m *machine) submit(ctx context.Context, phase int) {
	var all sync.WaitGroup
	for s := range 2 {
		all.Go(func() {
			var archive []byte
			for n := 0; ctx.Err() == nil; n++ {
				name := fmt.Sprintf("%d-%d-%d", phase, s, n)
				if n%6 == 0 {
					archive = pack(name)
				}
				j := &job{key: name, kind: (n + s) % len(programs), archive: archive, files: n%3 == 2, phase: phase}
				j.sources = map[string]string{"a.sh": "# " + name + "\n" + programs[j.kind].text}
				m.mu.Lock()
				m.jobs = append(m.jobs, j)
				m.mu.Unlock()
				err := m.send(ctx, j, n%6 == 0)
				if err != nil && ctx.Err() == nil {
					m.mu.Lock()
					m.report("%s is refused: %v", name, err)
					m.mu.Unlock()
				}
				select {
				case <-ctx.Done():
				case <-time.After(700 * time.Millisecond):
				}
			}
		})
	}
	all.Go(func() {
		for ctx.Err() == nil {
			m.follow(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	})
	all.Wait()
}

// send sends a judgement, and its files if they are new.
func (m *machine) send(ctx context.Context, j *job, files bool) error {
	r := &api.Request{Problem: blob.Of(j.archive).String(), Language: "bash", Sources: j.sources}
	if files {
		if _, err := m.client.PutPackage(ctx, j.archive); err != nil {
			return err
		}
	}
	if j.files {
		text := []byte(j.sources["a.sh"])
		r.Sources, r.Files = nil, map[string]string{"a.sh": blob.Of(text).String()}
		if files || j.id == "" {
			open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
			if err := m.client.Blobs().Put(ctx, blob.Of(text), open); err != nil {
				return err
			}
		}
	}
	g, err := m.client.Judge(ctx, r, j.key)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.on { // the answer came too late to have been read before the cut
		return nil
	}
	if j.id != "" && j.id != g.ID {
		m.report("%s is doubled: %s and %s", j.key, j.id, g.ID)
	}
	if j.id == "" {
		j.id, j.accepted = g.ID, time.Now()
	}
	return nil
}

// follow notes which judgements have ended.
func (m *machine) follow(ctx context.Context) (open int) {
	for _, j := range m.known() {
		if j.ended != nil {
			continue
		}
		open++
		g, err := m.client.Judgement(ctx, j.id)
		if err != nil || g.State != api.Ended && g.State != api.Cancelled {
			continue
		}
		m.mu.Lock()
		if m.on {
			j.ended, j.seen = g, time.Now()
			age := m.cutAt.Sub(j.accepted)
			if strings.Contains(g.Error, "is not on the server") && !m.durable && 0 < age && age < window {
				m.fileless++ // the judgement has outlived its files
			} else if want := programs[j.kind].verdict; g.Verdict != want {
				m.report("%s, accepted %.1f s before the cut, ended: %s, %q, verdict %q: expected %s", j.key,
					age.Seconds(), g.State, g.Error, g.Verdict, want)
			}
		}
		m.mu.Unlock()
	}
	return open
}

// known returns the judgements that were accepted.
func (m *machine) known() []*job {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*job
	for _, j := range m.jobs {
		if j.id != "" {
			all = append(all, j)
		}
	}
	return all
}

// check compares what the server has after a cut with what it had accepted, and sends what it
// has lost or not accepted, as a live client does.
func (m *machine) check(ctx context.Context) error {
	missing, oldest := 0, time.Duration(0)
	for _, j := range m.known() {
		g, err := m.client.Judgement(ctx, j.id)
		var refused *blob.Problem
		age := m.cutAt.Sub(j.accepted)
		switch {
		case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
			missing++
			oldest = max(oldest, age)
			if m.durable || age > window {
				m.report("%s is missing; it was accepted %.1f s before the cut", j.key, age.Seconds())
			}
			j.id, j.ended = "", nil
		case err != nil:
			return err
		case j.ended != nil:
			lost := g.State != api.Ended || g.Verdict != j.ended.Verdict || !bytes.Equal(g.Record, j.ended.Record)
			age := m.cutAt.Sub(j.seen)
			if lost && (m.durable || age > window) {
				m.report("%s had verdict %s %.1f s before the cut, and has %s, %q, another record: %v", j.key,
					j.ended.Verdict, age.Seconds(), g.State, g.Verdict, !bytes.Equal(g.Record, j.ended.Record))
			}
			if lost {
				j.ended = nil
			}
		}
	}
	for _, j := range slices.Clone(m.jobs) {
		if j.id != "" && j.phase < m.boots-2 { // it was sent again before
			continue
		}
		err := m.send(ctx, j, j.id == "" || !m.durable)
		if err != nil {
			m.report("%s, sent again, is refused: %v", j.key, err)
		}
	}
	fmt.Printf("boot %-33d %23d  %.1f s, %d without their files, %d wrong\n", m.boots, missing, oldest.Seconds(),
		m.fileless, m.wrong)
	return ctx.Err()
}

// finish waits for the end of all judgements, and checks their runs.
func (m *machine) finish(ctx context.Context) {
	for end := time.Now().Add(10 * time.Minute); m.follow(ctx) > 0 && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(time.Second)
	}
	for _, j := range m.known() {
		runs, want := 0, programs[j.kind]
		_, err := m.client.Events(ctx, j.id, 0, func(json.RawMessage) error { runs++; return nil })
		if err != nil || j.ended == nil || j.ended.Verdict == want.verdict && runs != want.runs {
			m.report("%s has %d runs, ended %v, %v: expected %d runs", j.key, runs, j.ended != nil, err, want.runs)
		}
	}
}
