//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An attack is a program in testdata/attack, in C, Go, Java, JavaScript or
// Python, that begins with comments:
//
//	// limits: cpu=500ms memory=64M      those that differ from attackLimits
//	// stdin: 100M                       so many zero bytes; by default "input\n"
//	// cmd: scratch                      the working folder can be written to
//	// cmd: setuid                       the program's file belongs to root, and says to run as its owner
//	// acts: 2                           run so often by one Sandbox; what one act prints, the next one reads
//	// rungs: guarded box                where it must hold what follows; by default everywhere
//	// needs: pids                       a cgroup that it takes, too: memory or pids
//	// want: exceeded=cpu cpu>=500ms     the facts that its last outcome must give
//	// without: exit=1                   those that it gives where nothing is held: on the rung Process, as root
//
// Rungs are process, guarded, userbox, rootbox, and box for the last two. Facts
// hold on any machine, however busy. The fact error=TEXT is that Run returns
// such an error. The folder has innocent programs, too, that look like attacks.
//
// An attack on what it must not reach exits with 0 if it was held. Else it exits
// with 1 and says on stderr what it managed. So that this proves something, it
// must succeed where nothing holds it (without), or say why it may not.
//
// Its arguments are the number of its act, and what to aim at: see target.
type attack struct {
	name, source    string
	program         string // a file or folder; a source that needs no building is itself
	limits          Limits
	stdin           int64 // zero bytes; -1: "input\n"
	acts            int
	scratch, setuid bool
	memory, pids    bool // it needs a cgroup for that
	rungs           []Rung
	want, without   []fact
}

type fact struct{ key, op, value string }

// attackLimits are generous with wall time, so that a busy machine changes no
// fact.
var attackLimits = Limits{CPU: 5 * time.Second, Wall: 60 * time.Second, Memory: 256 << 20, Output: 1 << 20, Processes: 64}

// A way is a rung, as some user.
type way struct {
	name string
	rung Rung
}

// attackFolder is the environment variable by which the test, run again as a
// user without rights, finds what was built.
const attackFolder = "SANDBOX_TEST_ATTACKS"

func TestAttacks(t *testing.T) {
	if folder := os.Getenv(attackFolder); folder != "" {
		attacks := readAttacks(t, filepath.Join(folder, "source"))
		for _, a := range attacks {
			a.place(folder)
		}
		runAttacks(t, attacks, []way{{"guarded", Guarded}, {"userbox", UserBox}})
		return
	}
	folder, err := os.MkdirTemp("", "attacks")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	// Whoever runs an attack must be able to read it.
	if err := errors.Join(os.Chmod(folder, 0o755), os.CopyFS(filepath.Join(folder, "source"), os.DirFS("testdata/attack"))); err != nil {
		t.Fatal(err)
	}
	attacks := readAttacks(t, filepath.Join(folder, "source"))
	buildAttacks(t, attacks, folder)
	ways := []way{{"process", Process}, {"guarded", Guarded}, {"rootbox", RootBox}}
	if os.Geteuid() != 0 {
		ways[2] = way{"userbox", UserBox}
	}
	if raceEnabled {
		// The race detector is about the judge's side, which is the same on all.
		ways = ways[2:]
	}
	runAttacks(t, attacks, ways)
	if os.Geteuid() == 0 && !raceEnabled {
		t.Run("nobody", func(t *testing.T) { attackAsNobody(t, folder) })
	}
}

