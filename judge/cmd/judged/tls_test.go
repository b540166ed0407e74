package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
)

// Off loopback the port is TLS, with a certificate that stays, and tokens with its
// fingerprint; workers and judge run check it.
func TestTLS(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	s := newServer(t, "--listen", "0.0.0.0:0", "--local-worker=false")
	secret, fingerprint, err := api.SplitToken(s.token)
	if err != nil || fingerprint == "" || !strings.HasPrefix(s.url, "https://") {
		t.Fatalf("%s %s, %v: expected https, and a fingerprint", s.url, s.token, err)
	}
	for file, want := range map[string]string{certificateFile: "PRIVATE KEY", client.TokenFile: s.token} {
		text, err := os.ReadFile(filepath.Join(s.dir, file))
		info, _ := os.Stat(filepath.Join(s.dir, file))
		if err != nil || !strings.Contains(string(text), want) || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v: expected %s for its owner alone", file, info.Mode(), err, want)
		}
	}
	s.work(t, "a", "")
	dir := write(t)
	for _, tt := range []struct {
		what, url, token string
		status           int
		want             string
	}{
		{"with the fingerprint", s.url, s.token, 0, "3 submissions as expected"},
		{"without it", s.url, secret, 3, "expected a token with its fingerprint"},
		{"with that of another key", s.url, api.JoinToken(secret, "A"+strings.Repeat("7", 51)), 3, "found a key with fingerprint " + fingerprint},
		{"with a part of it", s.url, s.token[:len(s.token)-1], 2, "51 after it"},
		{"by plain HTTP to another machine", "http://192.0.2.1:8520", s.token, 2, "http sends it in plain text: expected https://192.0.2.1:8520"},
		{"by plain HTTP", "http" + strings.TrimPrefix(s.url, "https"), s.token, 2, "400: Client sent an HTTP request to an HTTPS server."},
	} {
		out, complaint, status := ask(t, []string{"CRUCIBLE_TOKEN=" + tt.token}, "run", "--fresh", "--on", tt.url, dir)
		if status != tt.status || !strings.Contains(out+complaint, tt.want) {
			t.Errorf("%s: status %d: %s%s: expected %d, %s", tt.what, status, out, complaint, tt.status, tt.want)
		}
	}
	for _, protocol := range []string{"h2", "http/1.1"} {
		c, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}})
		if err != nil || c.ConnectionState().NegotiatedProtocol != protocol {
			t.Errorf("%v: expected %s", err, protocol)
			continue
		}
		c.Close()
	}
	c := exec.Command(built(t, "judged"), "worker", "--server", s.url, "--dir", t.TempDir())
	c.Env = environment(t, "CRUCIBLE_TOKEN="+api.JoinToken(secret, strings.Repeat("7", 52)))
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "found a key with fingerprint") {
		t.Errorf("a worker with another fingerprint: %v: %s", err, out)
	}
}

// A server that starts again has the same fingerprint; on loopback, and with --plain, it has
// none.
func TestFingerprintStays(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	dir := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + dir}
	dir = filepath.Join(dir, "crucible", "server")
	var first string
	for _, tt := range []struct {
		args []string
		tls  bool
	}{
		{[]string{"--listen", "0.0.0.0:0"}, true},
		{[]string{"--listen", "127.0.0.1:0"}, false},
		{[]string{"--listen", "0.0.0.0:0", "--plain"}, false},
		{[]string{"--listen", "0.0.0.0:0"}, true},
	} {
		s := newServer(t, append(tt.args, "--dir", dir)...)
		if first == "" {
			first = s.token
		}
		want, _, _ := api.SplitToken(first)
		if tt.tls {
			want = first
		}
		if s.token != want || strings.HasPrefix(s.url, "https:") != tt.tls {
			t.Errorf("%v: %s %s: expected the token %s", tt.args, s.url, s.token, want)
		}
		// The worker of the server, and clients of the same user, know the server.
		if out, complaint, status := ask(t, env, "run", "--fresh", "--on", s.url, write(t), "accepted/*"); status != 0 {
			t.Errorf("%v: status %d: %s%s", tt.args, status, out, complaint)
		}
		s.stop(t)
	}
}

// Tokens for a certificate of an authority have no fingerprint. The worker of the server
// finds the server although the certificate does not have its address.
func TestCertificateOfAnAuthority(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	dir := t.TempDir()
	c, err := certificateIn(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, certificateFile)
	s := newServer(t, "--tls-cert", file, "--tls-key", file)
	if _, fingerprint, _ := api.SplitToken(s.token); fingerprint != "" || !strings.HasPrefix(s.url, "https:") {
		t.Errorf("%s %s: expected https, and no fingerprint", s.url, s.token)
	}
	env := []string{"CRUCIBLE_TOKEN=" + api.JoinToken(s.token, api.KeyFingerprint(c.Leaf))}
	if out, complaint, status := ask(t, env, "run", "--fresh", "--on", s.url, write(t), "accepted/*"); status != 0 {
		t.Errorf("status %d: %s%s", status, out, complaint)
	}
	for _, args := range [][]string{{"--plain", "--tls-cert", file, "--tls-key", file}, {"--tls-cert", file}} {
		cmd := exec.Command(built(t, "judged"), append([]string{"serve", "--dir", t.TempDir()}, args...)...)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), ": expected ") {
			t.Errorf("%v: %v: %s: expected a refusal", args, err, out)
		}
	}
}

// A certificate that soon ends is renewed, with the same key.
func TestRenewedCertificate(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	first, err := certificateIn(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		same  bool
	}{{validity - renewal - time.Hour, true}, {validity - renewal + time.Hour, false}, {2 * validity, false}} {
		c, err := certificateIn(dir, now.Add(tt.after))
		if err != nil || c.Leaf.Equal(first.Leaf) != tt.same || api.KeyFingerprint(c.Leaf) != api.KeyFingerprint(first.Leaf) {
			t.Errorf("after %v: %v, the same %v: expected %v, and the key", tt.after, err, c.Leaf.Equal(first.Leaf), tt.same)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, certificateFile), []byte("no\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := certificateIn(dir, now); err == nil || !strings.Contains(err.Error(), "tls.pem: tls: failed to find any PEM data") {
		t.Errorf("a damaged file: %v", err)
	}
}

// Somebody between client and server, with another certificate, gets no request.
func TestSomebodyBetween(t *testing.T) {
	certificate := func() tls.Certificate {
		c, err := certificateIn(t.TempDir(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	theirs, ours := certificate(), certificate()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{theirs}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	sent := make(chan int, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.SetDeadline(time.Now().Add(10 * time.Second))
			data, _ := io.ReadAll(c)
			c.Close()
			sent <- len(data)
		}
	}()
	c, err := client.New("https://"+l.Addr().String(), api.JoinToken("secret", api.KeyFingerprint(ours.Leaf)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	began := time.Now()
	_, err = c.Describe(ctx)
	if !client.IsUntrusted(err) || time.Since(began) > 2*time.Second {
		t.Errorf("%v after %v: expected a refusal at once", err, time.Since(began))
	}
	if n := <-sent; n != 0 {
		t.Errorf("somebody between has read %d bytes: expected none", n)
	}
	// A session that is resumed is checked, too.
	config := client.Transport(api.KeyFingerprint(ours.Leaf)).TLSClientConfig
	if err := config.VerifyConnection(tls.ConnectionState{DidResume: true, PeerCertificates: []*x509.Certificate{theirs.Leaf}}); err == nil {
		t.Error("a resumed session with another key is accepted")
	}
}
