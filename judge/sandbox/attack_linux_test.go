//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An attack is a program in testdata/attack, in C, Go, Java, JavaScript or
// Python, that begins with comments:
//
//	// limits: cpu=500ms memory=64M      the limits that differ from attackLimits
//	// stdin: 100M                       number of zero bytes on standard input; by default it is "input\n"
//	// cmd: scratch                      the working folder is writable
//	// cmd: locks                        the program may lock files
//	// cmd: setuid                       the program's file has the set-user-ID bit, and belongs to root if the test runs as root
//	// acts: 2                           number of runs by one Sandbox; each run reads the output of the run before
//	// least: guarded                    the lowest level that contains it: process, guarded, or box; required
//	// except: guarded                   a level above it where the program, an innocent one, does not work
//	// needs: pids                       a cgroup that is also required: memory or pids
//	// want: exceeded=cpu cpu>=500ms     the facts that its last outcome must have
//	// bare: user                        the tester that may run it where nothing contains it: user or guest
//	// without: exit=1                   the facts that its outcome has there, on the level Process
//
// Facts are true on any machine, however busy. The fact error=TEXT means that Run
// returns an error that contains TEXT. The folder also has innocent programs that
// look like attacks.
//
// No attack may harm the machine that the test runs on, even if the sandbox has
// a fault. So below a box no attack runs as root: it runs as a user that only
// the test has, which owns nothing and has no other processes. Where nothing
// contains it, an attack runs only if its comments allow it. With "bare: user"
// it runs as that user; such an attack needs no other rights and changes nothing
// that all users share. With "bare: guest" it runs as root of the virtual machine
// of scripts/guest, in which this command runs the test:
//
//	CGO_ENABLED=0 go test -exec "$PWD/scripts/guest -t 600" -run 'TestAttacks/process' ./judge/sandbox
//
// (*attack).facts implements this rule.
//
// An attack that tries to reach a target exits with 0 if it was contained.
// Otherwise it exits with 1 and names the target on stderr. An attack that never
// succeeds proves nothing, so it must succeed where nothing contains it (without),
// or its comments must give the reason why it cannot run there.
//
// Its arguments are the number of its act and the targets: see target.
type attack struct {
	name, source    string
	program         string // path of a file or folder; the source if nothing is compiled
	limits          Limits
	stdin           int64 // number of zero bytes; -1 means "input\n"
	acts            int
	scratch, setuid bool
	locks           bool
	memory, pids    bool  // the cgroups that it needs
	least           Level // the lowest level that contains it
	except          Level // 0 means none
	bare            tester
	want, without   []fact
}

// A tester is the user that runs an attack.
type tester int

const (
	nobody    tester = iota
	caller           // the user that called go test, not root
	root             // root of the machine that the test runs on
	ownUser          // a user that owns nothing and has only the processes of the test
	guestRoot        // root of a virtual machine that ends with the test
)

type fact struct{ key, op, value string }

// attackLimits are the default limits. The wall-clock limit is large, so that a
// busy machine changes no fact.
var attackLimits = Limits{CPU: 5 * time.Second, Wall: 60 * time.Second, Memory: 256 << 20, Output: 1 << 20, Processes: 64}

// A way is a sandbox level and the name of its subtest.
type way struct {
	name  string
	level Level
}

// attackFolder is the environment variable with the folder of the compiled
// attacks, for the second run of the test as an unprivileged user.
const attackFolder = "SANDBOX_TEST_ATTACKS"

