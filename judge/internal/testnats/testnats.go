// Package testnats starts NATS servers for tests.
package testnats

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// maxStore is more than streams reserve, whatever the disk has.
const maxStore = 1 << 50

// One starts a NATS server on loopback, which ends with the test, and returns its URL. Its options
// may be changed.
func One(t testing.TB, change ...func(*server.Options)) string {
	t.Helper()
	o := &server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		JetStreamMaxStore: maxStore,
	}
	for _, f := range change {
		f(o)
	}
	n := start(t, o)
	if !n.ReadyForConnections(20 * time.Second) {
		t.Fatal("the NATS server is not ready after 20 s")
	}
	return n.ClientURL()
}

// URL is the list of the addresses of some servers.
func URL(all []*server.Server) (urls string) {
	for _, n := range all {
		urls += "," + n.ClientURL()
	}
	return urls[1:]
}

// freePorts returns ports of 127.0.0.1 that nobody listens on. Servers of a cluster
// must know each other's before they start.
func freePorts(t testing.TB, n int) []int {
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

// Cluster starts three NATS servers on loopback, which end with the test. It tries again if
// they do not find each other: another process may have got a port.
func Cluster(t testing.TB) []*server.Server {
	t.Helper()
	for range 3 {
		var routes []*url.URL
		ports := freePorts(t, 3)
		for _, p := range ports {
			routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", p)})
		}
		var all []*server.Server
		for i, port := range ports {
			n := start(t, &server.Options{
				ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(),
				Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}, Routes: routes, NoSigs: true, NoLog: true,
				JetStreamMaxStore: maxStore,
			})
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

// options has those of the servers.
var options sync.Map

func start(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	n, err := server.NewServer(o.Clone())
	if err != nil {
		t.Fatal(err)
	}
	options.Store(n, o)
	n.Start()
	t.Cleanup(func() { n.Shutdown(); n.WaitForShutdown(); options.Delete(n) })
	return n
}

// Restart starts a server of a cluster that was shut down, with what it had stored.
func Restart(t testing.TB, n *server.Server) {
	t.Helper()
	o, _ := options.Load(n)
	start(t, o.(*server.Options))
}
