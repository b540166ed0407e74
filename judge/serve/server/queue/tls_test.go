package queue

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"testing"
	"time"
)

func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(root)
	s := start(t, Options{Listen: "127.0.0.1:0", TLS: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}})
	c := Connection{URL: s.URL(), TLS: &tls.Config{RootCAs: roots}}
	startWorker(t, c, Worker{ID: "w"}, echo)
	verdict(t, submit(t, connect(t, c), item("a"))[0])
	verdict(t, submit(t, connect(t, s.Connection()), item("b"))[0])
	if _, err := Connect(t.Context(), Connection{URL: s.URL(), TLS: &tls.Config{}}); err == nil {
		t.Error("a certificate of an unknown authority is accepted")
	}
}
