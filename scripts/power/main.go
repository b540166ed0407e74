// Power proves what judged serve promises about a loss of power. The server runs in a virtual
// machine with its own kernel (scripts/guest), with its folder on ext4 on a disk that this program
// serves; its worker is on this machine. A client sends judgements and writes down what was
// accepted. At a random moment the power is off: what the guest's kernel has not flushed to the
// disk is lost, in every other cut all of it, in the rest each 4 KiB with a probability of 1/2.
// Then the guest is started again with that disk. The server must start by itself, what it had
// accepted must be there, and end with the right verdict: with --durable all, else all that was
// accepted more than 10 s before; later ones may be missing, or end with an error as their files
// are. Every fifth cut is while the server starts.
//
// This shows which writes the server and its libraries forget to sync, on a disk that keeps its
// word. It does not show disks that lie about flushes, or what other file systems make of it.
//
// It prints a line for each cut, and exits with 1 if something was wrong.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"crucible/judge/serve/client"
)

// settings are the flags.
type settings struct {
	seed   uint64
	count  int
	judged string
	only   string
	keep   bool
}

func main() {
	var s settings
	flag.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "of the moments of the cuts, and of what survives them")
	flag.IntVar(&s.count, "count", 10, "cuts with --durable, and without")
	flag.StringVar(&s.only, "only", "", "durable or default: only these cuts")
	flag.StringVar(&s.judged, "judged", "", "the program judged (default: built from this module)")
	flag.BoolVar(&s.keep, "keep", false, "keep the folder with the logs and the disks")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	wrong, err := run(ctx, &s)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "power:", err)
		os.Exit(3)
	case wrong > 0:
		os.Exit(1)
	}
}

// run makes all cuts and returns how much was wrong.
func run(ctx context.Context, s *settings) (wrong int, err error) {
	dir, err := os.MkdirTemp("", "power-")
	if err != nil {
		return 0, err
	}
	if s.keep {
		fmt.Println("folder", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	if s.judged == "" {
		s.judged = filepath.Join(dir, "judged")
		c := exec.CommandContext(ctx, "go", "build", "-o", s.judged, "crucible/judge/cmd/judged")
		if out, err := c.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("go build: %w: %s", err, out)
		}
	}
	if out, err := exec.CommandContext(ctx, "scripts/guest", "-i").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("scripts/guest -i: %w: %s", err, out)
	}
	fmt.Printf("seed %d\n", s.seed)
	for i, name := range []string{"durable", "default"} {
		if s.only != "" && s.only != name {
			continue
		}
		m := &machine{dir: filepath.Join(dir, name), judged: s.judged, durable: name == "durable",
			random: rand.New(rand.NewPCG(s.seed, uint64(i)))}
		if err = os.Mkdir(m.dir, 0o755); err == nil {
			err = m.all(ctx, s.count)
		}
		wrong += m.wrong
		if err != nil {
			return wrong, fmt.Errorf("%s: %w", name, err)
		}
	}
	return wrong, nil
}

// A machine is the virtual machine with the server.
type machine struct {
	dir, judged string
	durable     bool
	random      *rand.Rand
	disk        disk
	port        int
	guest       *exec.Cmd
	ended       chan struct{} // closed at the end of the guest
	boots       int
	client      *client.Client
	work
}

const token = "power-0123456789abcdef"

// all makes the cuts, and checks everything after the last one.
func (m *machine) all(ctx context.Context, count int) error {
	// Judgements need at least a GiB that is free.
	m.disk.size = 4 << 30
	image := filepath.Join(m.dir, "disk")
	f, err := os.Create(image)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(m.disk.size); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "mkfs.ext4", "-q", "-E", "lazy_itable_init=0", image)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("mkfs.ext4: %w: %s", err, out)
	}
	m.disk.file = f
	l, err := net.Listen("unix", filepath.Join(m.dir, "nbd"))
	if err != nil {
		return err
	}
	defer l.Close()
	go m.disk.serve(l)
	defer m.stop()
	worker, err := m.worker(ctx)
	if err != nil {
		return err
	}
	defer worker.Process.Kill()
	options := ""
	if m.durable {
		options = "--durable"
	}
	start := fmt.Sprintf("set -e\nmount /dev/vda /mnt\nexec %s serve -v --dir /mnt/server --listen 10.0.2.15:8520 "+
		"--plain --tokens %s --calibrate-every 0 --audit 0 --doubt 1 --local-worker=false %s\n", m.judged,
		filepath.Join(m.dir, "tokens"), options)
	if err := errors.Join(os.WriteFile(filepath.Join(m.dir, "start"), []byte(start), 0o755),
		os.WriteFile(filepath.Join(m.dir, "tokens"), []byte("power jury,eval "+token+"\nhost worker worker-"+token+"\n"),
			0o600)); err != nil {
		return err
	}
	fmt.Printf("%-10s %6s %8s %6s %8s %7s  %s\n", cmp.Or(options, "default"), "after", "accepted", "ended", "flushes",
		"dropped", "sectors; then missing: how many, the oldest, and what is wrong in all")
	for i := range count {
		if err := m.cut(ctx, i); err != nil {
			return err
		}
	}
	if err := m.boot(ctx); err != nil {
		return err
	}
	if err := m.check(ctx); err != nil {
		return err
	}
	m.finish(ctx)
	accepted, ended := m.count()
	fmt.Printf("end %17d %8d %32d wrong\n", accepted, ended, m.wrong)
	return ctx.Err()
}

