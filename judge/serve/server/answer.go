package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

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
	json.NewEncoder(w).Encode(v)
}
