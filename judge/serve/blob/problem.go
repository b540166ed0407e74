package blob

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode"

	"crucible/judge/internal/osfile"
)

// A Problem is an error as a response of HTTP: the problem details of RFC 9457.
type Problem struct {
	Type     string `json:"type,omitempty"`     // URI of the kind of problem; "" means the status says all
	Title    string `json:"title"`              // of the kind, in a few words; NewProblem sets the text of the status
	Status   int    `json:"status"`             // the HTTP status
	Detail   string `json:"detail,omitempty"`   // what is wrong in this case
	Instance string `json:"instance,omitempty"` // URI of this case
}

// NewProblem returns the problem of a status. The detail is formatted like an error.
func NewProblem(status int, format string, args ...any) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// Error returns the status and what is wrong, on one line and without control characters.
func (p *Problem) Error() string {
	text := p.Title
	if p.Detail != "" {
		text = p.Detail
	}
	return fmt.Sprintf("%d: %s", p.Status, clean(text))
}

// Write sends the problem as the response.
func (p *Problem) Write(w http.ResponseWriter) {
	h := w.Header()
	// As http.Error does: these describe what would have been sent.
	for _, name := range []string{"Cache-Control", "Content-Length", "Content-Encoding", "ETag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Content-Type", "application/problem+json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p)
}

// WriteError sends an error as the response: that of [AsProblem]. A response writer with a
// method Failed gets an error of the server, for its log.
func WriteError(w http.ResponseWriter, status int, err error) {
	p := AsProblem(status, err)
	if log, ok := w.(interface{ Failed(err error) }); ok && p.Status >= 500 {
		log.Failed(err)
	}
	p.Write(w)
}

// AsProblem returns err itself if it is a [*Problem], and else a problem with this status.
// It has no names of files of the server: a full disk is status 507, and what a failure of
// the server was stands in its log.
func AsProblem(status int, err error) *Problem {
	p := new(Problem)
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, ErrFull):
		return NewProblem(http.StatusInsufficientStorage, "%v", err)
	case osfile.IsFull(err):
		return NewProblem(http.StatusInsufficientStorage, "the disk of the server is full")
	case status >= 500:
		return NewProblem(status, "the server failed; its log says why")
	}
	return NewProblem(status, "%v", osfile.Cause(err))
}

// IsRefusal reports whether a server has refused a request, so that it refuses the same again: not
// one that has no room or fails, nor for too many requests.
func IsRefusal(err error) bool {
	p, is := errors.AsType[*Problem](err)
	return is && p.Status < 500 && p.Status != http.StatusTooManyRequests
}

// ProblemOf returns the problem that a response of status 400 or more describes. The
// sender is not trusted.
func ProblemOf(r *http.Response) *Problem {
	p := NewProblem(r.StatusCode, "")
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	data, _ := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	switch {
	case kind == "application/problem+json" && json.Unmarshal(data, p) != nil:
		*p = *NewProblem(r.StatusCode, "")
	case kind == "" || kind == "text/plain": // of a proxy, or of a server that expects TLS
		p.Detail, _, _ = strings.Cut(string(data), "\n")
	}
	p.Status = r.StatusCode
	return p
}

// clean returns at most 500 characters of a text from elsewhere, without those that
// could change a terminal.
func clean(text string) string {
	if len(text) > 500 {
		text = text[:500] + "..."
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}
