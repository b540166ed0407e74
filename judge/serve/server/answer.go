package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"crucible/judge/serve/blob"
)

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

// parse parses the JSON of a request, whose keys must be known. The error is a
// [*blob.Problem].
func parse(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("found more than one value")
		}
	}
	if err == nil {
		err = checkText(data)
	}
	if err != nil {
		return blob.NewProblem(http.StatusBadRequest, "the request: %v", err)
	}
	return nil
}

// checkText returns an error for JSON whose texts would be changed when it is parsed.
func checkText(data []byte) error {
	if !jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true)) {
		return errors.New("expected texts in UTF-8, and no half of a surrogate pair")
	}
	return nil
}

// refuse sends an error. Errors of status 429 and 503 say when to try again.
func refuse(w http.ResponseWriter, err error) {
	p := new(blob.Problem)
	if errors.As(err, &p) && (p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable) {
		w.Header().Set("Retry-After", "1")
	}
	blob.WriteError(w, http.StatusInternalServerError, err)
}

// writeJSON sends a value.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}
