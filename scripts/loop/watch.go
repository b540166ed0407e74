package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const watchTurns = 9

// watched is a package with two samples. The figures are of its samples, and the wall
// clock of a run does not matter.
var watched = map[string]string{
	"problem.yaml": "problem_format_version: 2025-09\nname: Double\nuuid: " +
		"00000000-0000-4000-8000-000000000001\nlimits: {time_limit: 10}\n",
	"data/sample/1.in": "1\n", "data/sample/1.ans": "2\n",
	"data/sample/2.in": "2\n", "data/sample/2.ans": "4\n",
}

// A watching is a judge watch of the samples that runs.
type watching struct {
	lines chan string
	stop  func() error
}

func (l *loop) watch(dir string) (*watching, error) {
	ctx, cancel := context.WithTimeout(l.ctx, 5*time.Minute)
	c := exec.CommandContext(ctx, l.judge, "watch", "--samples")
	c.Dir, c.Env = dir, l.env
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	w := &watching{lines: make(chan string, 1000)}
	w.stop = func() error {
		defer cancel()
		c.Process.Signal(os.Interrupt)
		for range w.lines {
		}
		if c.Wait(); c.ProcessState.ExitCode() != 130 {
			return fmt.Errorf("judge watch: %v, expected exit status 130", c.ProcessState)
		}
		return nil
	}
	go func() {
		defer close(w.lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			w.lines <- in.Text()
		}
	}()
	return w, nil
}

// await waits for the line of the submission.
func (w *watching) await() error {
	for line := range w.lines {
		if regexp.MustCompile(`accepted/a\.\w+ .* AC `).MatchString(line) {
			return nil
		}
	}
	return errors.New("judge watch has ended")
}

// saved saves a source in turns with another measurement. It returns the times from
// the write to the verdict and those of the other measurement.
func (l *loop) saved(name, text string,
	other func() (time.Duration, error)) (watch, others []time.Duration, err error) {
	dir := filepath.Join(l.tmp, "watched-"+name)
	if err := errors.Join(writeFiles(dir, watched), writeFiles(dir,
		map[string]string{"submissions/accepted/" + name: text})); err != nil {
		return nil, nil, err
	}
	w, err := l.watch(dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.await(); err != nil {
		return nil, nil, err
	}
	for range watchTurns {
		time.Sleep(200 * time.Millisecond)                                       // judge watch has ended its run, and waits
		text += text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1:] // another comment
		began := time.Now()
		if err := writeFiles(dir, map[string]string{"submissions/accepted/" + name: text}); err != nil {
			return nil, nil, err
		}
		if err := w.await(); err != nil {
			return nil, nil, err
		}
		watch = append(watch, time.Since(began))
		took, err := other()
		if err != nil {
			return nil, nil, err
		}
		others = append(others, took)
	}
	return watch, others, nil
}

func (l *loop) watchCpp() (figure, error) {
	source := "#include <bits/stdc++.h>\nusing namespace std;\nint main() { int n; cin >> n; vector<int> v(n, 2); cout " +
		"<< accumulate(v.begin(), v.end(), 0) << endl; }\n// a\n"
	folder, err := l.prepared("headers/stdc++.h", "a.cpp", source)
	if err == nil {
		err = os.WriteFile(filepath.Join(l.tmp, "a.cpp"), []byte(source), 0o644)
	}
	if err != nil {
		return figure{}, err
	}
	watch, others, err := l.saved("a.cpp", source, func() (time.Duration, error) {
		began := time.Now()
		err := l.command(l.tmp, "g++", "-I"+folder, "-O2", "-std=gnu++20", "-o", "a", "a.cpp").Run()
		return time.Since(began), err
	})
	if err != nil {
		return figure{}, err
	}
	var ratios []float64
	for i := range watch {
		ratios = append(ratios, watch[i].Seconds()/others[i].Seconds())
	}
	slices.Sort(ratios)
	return ratio(ratios, 1.6), nil
}

// watchPython compares with the runs that the judge makes: a check of the syntax and then
// both samples at once.
func (l *loop) watchPython() (figure, error) {
	tool, err := l.command(l.tmp, "python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return figure{}, skipped("no python3")
	}
	python := strings.TrimSpace(string(tool))
	const source = "print(2 * int(input()))\n# a\n"
	file := filepath.Join(l.tmp, "a.py")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return figure{}, err
	}
	start := func(args ...string) (*exec.Cmd, error) {
		c := l.command(l.tmp, python, append([]string{"-B"}, args...)...)
		c.Stdin, c.Stdout = bytes.NewReader([]byte("1\n")), io.Discard
		return c, c.Start()
	}
	watch, others, err := l.saved("a.py", source, func() (time.Duration, error) {
		began := time.Now()
		check, err := start("-c", "compile(open('a.py').read(), 'a.py', 'exec')")
		if err == nil {
			err = check.Wait()
		}
		if err != nil {
			return 0, err
		}
		one, err := start(file)
		if err != nil {
			return 0, err
		}
		two, err := start(file)
		if err != nil {
			return 0, err
		}
		err = errors.Join(one.Wait(), two.Wait())
		return time.Since(began), err
	})
	if err != nil {
		return figure{}, err
	}
	var above []time.Duration
	for i := range watch {
		above = append(above, watch[i]-others[i])
	}
	slices.Sort(above)
	median := above[len(above)/2]
	return figure{fmt.Sprintf("%d ms [%d–%d]", median.Milliseconds(), above[0].Milliseconds(),
		above[len(above)-1].Milliseconds()), median <= 150*time.Millisecond}, nil
}
