package lab

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"crucible/judge/prepare/archive"
)

func TestTaskHandler(t *testing.T) {
	const example = `{"name": "A + B"}`
	var received []string
	h := taskHandler(func(one *archive.Task, refused error) (int, error) {
		if refused != nil {
			return http.StatusBadRequest, refused
		}
		if one.Name == "full" {
			return http.StatusInsufficientStorage, fmt.Errorf("disk full")
		}
		received = append(received, one.Name)
		return 0, nil
	})
	for _, c := range []struct {
		fact                               string
		method, path, host, origin, format string
		body                               string
		status                             int
	}{
		{"the extension", "POST", "/", "localhost:10043", "chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl", "application/json", example, 200},
		{"Firefox, by address", "POST", "/", "127.0.0.1:10043", "moz-extension://1", "application/json; charset=utf-8", example, 200},
		{"curl", "POST", "/", "[::1]:10043", "", "application/json", example, 200},
		{"a page", "POST", "/", "localhost:10043", "https://evil.example", "application/json", example, 403},
		{"a page in a sandbox", "POST", "/", "localhost:10043", "null", "application/json", example, 403},
		{"a page that sends a form", "POST", "/", "localhost:10043", "", "text/plain", example, 415},
		{"a name that leads here", "POST", "/", "evil.example:10043", "", "application/json", example, 403},
		{"a question before", "OPTIONS", "/", "localhost:10043", "", "", "", 405},
		{"a browser", "GET", "/", "localhost:10043", "", "", "", 405},
		{"another path", "POST", "/x", "localhost:10043", "", "application/json", example, 404},
		{"no task", "POST", "/", "localhost:10043", "", "application/json", "{}", 400},
		{"a task that cannot be written", "POST", "/", "localhost:10043", "", "application/json", `{"name": "full"}`, 507},
	} {
		r := httptest.NewRequest(c.method, "http://"+c.host+c.path, strings.NewReader(c.body))
		r.Header.Set("Origin", c.origin)
		r.Header.Set("Content-Type", c.format)
		w := httptest.NewRecorder()
		before := len(received)
		h.ServeHTTP(w, r)
		if w.Code != c.status || (len(received) > before) != (c.status == http.StatusOK) {
			t.Errorf("%s: status %d (%s), expected %d", c.fact, w.Code, w.Body, c.status)
		}
	}
}
