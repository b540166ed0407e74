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
//	// limits: cpu=500ms memory=64M      those that differ from attackLimits
//	// stdin: 100M                       so many zero bytes; by default "input\n"
//	// cmd: scratch                      the working folder can be written to
//	// cmd: locks                        it may lock files
//	// cmd: setuid                       the program's file belongs to root, and says to run as its owner
//	// acts: 2                           run so often by one Sandbox; what one act prints, the next one reads
//	// least: guarded                    the lowest level that holds it: process, guarded, or box; must be there
//	// except: guarded                   a level above it where an innocent program does not work
//	// needs: pids                       a cgroup that it takes, too: memory or pids
//	// want: exceeded=cpu cpu>=500ms     the facts that its last outcome must give
//	// bare: user                        who may run it where nothing holds it: user, or guest
//	// without: exit=1                   the facts that it gives there, on the level Process
//
// Facts hold on any machine, however busy. The fact error=TEXT is that Run
// returns such an error. The folder has innocent programs, too, that look like
// attacks.
//
// No attack may touch the machine that the test runs on, even if the sandbox has
// a fault. So below a box none runs as root: a user of the test's own runs it,
// who owns nothing and has no other processes. Where nothing holds it, an attack
// runs only if it says so: as that user (bare: user), if it needs no more and
// changes nothing that all users share; else (bare: guest) as root of the virtual
// machine of scripts/guest, where the test is run like this:
//
//	CGO_ENABLED=0 go test -exec "$PWD/scripts/guest -t 600" -run 'TestAttacks/process' ./judge/sandbox
//
// (*attack).facts is this rule.
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
	locks           bool
	memory, pids    bool  // it needs a cgroup for that
	least           Level // the lowest that holds it
	except          Level // 0: none
	bare            tester
	want, without   []fact
}

// A tester is the user that runs an attack.
type tester int

const (
	nobody    tester = iota
	caller           // the user who called go test, not root
	root             // of the machine that the test runs on
	ownUser          // has nothing, and no processes but the test's
	guestRoot        // of a virtual machine that ends with the test
)

type fact struct{ key, op, value string }

// attackLimits are generous with wall time, so that a busy machine changes no
// fact.
var attackLimits = Limits{CPU: 5 * time.Second, Wall: 60 * time.Second, Memory: 256 << 20, Output: 1 << 20, Processes: 64}

// A way is a level, and the user that runs attacks on it.
type way struct {
	name  string
	level Level
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
		runAttacks(t, attacks, ownUser, []way{{"process", Process}, {"guarded", Guarded}, {"userbox", UserBox}})
		return
	}
	folder, err := os.MkdirTemp("", "attacks")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	// Every user that runs an attack must be able to read it.
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
		if strings.HasPrefix(flag.Lookup("test.run").Value.String(), "TestAttacks/process") {
			// Compilers are slow in there.
			attacks = slices.DeleteFunc(attacks, func(a *attack) bool { return a.bare != guestRoot })
		}
	}
	buildAttacks(t, attacks, folder)
	if raceEnabled {
		// The race detector is about the judge's side, which is the same on all.
		ways = ways[len(ways)-1:]
	}
	runAttacks(t, attacks, who, ways)
	if who == root && !raceEnabled {
		t.Run("user", func(t *testing.T) { attackAsOwnUser(t, folder) })
	}
}

// thisTester returns the user of this process.
func thisTester() tester {
	if os.Geteuid() != 0 {
		return caller
	}
	// Made by scripts/guest.d/init, in a file system of the guest's own.
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
	runtime.LockOSThread() // whose death would count as ours
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

// firstOwnUser is beyond the users of boxes: see userOf.
const firstOwnUser = 0x71000000

// only is what is left of the flag -run below "TestAttacks/user", so that a
// single attack can be run as that user, too: TestAttacks/user/userbox/mount, or
// on all levels, TestAttacks/.*/mount.
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
					t.Parallel()
					p := shared
					if a.acts > 1 {
						// All acts are to be played in the same launcher.
						p = &Sandbox{Least: w.level, Most: w.level}
						defer p.Close()
					}
					a.run(t, p, w.level, aim, facts)
				})
			}
		})
	}
}

// facts returns the facts that an attack must give on a level when a tester runs
// it, or nil if it must not run there.
func (a *attack) facts(level Level, who tester) []fact {
	switch {
	case level < UserBox && who == root:
		return nil // what would be left if a fault let it through
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