func TestAttacks(t *testing.T) {
	if folder := os.Getenv(attackFolder); folder != "" {
		attacks := readAttacks(t, filepath.Join(folder, "source"))
		for _, a := range attacks {
			a.place(folder)
		}
		runAttacks(t, attacks, ownUser, []way{{"process", Process}, {"guarded", Guarded}, {"userbox", UserBox}})
		return
	}
	folder, err := os.MkdirTemp("", "attacks")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	// Every user that runs an attack must be able to read the folder.
	if err := errors.Join(os.Chmod(folder, 0o755), os.CopyFS(filepath.Join(folder, "source"), os.DirFS("testdata/attack"))); err != nil {
		t.Fatal(err)
	}
	attacks := readAttacks(t, filepath.Join(folder, "source"))
	who, ways := thisTester(), []way{{"process", Process}, {"guarded", Guarded}, {"userbox", UserBox}}
	switch who {
	case root:
		ways = []way{{"rootbox", RootBox}}
	case guestRoot:
		ways[2] = way{"rootbox", RootBox}
		if strings.Contains(flag.Lookup("test.run").Value.String(), "TestAttacks/process") {
			// Compilers are slow in the virtual machine.
			attacks = slices.DeleteFunc(attacks, func(a *attack) bool { return a.bare != guestRoot })
		}
	}
	matrix := wholeMatrix() || who == guestRoot
	if !matrix && only() == "" {
		var some []*attack
		for five := range slices.Chunk(attacks, 5) {
			some = append(some, five[0])
		}
		attacks = some
	}
	buildAttacks(t, attacks, folder)
	if raceEnabled || !matrix {
		// The judge's code, which is all that the race detector checks, is the same on all levels.
		ways = ways[len(ways)-1:]
	}
	runAttacks(t, attacks, who, ways)
	if who == root && !raceEnabled && matrix {
		t.Run("user", func(t *testing.T) { attackAsOwnUser(t, folder) })
	}
}

// thisTester returns the user of this process.
func thisTester() tester {
	if os.Geteuid() != 0 {
		return caller
	}
	// scripts/guest.d/init makes this file, in a file system of the guest.
	if _, err := os.Stat("/run/guest/what"); err == nil {
		return guestRoot
	}
	return root
}

// attackAsOwnUser runs this test again as an unprivileged user with no other
// processes. The user nobody (65534) may have processes.
func attackAsOwnUser(t *testing.T, folder string) {
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
	user := uint32(firstOwnUser + os.Getpid())
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}, Pdeathsig: unix.SIGKILL}
	runtime.LockOSThread() // Pdeathsig kills the child when the thread that started it ends
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Skip("no other user can be had here:", err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(strings.TrimSpace(line), "--- PASS") {
			t.Log(strings.TrimSuffix(line, "\n"))
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// firstOwnUser is a user id above those of boxes; see userOf.
const firstOwnUser = 0x71000000

// only returns the part of the flag -run that selects subtests of the second
// run, or "" for all. So a single attack can also run as the unprivileged user:
// TestAttacks/user/userbox/mount, or on all levels, TestAttacks/.*/mount.
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

// runAttacks runs the attacks on the levels of ways that this machine supports.
func runAttacks(t *testing.T, attacks []*attack, who tester, ways []way) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			shared := &Sandbox{Least: w.level, Most: w.level}
			t.Cleanup(func() { shared.Close() })
			if _, err := shared.Run(context.Background(), Cmd{Args: []string{"/bin/true"}, Dir: "/"}); err != nil {
				if w.level.Full() && namespaces() == nil {
					t.Fatal("namespaces are allowed here, but no box can be made: ", err)
				}
				t.Skip(err)
			}
			aim := newTarget(t)
			for _, a := range attacks {
				facts := a.facts(w.level, who)
				if facts == nil {
					continue
				}
				t.Run(a.name, func(t *testing.T) {
					// Without a box, all processes of the user count towards RLIMIT_NPROC:
					// while one attack multiplies, no other program could start any.
					if w.level.Full() || !a.multiplies() {
						t.Parallel()
					}
					p := shared
					if a.acts > 1 {
						// All acts must run in the same launcher.
						p = &Sandbox{Least: w.level, Most: w.level}
						defer p.Close()
					}
					a.run(t, p, w.level, aim, facts)
				})
			}
		})
	}
}

// multiplies reports whether the attack starts as many processes or threads as
// it can.
func (a *attack) multiplies() bool {
	return strings.HasPrefix(a.name, "fork_") || a.name == "thread_bomb"
}

// facts returns the facts that the outcome of an attack must have on a level when
// a tester runs it, or nil if the tester must not run it there.
func (a *attack) facts(level Level, who tester) []fact {
	switch {
	case level < UserBox && who == root:
		return nil // a fault of the sandbox would let it act as root on the machine
	case level == Process && who == guestRoot && a.bare != guestRoot:
		return nil // without a filter root may raise its own limits
	case level >= a.least && level != a.except:
		return a.want
	case level != Process || a.bare == nobody:
		return nil
	case who == ownUser && a.bare == ownUser:
		return a.without
	case who == guestRoot && a.bare == guestRoot && unconfined():
		return a.without
	}
	return nil
}

// unconfined reports whether this process has the capabilities of root and no
// seccomp filter, so no container around it contains the attacks.
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
