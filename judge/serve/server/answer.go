package server

import (
	jsonv1 "encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"crucible/judge/record"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// parse parses the JSON of a request: a value in UTF-8, whose keys must be known and different.
// The error is a [*blob.Problem].
func parse(data []byte, to any, options ...json.Options) error {
	options = append([]json.Options{json.RejectUnknownMembers(true)}, options...)
	if err := json.Unmarshal(data, to, options...); err != nil {
		return blob.NewProblem(http.StatusBadRequest, "the request: %s",
			strings.TrimPrefix(record.Plain(err).Error(), "jsontext: "))
	}
	return nil
}

// refuse sends an error. Errors of status 429 and 503 say when to try again.
func refuse(w http.ResponseWriter, err error) {
	p := new(blob.Problem)
	if !errors.As(err, &p) && queue.IsAway(err) {
		p = blob.NewProblem(http.StatusServiceUnavailable, "the server does not reach what it keeps now: ask again")
		err = fmt.Errorf("%w: %w", p, err) // the second one is for the log
	}
	if errors.As(err, &p) && (p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable) {
		w.Header().Set("Retry-After", "1")
	}
	blob.WriteError(w, http.StatusInternalServerError, err)
}

// writeJSON sends a value.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	jsonv1.NewEncoder(w).Encode(v)
}
