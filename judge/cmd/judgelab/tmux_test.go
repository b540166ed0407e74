package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/internal/testkit"
)

// A pane contains the output of a command in a separate tmux server.
type pane struct {
	screen string // the text on the screen and in the history of tmux after the command has ended
	output string // all bytes written to the terminal
}

// A press is a list of keys of tmux that are pressed once a text has been written to the
// terminal.
type press struct {
	after string
	keys  []string
}

// inTmux runs a shell command in a folder, in a terminal of the given size, and presses keys.
func inTmux(t *testing.T, dir string, columns, rows int, command string, presses ...press) pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux: ", err)
	}
	judge, err := exec.LookPath("judge")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	socket := filepath.Join(home, "tmux")
	tmux := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PATH="+filepath.Dir(judge)+":"+os.Getenv("PATH"),
			"CRUCIBLE_HISTORY="+filepath.Join(home, "history"), "XDG_CACHE_HOME="+filepath.Dir(testkit.Cache(t)), "GORACE=atexit_sleep_ms=0", "CRUCIBLE_FRESH=1",
			"SHELL=/bin/sh") // that of a user without a login ends at once
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	output := filepath.Join(home, "output")
	// The command waits until tmux stores its output. The terminal stays open until the
	// screen has been read.
	script := "tmux -S " + socket + " wait-for begin; " + command + "; tmux -S " + socket + " wait-for -S ended; sleep 60"
	tmux("new-session", "-d", "-c", dir, "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows), script)
	defer tmux("kill-server")
	tmux("set", "-g", "status", "off", ";", "resize-window", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows), ";", "pipe-pane", "-o", "cat >"+output)
	tmux("wait-for", "-S", "begin")
	for _, p := range presses {
		awaitText(t, output, p.after)
		tmux(append([]string{"send-keys"}, p.keys...)...)
	}
	tmux("wait-for", "ended")
	p := pane{screen: tmux("capture-pane", "-p", "-J", "-S", "-")}
	data, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	p.output = string(data)
	return p
}

// awaitText waits until a file contains a text.
func awaitText(t *testing.T, file, text string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		data, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(data), text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("expected %q within a minute, got %q, error %v", text, data, err)
		}
	}
}

// layPackage writes a package whose submissions are shell scripts that sleep for pause
// seconds and then add two numbers.
func layPackage(t *testing.T, submissions int, pause string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sum")
	files := fstest.MapFS{
		"problem.yaml":      {Data: []byte("problem_format_version: 2025-09\nname: Sum\ntype: pass-fail\nuuid: 6c3f1d0e-2f53-4e0c-8d2e-3f1a6c1f9a11\nlicense: public domain\nlimits:\n  time_limit: 5\n")},
		"data/sample/1.in":  {Data: []byte("1 2\n")},
		"data/sample/1.ans": {Data: []byte("3\n")},
		"data/secret/1.in":  {Data: []byte("3 4\n")},
		"data/secret/1.ans": {Data: []byte("7\n")},
	}
	for i := range submissions {
		files[fmt.Sprintf("submissions/accepted/s%02d.sh", i)] = &fstest.MapFile{Data: []byte("#!/bin/sh\nread a b\nsleep " + pause + "\necho $((a+b))\n")}
	}
	testkit.Lay(t, dir, files)
	return dir
}

func TestMatrixInTmuxHasEachRowOnce(t *testing.T) {
	testkit.InMatrix(t)
	const submissions = 40
	dir := layPackage(t, submissions, "0.02")
	for _, size := range []struct{ columns, rows int }{{80, 24}, {200, 50}, {37, 7}, {61, 2}} {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			p := inTmux(t, dir, size.columns, size.rows, "judge run")
			for i := range submissions {
				name := fmt.Sprintf("s%02d.sh", i)
				if n := strings.Count(p.screen, name); n != 1 {
					t.Errorf("%s is on the screen and in the history %d times, expected once", name, n)
				}
			}
			for _, left := range []string{"… ", " more\n", "/80 runs", "⠋"} {
				if strings.Contains(p.screen, left) {
					t.Errorf("%q of a frame is left", left)
				}
			}
			if !strings.Contains(p.screen, "40 submissions as expected") || strings.Count(p.output, "/40 submissions") < 2 {
				t.Errorf("no live matrix was drawn, or no summary:\n%q", p.output)
			}
			if t.Failed() {
				t.Log(p.screen)
			}
		})
	}
}

func TestTerminalOfNoColumnsIsNotLive(t *testing.T) {
	p := inTmux(t, layPackage(t, 3, "0.02"), 80, 24, "stty cols 0 rows 0; judge run; judge test submissions/accepted/s00.sh; judge verify")
	if i := strings.Index(p.output, "\x1b[?2026"); i >= 0 {
		t.Errorf("a frame was drawn: %.300q", p.output[i:])
	}
	for _, want := range []string{"3 submissions as expected", "s00.sh on the samples of sum", "submissions do as expected (3 checked)"} {
		if strings.Count(p.screen, want) != 1 {
			t.Errorf("expected %q once on the screen:\n%s", want, p.screen)
		}
	}
}

// clock matches the elapsed seconds in a progress line.
var clock = regexp.MustCompile(`(\d+\.\d) s(?:\x1b|  )`)

// TestNothingIsSilentOnATerminal expects a progress line at least every half second. A
// machine under load may pause any process for longer, so a command is at fault if it is
// silent in each of three calls.
func TestNothingIsSilentOnATerminal(t *testing.T) {
	dir := layPackage(t, 1, "1.3")
	for _, command := range []string{"judge test submissions/accepted/s00.sh", "judge verify", "judge run -v", "judge run --samples"} {
		t.Run(command, func(t *testing.T) {
			var silent []string
			for range 3 {
				p := inTmux(t, dir, 80, 24, command)
				if clock.MatchString(p.screen) || strings.ContainsAny(p.screen, "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
					t.Errorf("progress is left on the screen:\n%s", p.screen)
				}
				fault := silence(t, p.output)
				if fault == "" {
					return
				}
				silent = append(silent, fault)
			}
			t.Error(strings.Join(silent, "\n"))
		})
	}
}

// silence returns what is wrong with the progress that was shown while a program ran for
// 1.3 s, or "".
func silence(t *testing.T, output string) string {
	t.Helper()
	last, shown := 0.0, 0
	for _, m := range clock.FindAllStringSubmatch(output, -1) {
		at, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if at-last > 0.5 {
			return fmt.Sprintf("silent from %.1f s to %.1f s", last, at)
		}
		last = at
		shown++
	}
	if last < 1.2 {
		return fmt.Sprintf("%d times shown, the last after %.1f s; expected until the program ends, which takes 1.3 s:\n%q", shown, last, output)
	}
	return ""
}
