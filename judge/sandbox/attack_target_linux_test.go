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