// attackAsNobody runs this test once more, as a user without rights.
func attackAsNobody(t *testing.T, folder string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	test := filepath.Join(folder, "test")
	if err := os.WriteFile(test, data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(test, "-test.run=^TestAttacks$"+only(), "-test.v", "-test.parallel="+strconv.Itoa(runtime.GOMAXPROCS(0)))
	cmd.Dir = "/"
	cmd.Env = []string{
		attackFolder + "=" + folder, "PATH=" + os.Getenv("PATH"), "HOME=/", "GORACE=" + os.Getenv("GORACE"),
		"CRUCIBLE_REQUIRE_LANGUAGES=" + os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES"),
	}
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}, Pdeathsig: unix.SIGKILL}
	runtime.LockOSThread() // whose death would count as ours
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Skip("no other user can be had here:", err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "=== ") {
			t.Log(strings.TrimSuffix(line, "\n"))
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// only is what is left of the flag -run below "TestAttacks/nobody", so that a
// single attack can be run as nobody, too: TestAttacks/nobody/userbox/mount, or
// on all rungs, TestAttacks/.*/mount.
func only() string {
	if run := flag.Lookup("test.run"); run != nil {
		pattern := run.Value.String()
		switch parts := strings.Split(pattern, "/"); len(parts) {
		case 3:
			return "/.*/" + parts[2]
		case 4:
			return "/" + parts[2] + "/" + parts[3]
		}
	}
	return ""
}

// runAttacks runs the attacks in every way that this machine has.
func runAttacks(t *testing.T, attacks []*attack, ways []way) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			shared := &Sandbox{Least: w.rung, Most: w.rung}
			t.Cleanup(func() { shared.Close() })
			if _, err := shared.Run(context.Background(), Cmd{Args: []string{"/bin/true"}, Dir: "/"}); err != nil {
				if w.rung.Full() && namespaces() == nil {
					t.Fatal("namespaces are allowed here, but no box can be made: ", err)
				}
				t.Skip(err)
			}
			aim := newTarget(t)
			for _, a := range attacks {
				facts := a.on(w.rung)
				if facts == nil {
					continue
				}
				t.Run(a.name, func(t *testing.T) {
					t.Parallel()
					p := shared
					if a.acts > 1 {
						// All acts are to be played in the same launcher.
						p = &Sandbox{Least: w.rung, Most: w.rung}
						defer p.Close()
					}
					a.run(t, p, w.rung, aim, facts)
				})
			}
		})
	}
}

// on returns the facts that an attack must give on a rung, or nil.
func (a *attack) on(rung Rung) []fact {
	if len(a.rungs) == 0 || slices.Contains(a.rungs, rung) {
		return a.want
	}
	if rung == Process && os.Geteuid() == 0 && unconfined() {
		return a.without
	}
	return nil
}

// unconfined reports whether root here is root indeed, and in no container that
// holds attacks by itself.
func unconfined() bool {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":\t")
		switch key {
		case "CapEff":
			const wanted = 1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_SYS_PTRACE | 1<<unix.CAP_NET_RAW | 1<<unix.CAP_SYS_CHROOT |
				1<<unix.CAP_MKNOD | 1<<unix.CAP_SYS_TIME | 1<<unix.CAP_SYS_NICE | 1<<unix.CAP_DAC_READ_SEARCH
			if has, err := strconv.ParseUint(value, 16, 64); err != nil || has&wanted != wanted {
				return false
			}
		case "Seccomp":
			if value != "0" {
				return false
			}
		}
	}
	return true
}

// A target is what attacks aim at. Nothing of it is named in a Cmd, and all of
// it is open to every user of the machine, so that only a sandbox keeps it.
type target struct {
	answer string   // its file
	text   string   // what the file holds
	file   *os.File // the judge has it open
	port   int      // of a listener at 127.0.0.1
	socket string   // of a listener, in the answer's folder
	name   string   // of a listener in the abstract name space
}

func newTarget(t *testing.T) *target {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder, err := os.MkdirTemp("", "judge")
	must(err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	must(os.Chmod(folder, 0o755))
	aim := &target{
		answer: filepath.Join(folder, "1.ans"), text: "the answer is " + rand.Text() + "\n",
		socket: filepath.Join(folder, "socket"), name: "judge-" + rand.Text(),
	}
	must(os.WriteFile(aim.answer, []byte(aim.text), 0o644))
	aim.file, err = os.Open(aim.answer)
	must(err)
	t.Cleanup(func() { aim.file.Close() })
	// A judge that uses other libraries may have files open that are not closed on
	// exec. Launchers are started with this one open.
	open, err := unix.Dup(int(aim.file.Fd()))
	must(err)
	t.Cleanup(func() { unix.Close(open) })
	listen := func(network, address string) net.Addr {
		l, err := net.Listen(network, address)
		must(err)
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Close()
			}
		}()
		return l.Addr()
	}
	aim.port = listen("tcp", "127.0.0.1:0").(*net.TCPAddr).Port
	listen("unix", aim.socket)
	must(os.Chmod(aim.socket, 0o777))
	listen("unix", "@"+aim.name)
	return aim
}

