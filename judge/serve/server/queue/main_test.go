package queue

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The test binary is also the processes that the tests kill: QUEUE_TEST_PROCESS
// names one of processes, which gets the command line.
const processKey = "QUEUE_TEST_PROCESS"

var processes = map[string]func(args []string) error{
	"server":     serverProcess,
	"worker":     workerProcess,
	"supervisor": supervisorProcess,
	"child":      childProcess,
	"burn": func([]string) error {
		for {
			_ = fmt.Sprint()
		}
	},
}

func TestMain(m *testing.M) {
	if name := os.Getenv(processKey); name != "" {
		if err := processes[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, name+":", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Set("test.parallel", "8") // the default, because parallel tests wait more than they compute
	os.Exit(m.Run())
}

// process starts one of processes. It is killed when the test ends.
func process(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := command(name, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	return c
}

func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), processKey+"="+name)
	c.Stderr = os.Stderr
	return c
}

// serverProcess runs a server in a folder, prints its URL and waits to be killed.
func serverProcess(args []string) error {
	s, err := Start(context.Background(), Options{Dir: args[0], Listen: args[1], AckWait: serverAckWait(args)})
	if err != nil {
		return err
	}
	fmt.Println(s.URL())
	select {}
}

func serverAckWait(args []string) time.Duration {
	t, err := time.ParseDuration(args[2])
	if err != nil {
		panic(err) // the test passes it
	}
	return t
}

// testAckWait is short, so that tests of lost workers are.
const testAckWait = time.Second

// A killable is a server process that can be killed and started again on its port.
type killable struct {
	t       testing.TB
	dir     string
	url     string
	ackWait time.Duration
	cmd     *exec.Cmd
}

func startProcess(t testing.TB, ackWait time.Duration) *killable {
	k := &killable{t: t, ackWait: ackWait, dir: t.TempDir(), url: "nats://127.0.0.1:0"}
	k.start()
	t.Cleanup(k.kill)
	return k
}

func (k *killable) start() {
	k.t.Helper()
	for try := 0; ; try++ {
		k.cmd = command("server", k.dir, strings.TrimPrefix(k.url, "nats://"), k.ackWait.String())
		out, err := k.cmd.StdoutPipe()
		if err != nil {
			k.t.Fatal(err)
		}
		if err := k.cmd.Start(); err != nil {
			k.t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err == nil {
			k.url = strings.TrimSpace(line)
			return
		}
		k.cmd.Wait()
		if try == 5 {
			k.t.Fatal("the server process does not start")
		}
	}
}

func (k *killable) kill() {
	k.cmd.Process.Kill()
	k.cmd.Wait()
}

// workerProcess is a worker without a supervisor: ID URL.
func workerProcess(args []string) error {
	return Work(context.Background(), Connection{URL: args[1]}, Worker{
		ID: args[0], Classes: []string{"c"}, Languages: []string{"go"}, Slots: 2,
	}, echo)
}

// supervisorProcess runs childProcess: ID URL [FILE].
func supervisorProcess(args []string) error {
	return Supervise(context.Background(), Connection{URL: args[1]}, args[0], command("child", args...))
}

// childProcess is a supervised worker, which writes its process id to the file.
func childProcess(args []string) error {
	if len(args) > 2 {
		if err := os.WriteFile(args[2], fmt.Append(nil, os.Getpid()), 0o600); err != nil {
			return err
		}
	}
	ctx, keeper := Supervised(context.Background())
	return Work(ctx, Connection{URL: args[1]}, Worker{
		ID: args[0], Classes: []string{"c"}, Languages: []string{"go"}, Keeper: keeper,
	}, echo)
}

// echo answers an item with its payload. The payload "MS text" takes that many
// milliseconds, after one partial result.
func echo(ctx context.Context, d *Delivery) error {
	var ms int
	fmt.Sscan(string(d.Item.Payload), &ms)
	if err := d.Result(ctx, fmt.Appendf(nil, "%s started", d.Item.ID)); err != nil {
		return err
	}
	sleep(ctx, time.Duration(ms)*time.Millisecond)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_, err := d.Verdict(ctx, append([]byte("verdict of "), d.Item.Payload...))
	return err
}

// start starts a server of this process.
func start(t testing.TB, o Options) *Server {
	t.Helper()
	o.Dir = t.TempDir()
	if o.AckWait == 0 {
		o.AckWait = testAckWait
	}
	if testing.Verbose() && o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t testing.TB, c Connection) *Queue {
	t.Helper()
	q, err := Connect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

func submit(t testing.TB, q *Queue, items ...Item) []*Pending {
	t.Helper()
	all, err := q.SubmitAll(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// startWorker runs a worker until the test ends, or until the returned function is called.
func startWorker(t testing.TB, c Connection, w Worker, handle func(context.Context, *Delivery) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if w.Classes == nil {
		w.Classes = []string{"c"}
	}
	if w.Languages == nil {
		w.Languages = []string{"go"}
	}
	ended := make(chan error, 1)
	go func() { ended <- Work(ctx, c, w, handle) }()
	stop = func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("Work: %v", err)
			}
			ended <- nil
		case <-time.After(20 * time.Second):
			t.Error("Work does not return after its context has ended")
		}
	}
	t.Cleanup(stop)
	return stop
}

// item makes an item whose ID and cell are the name.
func item(name string) Item {
	return Item{ID: name, Class: "c", Language: "go", Client: "alice", Cell: "cell/" + name, Payload: []byte("0 " + name)}
}

// verdict waits for the verdict of an item.
func verdict(t testing.TB, p *Pending) Verdict {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	v, err := p.Verdict(ctx)
	if err != nil {
		t.Fatalf("verdict of %s: %v", p.Item.ID, err)
	}
	return v
}
