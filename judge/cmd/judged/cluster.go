package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/client"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/queue"
)

// clusterFlags are the flags of a server that keeps its state in an external NATS. Without a URL
// of it, the state is in the folder of the server.
type clusterFlags struct {
	nats, credentials, prefix string
	replicas                  int
	advertise                 string
}

func (f *clusterFlags) add(c *cobra.Command) {
	f.addNATS(c)
	c.Flags().StringVar(&f.advertise, "advertise", "",
		"the `URL` at which the other servers reach this one (default: that of --listen)")
}

// addNATS adds the flags of the NATS alone.
func (f *clusterFlags) addNATS(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.nats, "nats", "",
		"keep the state in the NATS cluster at `URL`, nats://host:port or tls://host:port; several have commas between "+
			"them: any number of servers can share it (default: in the folder of --dir)")
	flags.StringVar(&f.credentials, "nats-creds", "", "the credentials of the user of NATS, in `FILE`")
	flags.StringVar(&f.prefix, "nats-prefix", "crucible",
		"begin the names of streams, buckets and subjects with `PREFIX`; servers with another one have nothing in common")
	flags.IntVar(&f.replicas, "nats-replicas", 3, "keep each stream on `N` machines of NATS: 1 or 3")
}

// check returns the error of flags that do not fit.
func (c *clusterFlags) check() error {
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--nats-creds", c.credentials != ""}, {"--advertise", c.advertise != ""}} {
		if flag.set && c.nats == "" {
			return fmt.Errorf("%s: expected --nats with it", flag.name)
		}
	}
	if c.replicas != 1 && c.replicas != 3 {
		return fmt.Errorf("--nats-replicas %d: expected 1 or 3", c.replicas)
	}
	if _, err := client.New(cmp.Or(c.advertise, "http://a"), ""); err != nil {
		return fmt.Errorf("--advertise: %w", err)
	}
	if strings.Contains(c.advertise, ",") {
		return fmt.Errorf("--advertise %s: expected one address, that of this server", c.advertise)
	}
	return nil
}

// options are those of the queue of a server with a folder and a name.
func (c *clusterFlags) options(dir, name string, log *slog.Logger) queue.Options {
	if c.nats == "" {
		// All of a backup is restored, however large it is.
		return queue.Options{Dir: filepath.Join(dir, "queue"), Bytes: 1 << 48, Log: log}
	}
	return queue.Options{URL: c.nats, Credentials: c.credentials, Prefix: c.prefix, Replicas: c.replicas, Name: name,
		Log: log}
}

// keyBucket is the bucket with the secrets of the servers of a cluster. They are no hashes: each
// server signs with the key and serves with the certificate, and uses the token itself. Who can
// read the bucket can do what a server can; other tokens are in [server.TokenBucket].
const keyBucket = "keys"

// share takes the secrets of the server that was the first one of its cluster, if that is
// another one.
func (d *serverDir) share(ctx context.Context, dir string, q *queue.Queue) error {
	keys := q.Bucket(keyBucket)
	for _, name := range []string{keyFile, client.TokenFile, certificateFile} {
		own, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		var shared []byte
		err = keys.Change(ctx, name, func(old []byte) ([]byte, error) {
			shared = old
			if old != nil || own == nil {
				return nil, nil
			}
			return own, nil
		})
		if err == nil && shared != nil && !bytes.Equal(shared, own) {
			err = osfile.WriteSynced(filepath.Join(dir, name), shared)
		}
		if err != nil {
			return fmt.Errorf("the %s of the cluster: %w", name, err)
		}
	}
	return d.readSecrets(dir)
}

// join makes the server one of a cluster. Their certificate has that fingerprint, if they made
// it themselves.
func (d *serverDir) join(s *server.Server, f *clusterFlags, url, fingerprint string) {
	others := &http.Client{Transport: client.Transport(fingerprint),
		CheckRedirect: func(r *http.Request, _ []*http.Request) error { // the secret is for servers alone
			return fmt.Errorf("found a redirect to %s: expected a server at its --advertise", r.URL.Redacted())
		}}
	s.Cluster = &server.Cluster{Name: d.name, URL: strings.TrimSuffix(cmp.Or(f.advertise, url), "/"), HTTP: others}
	s.Peers = &server.Peers{Living: s.Cluster.Living, Secret: d.peerSecret(), HTTP: others, Log: s.Log}
	s.Problems.Peers = s.Peers
}

// peerSecret is what servers of a cluster show each other.
func (d *serverDir) peerSecret() string {
	h := hmac.New(sha256.New, d.key)
	h.Write([]byte("\x00server"))
	return hex.EncodeToString(h.Sum(nil))
}

// nameIn returns the name of a server in its folder.
func nameIn(dir string) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	id, err := secretIn(filepath.Join(dir, nameFile))
	return strings.ToLower(host[:min(len(host), 30)] + "-" + id[:min(len(id), 8)]), err
}

// nameFile is the file in the folder of a server with what makes its name unique.
const nameFile = "name"
