package queue

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// freePorts returns ports of 127.0.0.1 that nobody listens on. Servers of a cluster
// must know each other's before they start.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// startCluster starts three NATS servers that know nothing of this package. It tries
// again if they do not find each other: another process may have got a port.
func startCluster(t *testing.T) []*server.Server {
	t.Helper()
	for range 3 {
		var routes []*url.URL
		ports := freePorts(t, 3)
		for _, p := range ports {
			routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", p)})
		}
		var all []*server.Server
		for i, port := range ports {
			n, err := server.NewServer(&server.Options{
				ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(),
				Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}, Routes: routes, NoSigs: true, NoLog: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			n.Start()
			t.Cleanup(func() { n.Shutdown(); n.WaitForShutdown() })
			all = append(all, n)
		}
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			// A stream with three replicas can be made when the leader knows all three.
			if slices.ContainsFunc(all, func(n *server.Server) bool {
				return n.JetStreamIsLeader() && len(n.JetStreamClusterPeers()) == len(all)
			}) {
				return all
			}
		}
		for _, n := range all {
			n.Shutdown()
		}
	}
	t.Fatal("the cluster has no leader")
	return nil
}

// Three external servers with the leader of the items' stream stopped, and two queues on
// them, one of which is stopped too.
func TestExternalCluster(t *testing.T) {
	t.Parallel()
	nodes := startCluster(t)
	var urls []string
	for _, n := range nodes {
		urls = append(urls, n.ClientURL())
	}
	o := Options{URL: strings.Join(urls, ","), Replicas: 3, AckWait: 2 * time.Second, Sweep: time.Second, Name: "first"}
	first := start(t, o)
	o.Name = "second"
	q := start(t, o)
	for i := range 3 {
		startWorker(t, q, crew{ID: fmt.Sprint("w", i), Slots: 2}, echo)
		startWorker(t, first, crew{ID: fmt.Sprint("v", i), Slots: 2}, echo)
	}
	var all []*Pending
	for i := range 120 {
		it := item(fmt.Sprint(i))
		it.Client, it.Payload = fmt.Sprint("client", i%4), fmt.Appendf(nil, "50 %d", i)
		all = append(all, submit(t, q, it)...)
	}
	verdict(t, all[10])
	first.Close()
	info, err := q.link().items.Info(t.Context())
	if err != nil || info.Cluster == nil {
		t.Fatalf("the stream of items: %+v, %v; expected one in a cluster", info, err)
	}
	for _, n := range nodes {
		if n.Name() == info.Cluster.Leader {
			n.Shutdown()
			n.WaitForShutdown()
		}
	}
	for _, p := range all {
		if v := verdict(t, p); string(v.Payload) != "verdict of "+string(p.Item.Payload) {
			t.Errorf("verdict %+v of item %s", v, p.Item.ID)
		}
	}
}

// A second server in the same folder is refused, also in the same process.
func TestFolderInUse(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if other, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "in use by another server") {
		t.Errorf("a second server in the folder: %v, expected a refusal", err)
		if err == nil {
			other.Close()
		}
	}
	s.Close()
	again, err := Start(t.Context(), o)
	if err != nil {
		t.Fatalf("after the first server has closed: %v", err)
	}
	again.Close()
}

func TestStats(t *testing.T) {
	q := start(t, Options{})
	b := item("b")
	b.Client = "bob"
	submit(t, q, item("a0"), item("a1"), item("a2"), b)
	awaitReady(t, q, 4)
	got, err := q.Stats(t.Context())
	if err != nil || got.Depth != 4 || got.Consumers != 1 || got.Running != 4 || got.Age <= 0 || got.Age > time.Minute || got.Bytes == 0 {
		t.Errorf("Stats: %+v, %v; expected 4 items of one consumer, all of them ready", got, err)
	}
}