// arguments are those of every attack, after the number of its act.
func (aim *target) arguments() []string {
	return []string{aim.answer, strconv.Itoa(os.Getpid()), strconv.Itoa(int(aim.file.Fd())), strconv.Itoa(aim.port), aim.socket, aim.name}
}

// run plays the acts of an attack, and checks the facts.
func (a *attack) run(t *testing.T, p *Sandbox, rung Rung, aim *target, facts []fact) {
	command, reads, err := a.command()
	switch {
	case errors.Is(err, exec.ErrNotFound) && os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	protection := strings.Join(p.Protection().Enforced, "\n")
	if a.memory && !strings.Contains(protection, "memory of all processes, held") || a.pids && !p.fenced() {
		t.Skip("there is no cgroup for it here")
	}
	input := []byte("input\n")
	if a.stdin >= 0 {
		input = make([]byte, a.stdin)
	}
	dir := t.TempDir()
	// The folders above are for this user alone; the program's is another one.
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	var o Outcome
	var stdout, stderr bytes.Buffer
	for act := 1; act <= a.acts; act++ {
		file := filepath.Join(t.TempDir(), "input")
		if err := os.WriteFile(file, input, 0o644); err != nil {
			t.Fatal(err)
		}
		stdin, openErr := os.Open(file)
		if openErr != nil {
			t.Fatal(openErr)
		}
		defer stdin.Close()
		stdout.Reset()
		stderr.Reset()
		args := append(append(slices.Clone(command), strconv.Itoa(act)), aim.arguments()...)
		o, err = p.Run(context.Background(), Cmd{
			Args: args, Dir: dir, Reads: reads, Scratch: a.scratch, Limits: a.limits,
			Stdin: stdin, Stdout: &bounded{&stdout, 1 << 20}, Stderr: &bounded{&stderr, 1 << 20},
		})
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, input) {
			t.Errorf("the input file was changed: %v", err)
		}
		if act < a.acts {
			if err != nil {
				t.Fatalf("act %d: %v", act, err)
			}
			input = bytes.Clone(stdout.Bytes())
			if stderr.Len() > 0 || o.Exit != 0 {
				t.Logf("act %d: exit %d, stderr %.2000q", act, o.Exit, &stderr)
			}
		}
	}
	for _, f := range facts {
		if f.key == "memory" && f.op == "<=" && raceEnabled {
			continue // a launcher with the race detector is large, and so is what it starts
		}
		switch {
		case f.key == "error":
			if err == nil || !strings.Contains(err.Error(), f.value) {
				t.Errorf("Run: %+v, error %v, want one with %q", o, err, f.value)
			}
		case err != nil:
			t.Fatal(err)
		case !f.holds(o):
			t.Errorf("%s%s%s does not hold: %+v", f.key, f.op, f.value, o)
		}
	}
	if said := stdout.String() + stderr.String(); strings.Contains(said, strings.TrimSpace(aim.text)) && rung.Full() {
		t.Error("the answer came out")
	}
	if t.Failed() {
		t.Logf("stdout %.1000q\nstderr %.4000q", &stdout, &stderr)
	}
	if strings.Contains(stderr.String(), "escaped") {
		// Without a fence it was killed in the end, but is not claimed to be outrun.
		if p.fenced() {
			t.Error("it was stopped by its own bound only")
		} else {
			t.Log("it multiplied up to its own bound: there can be no pids cgroup here")
		}
	}
	if rung.Full() {
		if after := listing(t, dir); !slices.Equal(before, after) {
			t.Errorf("it changed the working folder: %q, was %q", after, before)
		}
	}
	if got, err := os.ReadFile(aim.answer); err != nil || string(got) != aim.text {
		t.Errorf("the answer was changed: %q, %v", got, err)
	}
	if left := processesOf(t, a.program); len(left) > 0 {
		t.Errorf("left running: %v", left)
	}
}

// listing tells what lies in a folder, and its mode.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names = []string{info.Mode().String()}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// bounded keeps so many of the bytes that it is given.
type bounded struct {
	to   io.Writer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	kept := p[:min(len(p), b.left)]
	b.left -= len(kept)
	if _, err := b.to.Write(kept); err != nil {
		return 0, err
	}
	return len(p), nil
}

