//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTreeIsTheSameWithAndWithoutListsOfChildren(t *testing.T) {
	c := program(t, "family")
	family := exec.Command(c.Args[0])
	family.Env = c.Env
	out, err := family.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := family.Start(); err != nil {
		t.Fatal(err)
	}
	defer family.Wait()
	root := tree{root: os.Getpid(), all: true, most: mostProcesses, cursor: -1}
	defer root.sweep()
	bufio.NewReader(out).ReadString('\n')
	var got [2][]int
	for i, all := range []bool{false, true} {
		tr := tree{root: family.Process.Pid, all: all, most: mostProcesses, cursor: -1}
		for _, p := range tr.look() {
			if p.parent == 0 || p.threads == 0 || p.begun == 0 || p.virtual == 0 {
				t.Errorf("all %t: %+v", all, p)
			}
			got[i] = append(got[i], p.pid)
		}
		slices.Sort(got[i])
	}
	if len(got[0]) == 0 || !cmp.Equal(got[0], got[1]) {
		t.Errorf("by lists of children %v, by all processes %v", got[0], got[1])
	}
}

func TestTimeOfTheVanishedIsKept(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		fact  string
		looks [][]proc
		want  time.Duration
	}{
		{"one that lives counts once", [][]proc{{{pid: 1, own: 5 * ms}}, {{pid: 1, own: 9 * ms}}}, 9 * ms},
		{"one that went counts on", [][]proc{{{pid: 1, own: 5 * ms}, {pid: 2, own: 7 * ms}}, {{pid: 2, own: 8 * ms}}}, 13 * ms},
		{"a number may be given anew", [][]proc{{{pid: 1, begun: 10, own: 5 * ms}}, {{pid: 1, begun: 20, own: 2 * ms}}}, 7 * ms},
		{"all may go", [][]proc{{{pid: 3, own: ms}, {pid: 1, own: ms}, {pid: 2, own: ms}}, {}}, 3 * ms},
	} {
		t.Run(test.fact, func(t *testing.T) {
			var w watch
			for _, procs := range test.looks {
				w.sum(procs)
			}
			if w.seen != test.want {
				t.Errorf("seen %v, want %v", w.seen, test.want)
			}
		})
	}
}

func TestSleepEndsBeforeALimitCanBePassed(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		fact   string
		limits Limits
		want   time.Duration // length of the first sleep; -1 means without end
	}{
		{"without limits it is for ever", Limits{}, -1},
		{"output and files need no looks", Limits{Output: 1, FileSize: 1}, -1},
		{"wall is waited for", Limits{Wall: 500 * ms}, 500*ms + 1},
		{"two cores use the CPU limit in half the time", Limits{CPU: 80 * ms}, 40 * ms},
		{"but not for longer than is known", Limits{CPU: time.Hour}, longest},
		{"memory is looked at soon", Limits{Memory: 1, Wall: time.Second}, firstLook},
	} {
		t.Run(test.fact, func(t *testing.T) {
			w := watch{cores: 2}
			now := time.Now()
			w.begin(test.limits, now, 0)
			if got := w.sleep(now); got != test.want {
				t.Errorf("sleep %v, want %v", got, test.want)
			}
		})
	}
}
