package server

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
	"crucible/judge/terminal"
)

// A Scope is what a token permits.
type Scope string

const (
	Student Scope = "student" // to see statements and samples, to submit, and to see the outline of that
	Jury    Scope = "jury"    // everything of all problems; "jury:ID" of one
	Eval    Scope = "eval"    // to run programs, on packages of the same client, too
	Worker  Scope = "worker"  // to execute work items
	Admin   Scope = "admin"   // everything
	Read    Scope = "read"    // to see statements, samples, workers and figures

	// Those of before are Jury with Eval, and Admin.
	Submit     Scope = "submit"
	Administer Scope = "administer"
)

// Scopes are all scopes.
var Scopes = []Scope{Student, Jury, Eval, Worker, Admin, Read, Submit, Administer}

// A Token is the secret of a client, and what it permits.
type Token struct {
	Name   string  `json:"name"` // of the user; tokens of one name are one client
	Scopes []Scope `json:"scopes"`
	Sum    string  `json:"sum"` // SHA-256 of the secret, which only clients need to know
}

func sumOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// ID identifies the token, and is no secret.
func (t *Token) ID() string { return t.Sum[:min(len(t.Sum), 32)] }

// Tokens are the tokens of a server.
type Tokens struct {
	all    []*Token
	shared atomic.Pointer[[]Token] // by the servers of a cluster
}

// TokenBucket is the bucket with the tokens that the servers of a cluster share.
const TokenBucket = "tokens"

// Share replaces the tokens by those that the servers of a cluster share, which it hears of from
// then on. These are the ones that t has now if given, else those of the server that was given
// some last: tokens that are left out there are valid at none.
func (t *Tokens) Share(ctx context.Context, q *queue.Queue, given bool) error {
	b := q.Bucket(TokenBucket)
	if given {
		data, err := json.Marshal(t.all)
		if err == nil {
			err = b.Change(ctx, "all", func([]byte) ([]byte, error) { return data, nil })
		}
		if err != nil {
			return err
		}
	}
	t.all = nil
	return b.Watch(context.WithoutCancel(ctx), func(_ string, value []byte) {
		var all []Token
		if err := json.Unmarshal(value, &all); err != nil {
			q.Log.Error("the tokens of the cluster are not understood", "error", err)
			return
		}
		t.shared.Store(&all)
	})
}

// each yields the tokens.
func (t *Tokens) each(yield func(*Token) bool) {
	for _, one := range t.all {
		if !yield(one) {
			return
		}
	}
	if shared := t.shared.Load(); shared != nil {
		for i := range *shared {
			if !yield(&(*shared)[i]) {
				return
			}
		}
	}
}

// Add adds a token.
func (t *Tokens) Add(name, secret string, scopes ...Scope) {
	one := &Token{Name: name, Sum: sumOf(secret)}
	for _, s := range scopes {
		switch s {
		case Submit:
			one.Scopes = append(one.Scopes, Jury, Eval)
		case Administer:
			one.Scopes = append(one.Scopes, Admin)
		default:
			one.Scopes = append(one.Scopes, s)
		}
	}
	t.all = append(t.all, one)
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
			if id, is := strings.CutPrefix(one, jurysPrefix); !slices.Contains(Scopes, Scope(one)) && (!is || id == "") {
				return nil, fmt.Errorf("%s:%d: scope %q: expected one of %s, or jury:ID", name, n, one, scopesText(Scopes, ", "))
			}
			scopes = append(scopes, Scope(one))
		}
		if other := t.Of(fields[2]); other != nil && other.Name != fields[0] {
			return nil, fmt.Errorf("%s:%d: the secret is that of %s: expected another one", name, n, other.Name)
		}
		t.Add(fields[0], fields[2], scopes...)
	}
	return t, lines.Err()
}

// jurysPrefix is that of the scope Jury for one problem.
const jurysPrefix = string(Jury) + ":"

func scopesText(all []Scope, between string) string {
	return strings.Join(terminal.Texts(all, func(s Scope) string { return string(s) }), between)
}

// Of returns the token of a secret, or nil.
func (t *Tokens) Of(secret string) *Token {
	sum := sumOf(secret) // its time tells nothing of a secret
	return t.First(func(one *Token) bool { return one.Sum == sum })
}

// First returns the first token for which is holds, or nil.
func (t *Tokens) First(is func(*Token) bool) *Token {
	for one := range t.each {
		if is(one) {
			return one
		}
	}
	return nil
}

// Readers returns the names of tokens with scope [Read], which showed more before.
func (t *Tokens) Readers() (names []string) {
	for one := range t.each {
		if slices.Contains(one.Scopes, Read) {
			names = append(names, one.Name)
		}
	}
	return names
}

// Juries returns the problems for which there are tokens with the scope jury:ID.
func (t *Tokens) Juries() (ids []string) {
	for one := range t.each {
		for _, s := range one.Scopes {
			if id, is := strings.CutPrefix(string(s), jurysPrefix); is {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Has reports whether there is a token of a name.
func (t *Tokens) Has(name string) bool {
	return t.First(func(one *Token) bool { return one.Name == name }) != nil
}

// Permits reports whether the token permits one of some scopes. Jury is also that of one
// problem.
func (t *Token) Permits(of ...Scope) bool {
	return slices.ContainsFunc(t.Scopes, func(s Scope) bool {
		return s == Admin || slices.Contains(of, s) ||
			strings.HasPrefix(string(s), jurysPrefix) && slices.Contains(of, Jury)
	})
}

// JudgesAll reports whether the token permits to see everything of all problems.
func (t *Token) JudgesAll() bool {
	return slices.Contains(t.Scopes, Jury) || slices.Contains(t.Scopes, Admin)
}

// Find returns the token of a secret if it permits one of some scopes. The error is a
// [*blob.Problem]: 401 for an unknown secret, 403 for another scope.
func (t *Tokens) Find(secret string, of ...Scope) (*Token, error) {
	found := t.Of(secret)
	switch {
	case found == nil:
		return nil, blob.NewProblem(http.StatusUnauthorized,
			"the token is missing or not known to this server: expected one with scope %s", scopesText(of, " or "))
	case !found.Permits(of...):
		return nil, blob.NewProblem(http.StatusForbidden, "the token of %s has scope %s: expected %s", found.Name,
			scopesText(found.Scopes, " and "), scopesText(of, " or "))
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
