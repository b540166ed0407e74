//go:build amd64 || arm64

package sandbox

import (
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// A target is a set of objects that attacks try to reach. No Cmd names them, and
// every user of the machine may access them, so only the sandbox protects them.
type target struct {
	answer string   // path of the answer file
	text   string   // content of the answer file
	file   *os.File // the answer file, open in the judge
	port   int      // port of a listener at 127.0.0.1
	socket string   // path of a listener's socket, in the folder of the answer
	name   string   // name of a listener's socket in the abstract namespace
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
	// Libraries in the process of the judge may open files that are not closed on
	// exec. This descriptor is one that launchers inherit.
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

// arguments returns the arguments of every attack after the number of its act.
func (aim *target) arguments() []string {
	return []string{aim.answer, strconv.Itoa(os.Getpid()), strconv.Itoa(int(aim.file.Fd())), strconv.Itoa(aim.port), aim.socket, aim.name}
}
