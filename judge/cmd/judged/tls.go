package main

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/api"
)

// certificateFile is the file in the folder of a server with the certificate that it made, and
// its key.
const certificateFile = "tls.pem"

// A server that starts in the last years of its certificate renews it. Clients check the key
// alone, which stays.
const (
	validity = 10 * 365 * 24 * time.Hour
	renewal  = 2 * 365 * 24 * time.Hour
)

// certificate returns the certificate of the port at an address, nil for plain HTTP. Made is
// the fingerprint of one that the server made.
func (f *serveFlags) certificate(address *net.TCPAddr) (pair *tls.Certificate, made string, err error) {
	var c tls.Certificate
	switch {
	case f.cert != "":
		if c, err = tls.LoadX509KeyPair(f.cert, f.key); err != nil {
			err = fmt.Errorf("--tls-cert %s, --tls-key %s: %w", f.cert, f.key, err)
		}
	case f.plain, address.IP.IsLoopback():
		return nil, "", nil
	default:
		if c, err = certificateIn(f.dir, time.Now()); err == nil {
			made = api.KeyFingerprint(c.Leaf)
		}
	}
	return &c, made, err
}

// certificateIn returns the certificate in the folder of a server. It makes one if there is
// none, or if it soon ends; then it keeps the key.
func certificateIn(dir string, now time.Time) (c tls.Certificate, err error) {
	name := filepath.Join(dir, certificateFile)
	data, err := os.ReadFile(name)
	var key crypto.Signer
	switch {
	case errors.Is(err, fs.ErrNotExist):
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case err == nil:
		if c, err = tls.X509KeyPair(data, data); err != nil {
			return c, fmt.Errorf("%s: %w; expected a certificate of judged serve: restore the file from a backup, or remove "+
				"it, and give new tokens to clients and workers", name, err)
		}
		if c.Leaf.NotAfter.Sub(now) > renewal {
			return c, nil
		}
		key = c.PrivateKey.(crypto.Signer) // as each key that package tls reads
	}
	if err == nil {
		data, err = signed(key, now)
	}
	if err == nil {
		err = osfile.WriteSynced(filepath.Join(dir, certificateFile), data)
	}
	if err != nil {
		return c, err
	}
	return tls.X509KeyPair(data, data)
}

// signed returns a new certificate of a key, and the key, in PEM. It has no name of a host,
// because it serves those that check its key: it is known by no other authority.
func signed(key crypto.Signer, now time.Time) ([]byte, error) {
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "judged"}, DNSNames: []string{"judged"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(validity), // clocks differ
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	text, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	private, keyErr := x509.MarshalPKCS8PrivateKey(key)
	var b bytes.Buffer
	pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: text}) // never fails
	pem.Encode(&b, &pem.Block{Type: "PRIVATE KEY", Bytes: private})
	return b.Bytes(), cmp.Or(err, keyErr)
}
