package lab

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"strings"

	"crucible/judge/prepare/archive"
)

// maxReading is how many messages are read at once, because they are read into memory.
const maxReading = 4

// taskHandler receives tasks by POST to / and calls receive with each, one by one; refused is
// the error of [archive.Read]. receive returns the status of the answer with its error. A page
// of the web cannot send tasks: the browser sends JSON for a page only after a question that
// is not answered, a name of another machine that leads to localhost is refused, and so is a
// request of a page that admits it.
func taskHandler(receive func(t *archive.Task, refused error) (status int, err error)) http.Handler {
	reading, one := make(chan struct{}, maxReading), make(chan struct{}, 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, err := refused(r)
		if err == nil {
			reading <- struct{}{}
			t, bad := archive.Read(r.Body)
			<-reading
			one <- struct{}{}
			status, err = receive(t, bad)
			<-one
		}
		if err != nil {
			http.Error(w, err.Error(), status)
		}
	})
}

// refused returns the status and the error of a request that is not from the extension.
func refused(r *http.Request) (int, error) {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	content, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	origin := r.Header.Get("Origin")
	switch {
	case host != "localhost" && host != "127.0.0.1" && host != "::1" && host != "[::1]":
		return http.StatusForbidden, fmt.Errorf("host %q: expected localhost", host)
	case strings.HasPrefix(origin, "http:"), strings.HasPrefix(origin, "https:"), origin == "null":
		return http.StatusForbidden, fmt.Errorf("origin %q: expected a browser extension", origin)
	case r.URL.Path != "/":
		return http.StatusNotFound, fmt.Errorf("path %q: expected /", r.URL.Path)
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, fmt.Errorf("method %s: expected POST", r.Method)
	case content != "application/json":
		return http.StatusUnsupportedMediaType, fmt.Errorf("content type %q: expected application/json", content)
	}
	return 0, nil
}
