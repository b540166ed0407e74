package client

import (
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"

	"crucible/judge/serve/api"
)

// pinned returns the settings of connections to a server whose key has a fingerprint. The
// names, the issuer and the time of its certificate are not checked.
func pinned(fingerprint string) *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error { // also of resumed sessions
			found := api.KeyFingerprint(s.PeerCertificates[0])
			if subtle.ConstantTimeCompare([]byte(found), []byte(fingerprint)) == 1 {
				return nil
			}
			return &tls.CertificateVerificationError{UnverifiedCertificates: s.PeerCertificates,
				Err: fmt.Errorf("found a key with fingerprint %s: expected %s, that of the token; this is another server, or "+
					"somebody between", found, fingerprint)}
		},
	}
}

// IsUntrusted reports whether an error is that of a server without a certificate that the client
// trusts.
func IsUntrusted(err error) bool {
	_, is := errors.AsType[*tls.CertificateVerificationError](err)
	return is
}

// isLoopback reports whether an address is one of this machine.
func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