// fenced reports whether launchers have a fence here.
func (p *Sandbox) fenced() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle) > 0 && p.idle[0].group.pids()
}

// holds reports whether an outcome has the fact.
func (f fact) holds(o Outcome) bool {
	switch f.key {
	case "exceeded":
		return string(o.Exceeded) == strings.ReplaceAll(strings.TrimPrefix(f.value, "none"), "_", " ")
	case "signal":
		return o.Signal == unix.SignalNum(f.value)
	}
	var got, want int64
	switch f.key {
	case "exit":
		got, want = int64(o.Exit), int64(number(f.value))
	case "cpu":
		d, _ := time.ParseDuration(f.value)
		got, want = int64(o.CPU), int64(d)
	case "memory":
		got, want = o.Memory, size(f.value)
	case "output":
		got, want = o.Output, size(f.value)
	case "files":
		got, want = o.Files, size(f.value)
	}
	switch f.op {
	case ">=":
		return got >= want
	case "<=":
		return got <= want
	}
	return got == want
}

// facts are what can be said of an outcome.
var facts = []string{"exceeded", "signal", "exit", "cpu", "memory", "output", "files", "error"}

// readAttacks reads all attacks of a folder.
func readAttacks(t *testing.T, folder string) (attacks []*attack) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file.Name()) == ".h" {
			continue
		}
		a, err := readAttack(filepath.Join(folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		attacks = append(attacks, a)
	}
	if len(attacks) == 0 {
		t.Fatalf("%s has no attacks", folder)
	}
	return attacks
}

// readAttack reads what the first lines of an attack say.
func readAttack(source string) (*attack, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(source)
	a := &attack{name: strings.TrimSuffix(name, filepath.Ext(name)), source: source, limits: attackLimits, stdin: -1, acts: 1}
	for line := range strings.Lines(string(text)) {
		comment, ok := strings.CutPrefix(line, "// ")
		if !ok {
			comment, ok = strings.CutPrefix(line, "# ")
		}
		if !ok {
			break
		}
		kind, rest, ok := strings.Cut(comment, ":")
		if !ok || strings.ToLower(kind) != kind || strings.Contains(kind, " ") {
			continue // prose
		}
		for _, word := range strings.Fields(rest) {
			if err := a.set(kind, word); err != nil {
				return nil, fmt.Errorf("%s: %s: %s: %w", source, kind, word, err)
			}
		}
	}
	if len(a.want) == 0 {
		return nil, fmt.Errorf("%s: no line with // want:", source)
	}
	return a, nil
}

// set takes one word of a line.
func (a *attack) set(kind, word string) error {
	switch f := parseFact(word); kind {
	case "want", "without":
		if !slices.Contains(facts, f.key) {
			return fmt.Errorf("unknown fact, want one of %q", facts)
		}
		if kind == "want" {
			a.want = append(a.want, f)
		} else {
			a.without = append(a.without, f)
		}
		return nil
	case "limits":
		return f.set(&a.limits)
	case "stdin":
		a.stdin = size(word)
		return nil
	case "acts":
		a.acts = number(word)
		return nil
	case "rungs":
		rungs := map[string][]Rung{"process": {Process}, "guarded": {Guarded}, "userbox": {UserBox}, "rootbox": {RootBox}, "box": {UserBox, RootBox}}[word]
		if rungs == nil {
			return errors.New("unknown rung")
		}
		a.rungs = append(a.rungs, rungs...)
		return nil
	}
	for name, flag := range map[string]*bool{"cmd scratch": &a.scratch, "cmd setuid": &a.setuid, "needs memory": &a.memory, "needs pids": &a.pids} {
		if name == kind+" "+word {
			*flag = true
			return nil
		}
	}
	return errors.New("unknown")
}

// A tool makes attacks of one language into programs, or runs them.
type attackTool struct {
	compiler    []string // {source} to {program}; nil if there is nothing to do
	interpreter []string // runs {program}, or if there was nothing to do, {source}
	folder      []string // prints where the interpreter's own files are
}

