package server

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"crucible/judge/serve/blob"
)

// A Scope is what a token permits.
type Scope string

const (
	Read       Scope = "read"       // to see problems, records and workers
	Submit     Scope = "submit"     // to send packages, submissions and work items
	Administer Scope = "administer" // everything
	Worker     Scope = "worker"     // to execute work items
)

// Scopes are all scopes.
var Scopes = []Scope{Read, Submit, Administer, Worker}

// A Token is the secret of a client, and what it permits. Submit includes Read, and
// Administer includes all.
type Token struct {
	Name   string // of its owner, for logs; tokens of one name are one client
	Scopes []Scope
	sum    [sha256.Size]byte
}

// Tokens are the tokens of a server.
type Tokens struct{ all []*Token }

// Add adds a token.
func (t *Tokens) Add(name, secret string, scopes ...Scope) {
	t.all = append(t.all, &Token{name, scopes, sha256.Sum256([]byte(secret))})
}

// ReadTokens reads tokens, a line each: the name, scopes with commas between them, the
// secret. Empty lines and lines that begin with # do not count. Name is that of the file,
// for errors.
func ReadTokens(r io.Reader, name string) (*Tokens, error) {
	t := new(Tokens)
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s:%d: found %d words: expected a name, scopes and a secret", name, n, len(fields))
		}
		if len(fields[2]) < 16 {
			return nil, fmt.Errorf("%s:%d: the secret has %d characters: expected 16 or more", name, n, len(fields[2]))
		}
		var scopes []Scope
		for one := range strings.SplitSeq(fields[1], ",") {
			if !slices.Contains(Scopes, Scope(one)) {
				return nil, fmt.Errorf("%s:%d: scope %q: expected %v", name, n, one, Scopes)
			}
			scopes = append(scopes, Scope(one))
		}
		t.Add(fields[0], fields[2], scopes...)
	}
	return t, lines.Err()
}

// find returns the token of a secret, or nil.
func (t *Tokens) find(secret string) (found *Token) {
	sum := sha256.Sum256([]byte(secret))
	for _, one := range t.all {
		if subtle.ConstantTimeCompare(sum[:], one.sum[:]) == 1 {
			found = one
		}
	}
	return found
}

// named returns the token of a name, or nil.
func (t *Tokens) named(name string) *Token {
	if i := slices.IndexFunc(t.all, func(one *Token) bool { return one.Name == name }); i >= 0 {
		return t.all[i]
	}
	return nil
}

// Has reports whether there is a token of a name.
func (t *Tokens) Has(name string) bool { return t.named(name) != nil }

// Permits reports whether the token permits a scope.
func (t *Token) Permits(s Scope) bool {
	return slices.Contains(t.Scopes, s) || slices.Contains(t.Scopes, Administer) || s == Read &&
		slices.Contains(t.Scopes, Submit)
}

// Find returns the token of a secret if it permits the scope. The error is a
// [*blob.Problem]: 401 for an unknown secret, 403 for another scope.
func (t *Tokens) Find(secret string, s Scope) (*Token, error) {
	found := t.find(secret)
	switch {
	case found == nil:
		return nil, blob.NewProblem(http.StatusUnauthorized,
			"the token is missing or not known to this server: expected one with scope %s", s)
	case !found.Permits(s):
		return nil, blob.NewProblem(http.StatusForbidden, "the token of %s has scope %v: expected %s", found.Name,
			found.Scopes, s)
	}
	return found, nil
}

type tokenKey struct{}

// tokenOf returns the token of a request that needs has let through.
func tokenOf(r *http.Request) *Token { return r.Context().Value(tokenKey{}).(*Token) }

// clientOf returns the name of the client of a request: that of its token, or what no token
// can have as a name.
func clientOf(r *http.Request) string {
	if t, ok := r.Context().Value(tokenKey{}).(*Token); ok {
		return t.Name
	}
	if worker, ok := r.Context().Value(workerKey{}).(string); ok {
		return "the worker " + worker
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return "the address " + host
}

// clientKey is the key of the name of the client in the context of its items.
type clientKey struct{}

type workerKey struct{}
