package api

import (
	"strings"
	"testing"
)

func TestSplitToken(t *testing.T) {
	fingerprint := strings.Repeat("A", 51) + "Q"
	for _, tt := range []struct {
		token, secret, fingerprint, wrong string
	}{
		{"", "", "", ""},
		{"secret", "secret", "", ""},
		{"a:00", "a:00", "", ""},
		{"a.tls:00.", "a.tls:00.", "", ""},
		{"secret.tls." + fingerprint, "secret", fingerprint, ""},
		{"a.tls.b.tls." + fingerprint, "a.tls.b", fingerprint, ""},
		{"secret.tls.", "", "", "6 characters before \".tls.\" and 0 after it"},
		{"secret.tls." + fingerprint[1:], "", "", "51 after it: expected a secret and the 52 characters"},
		{"secret.tls." + fingerprint + "A", "", "", "53 after it"},
		{"secret.tls." + strings.ToLower(fingerprint), "", "", "52 after it"},
		{"secret.tls." + fingerprint + "\n", "", "", "53 after it"},
		{".tls." + fingerprint, "", "", "0 characters before"},
	} {
		secret, found, err := SplitToken(tt.token)
		if tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) || strings.Contains(err.Error(), "secret.tls") || secret != tt.token {
				t.Errorf("%q: %q, %v: expected an error with %q and without the secret", tt.token, secret, err, tt.wrong)
			}
		} else if err != nil || secret != tt.secret || found != tt.fingerprint || JoinToken(secret, found) != tt.token {
			t.Errorf("%q: %q, %q, %v: expected %q, %q", tt.token, secret, found, err, tt.secret, tt.fingerprint)
		}
	}
}