var attackTools = map[string]attackTool{
	".c":    {compiler: []string{"gcc", "-O0", "-Wall", "-Wno-unused-result", "-Wno-nonnull", "-pthread", "-o", "{program}", "{source}"}},
	".go":   {compiler: []string{"go", "build", "-o", "{program}", "{source}"}},
	".java": {compiler: []string{"javac", "-J-XX:+UseSerialGC", "-d", "{program}", "{source}"}, interpreter: []string{"java", "-XX:+UseSerialGC", "-cp", "{program}", "Main"}},
	".js":   {interpreter: []string{"node", "{source}"}},
	".py":   {interpreter: []string{"python3", "-B", "{source}"}, folder: []string{"-c", "import sys; print(sys.executable); print(sys.base_prefix)"}},
}

// buildAttacks compiles all that this machine has a compiler for.
func buildAttacks(t *testing.T, attacks []*attack, folder string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(folder, "program"), 0o755); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, a := range attacks {
		a.place(folder)
		command := a.expand(a.tool().compiler)
		if command == nil {
			continue
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			continue // told when it is to be run
		}
		wg.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GO111MODULE=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", a.source, err, out)
			}
			if a.setuid {
				// As nobody's, and of root, where we are root.
				if err := os.Chmod(a.program, 0o755|os.ModeSetuid); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

func (a *attack) tool() attackTool { return attackTools[filepath.Ext(a.source)] }

// place says where the program is, or will be.
func (a *attack) place(folder string) {
	a.program = filepath.Join(folder, "program", a.name)
	if a.tool().compiler == nil {
		a.program = a.source
	}
}

// expand writes out a command.
func (a *attack) expand(command []string) (args []string) {
	for _, arg := range command {
		args = append(args, strings.NewReplacer("{source}", a.source, "{program}", a.program).Replace(arg))
	}
	return args
}

// command returns how the program is run, and what it must be able to read. The
// error is that a tool is missing.
func (a *attack) command() (args, reads []string, err error) {
	tool := a.tool()
	if _, err := os.Stat(a.program); err != nil {
		return nil, nil, fmt.Errorf("it was not built: %s: %w", tool.compiler[0], exec.ErrNotFound)
	}
	if tool.interpreter == nil {
		return []string{a.program}, nil, nil
	}
	args, reads = a.expand(tool.interpreter), []string{a.program}
	if args[0], err = exec.LookPath(args[0]); err != nil {
		return nil, nil, err
	}
	if tool.folder != nil {
		// That on the PATH may be a front.
		out, err := exec.Command(args[0], tool.folder...).Output()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", args[0], err)
		}
		lines := strings.Split(string(out), "\n")
		args[0], reads = lines[0], append(reads, lines[1])
	}
	return args, reads, nil
}

func parseFact(word string) fact {
	for _, op := range []string{">=", "<=", "="} {
		if key, value, ok := strings.Cut(word, op); ok {
			return fact{key, op, value}
		}
	}
	return fact{key: word}
}

// set sets the limit that f speaks of.
func (f fact) set(l *Limits) (err error) {
	switch f.key {
	case "cpu":
		l.CPU, err = time.ParseDuration(f.value)
	case "wall":
		l.Wall, err = time.ParseDuration(f.value)
	case "memory":
		l.Memory = size(f.value)
	case "output":
		l.Output = size(f.value)
	case "files":
		l.Files = size(f.value)
	case "filesize":
		l.FileSize = size(f.value)
	case "processes":
		l.Processes, err = strconv.Atoi(f.value)
	default:
		err = fmt.Errorf("unknown limit %q", f.key)
	}
	return err
}

// size reads a number of bytes: 64M is 64 MiB.
func size(s string) int64 {
	shift := 0
	if text, ok := strings.CutSuffix(s, "M"); ok {
		s, shift = text, 20
	}
	return int64(number(s)) << shift
}

// processesOf returns the numbers of the processes that run a program, or were
// told of it.
func processesOf(t *testing.T, program string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		said, _ := os.ReadFile(file)
		target, _ := os.Readlink(filepath.Join(filepath.Dir(file), "exe"))
		if strings.TrimSuffix(target, " (deleted)") == program || slices.Contains(strings.Split(string(said), "\x00"), program) {
			pids = append(pids, number(filepath.Base(filepath.Dir(file))))
		}
	}
	return pids
}
