package api

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base32"
	"fmt"
	"strings"
)

// beforeFingerprint is between the secret and the fingerprint of a token. No character of a
// token ends a word in a shell or a file of environment variables.
const beforeFingerprint = ".tls."

var fingerprintCoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// KeyFingerprint returns the fingerprint of a certificate: the SHA-256 of its public key
// (SubjectPublicKeyInfo) in base32, 52 characters. A certificate that is renewed with the
// same key keeps it.
func KeyFingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return fingerprintCoding.EncodeToString(sum[:])
}

// JoinToken returns the token SECRET.tls.FINGERPRINT for the clients of a server whose
// certificate has a fingerprint; "" is none.
func JoinToken(secret, fingerprint string) string {
	if fingerprint == "" {
		return secret
	}
	return secret + beforeFingerprint + fingerprint
}

// SplitToken returns the secret of a token, and its fingerprint if it has one. After an
// error the secret is the token.
func SplitToken(token string) (secret, fingerprint string, err error) {
	at := strings.LastIndex(token, beforeFingerprint)
	if at < 0 {
		return token, "", nil
	}
	secret, fingerprint = token[:at], token[at+len(beforeFingerprint):]
	sum, err := fingerprintCoding.DecodeString(fingerprint) // which ignores ends of lines
	if secret == "" || err != nil || len(sum) != sha256.Size || len(fingerprint) != 52 {
		return token, "", fmt.Errorf("the token has %d characters before %q and %d after it: expected a secret and the 52 "+
			"characters A-Z and 2-7 of a fingerprint, as judged serve prints them", at, beforeFingerprint, len(fingerprint))
	}
	return secret, fingerprint, nil
}