// worker starts a worker on this machine: in the guest, which is emulated on most machines, one
// takes minutes to find its compilers.
func (m *machine) worker(ctx context.Context) (*exec.Cmd, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m.port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	log, err := os.Create(filepath.Join(m.dir, "worker.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c := exec.CommandContext(ctx, m.judged, "worker", "-v", "--server", fmt.Sprintf("http://127.0.0.1:%d", m.port),
		"--name", "host", "--dir", filepath.Join(m.dir, "worker"), "--jobs", "1")
	c.Env = append(os.Environ(), "CRUCIBLE_TOKEN=worker-"+token)
	c.Stdout, c.Stderr = log, log
	return c, c.Start()
}

// cut starts the machine, checks what earlier cuts have left, sends work, and cuts the power.
func (m *machine) cut(ctx context.Context, i int) error {
	share := float64(i%2) / 2
	wait := time.Duration(m.random.Int64N(int64(20 * time.Second)))
	early := i%5 == 3
	var begin time.Time
	if early {
		if err := m.start(); err != nil {
			return err
		}
		select {
		case <-m.disk.written:
		case <-time.After(patience):
			return errors.New("the guest writes nothing to its disk")
		}
		begin, wait = time.Now(), wait/4
		time.Sleep(wait)
	} else {
		if err := m.boot(ctx); err != nil {
			return err
		}
		if err := m.check(ctx); err != nil {
			return err
		}
		if i%3 == 2 { // a server gives up what it has begun too often
			m.finish(ctx)
		}
		working, end := context.WithTimeout(ctx, wait)
		begin = time.Now()
		m.submit(working, i)
		end()
	}
	m.mu.Lock()
	m.on = false
	if !early { // nothing was accepted
		m.cutAt = time.Now()
	}
	flushes := m.disk.flushes
	lost, err := m.disk.cut(m.random, share)
	m.mu.Unlock()
	if err != nil {
		return err
	}
	m.stop()
	accepted, ended := m.count()
	fmt.Printf("cut %-6d %4.1f s %8d %6d %8d %7d\n", i+1, time.Since(begin).Seconds(), accepted, ended, flushes, lost)
	return ctx.Err()
}

// patience is the longest time until a guest and its server have started.
const patience = 3 * time.Minute

// start starts the guest.
func (m *machine) start() (err error) {
	m.disk.on()
	m.mu.Lock()
	m.on = true
	m.mu.Unlock()
	m.boots++
	log, err := os.Create(filepath.Join(m.dir, fmt.Sprintf("boot-%d.log", m.boots)))
	if err != nil {
		return err
	}
	defer log.Close()
	guest, err := filepath.Abs("scripts/guest")
	if err != nil {
		return err
	}
	m.guest = exec.Command(guest, "-t", "3600", "-m", "1024", "-d", "nbd:unix:"+filepath.Join(m.dir, "nbd"),
		"-n", fmt.Sprintf("%d:8520", m.port), "/bin/sh", filepath.Join(m.dir, "start"))
	m.guest.Dir, m.guest.Stdout, m.guest.Stderr = m.dir, log, log
	if err := m.guest.Start(); err != nil {
		return err
	}
	m.ended = make(chan struct{})
	go func() {
		m.guest.Wait()
		close(m.ended)
	}()
	return nil
}

// stop ends the guest. The power of its disk is off, so it does not matter how.
func (m *machine) stop() {
	if m.guest != nil {
		m.guest.Process.Signal(syscall.SIGTERM)
		<-m.ended
	}
}

// boot starts the guest and waits for its server.
func (m *machine) boot(ctx context.Context) (err error) {
	if err := m.start(); err != nil {
		return err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", m.port)
	if m.client, err = client.New(url, token); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, "GET", url+"/readyz", nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			if answer.Body.Close(); answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-time.After(200 * time.Millisecond):
			continue
		case <-ctx.Done():
		case <-m.ended:
		}
		said, _ := os.ReadFile(filepath.Join(m.dir, fmt.Sprintf("boot-%d.log", m.boots)))
		return fmt.Errorf("the server does not start by itself: %s", said[max(0, len(said)-2000):])
	}
}
