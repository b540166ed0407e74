package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"crucible/judge/terminal"
)

// maxAnswer is the maximum size in bytes of an answer that is read, and maxMessage that of
// a message of the server in an error.
const (
	maxAnswer  = 16 << 20
	maxMessage = 500
)

// A DOMjudge uploads problems to a DOMjudge by its API, version 4.
//
// The requests and answers are those of DOMjudge/domjudge:
// webapp/src/Controller/API/ProblemController.php and GeneralInfoController.php.
type DOMjudge struct {
	URL            string // of the installation, such as https://example.org/domjudge
	User, Password string // of an account with the role admin
	HTTP           *http.Client
}

// CheckURL returns the URL of an installation without what follows it. It refuses http
// for other machines, because the password would be sent in plain text.
func CheckURL(given string) (*url.URL, error) {
	u, err := url.Parse(given)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("%q: expected a URL such as https://example.org/domjudge", terminal.Excerpt(given, 200))
	case u.User != nil:
		return nil, errors.New("the URL contains a user or password: expected them in the environment or in the file .netrc")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("%s: expected https, because http sends the password in plain text", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q: expected a URL without ? and #", terminal.Excerpt(given, 200))
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/api/v4"), "/api")
	return u, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// DOMjudgeInfo describes a server.
type DOMjudgeInfo struct {
	Version  string `json:"version"`
	DOMjudge *struct {
		Version string `json:"version"`
	} `json:"domjudge"`
}

// Check returns an error if the URL is not that of a DOMjudge, and the ids of the problems
// of the contest otherwise.
func (c *DOMjudge) Check(ctx context.Context, contest string) (ids []string, err error) {
	var info DOMjudgeInfo
	if err := c.do(ctx, "GET", "info", "", nil, &info); err != nil {
		return nil, err
	}
	if info.DOMjudge == nil && info.Version == "" {
		return nil, fmt.Errorf("%s: the answer has no version: expected a DOMjudge", c.URL)
	}
	var problems []struct {
		ID string `json:"id"`
	}
	if err := c.do(ctx, "GET", "contests/"+url.PathEscape(contest)+"/problems", "", nil, &problems); err != nil {
		return nil, err
	}
	for _, p := range problems {
		ids = append(ids, p.ID)
	}
	return ids, nil
}

// AddData adds the problems of a problems.yaml to a contest, and returns their ids.
func (c *DOMjudge) AddData(ctx context.Context, contest string, problems []byte) (ids []string, err error) {
	err = c.upload(ctx, "contests/"+url.PathEscape(contest)+"/problems/add-data", nil, "data", "problems.yaml",
		func(w io.Writer) error { _, err := w.Write(problems); return err }, &ids)
	return ids, err
}

// An Answer is that to the upload of a package.
type Answer struct {
	ID       string              `json:"problem_id"`
	Messages map[string][]string `json:"messages"` // by kind: info, warning, danger
}

// Warnings returns the messages that are more than information, bounded and quoted.
func (a *Answer) Warnings() (all []string) {
	for _, kind := range []string{"danger", "warning"} {
		for _, m := range a.Messages[kind] {
			all = append(all, fmt.Sprintf("%s: %q", kind, terminal.Excerpt(m, maxMessage)))
		}
	}
	return all
}

// AddProblem replaces the data of a problem of a contest by a package, whose zip write
// writes.
func (c *DOMjudge) AddProblem(ctx context.Context, contest, id string, write func(io.Writer) error) (*Answer, error) {
	var a struct {
		ID       any             `json:"problem_id"`
		Messages json.RawMessage `json:"messages"`
	}
	err := c.upload(ctx, "contests/"+url.PathEscape(contest)+"/problems", map[string]string{"problem": id}, "zip", id+
		".zip", write, &a)
	if err != nil {
		return nil, err
	}
	answer := &Answer{ID: fmt.Sprint(a.ID)}
	// PHP writes an empty map as a list, which is no message.
	_ = json.Unmarshal(a.Messages, &answer.Messages)
	return answer, nil
}

// upload sends a form with a file, which is never in memory as a whole.
func (c *DOMjudge) upload(ctx context.Context, path string, fields map[string]string, field, name string,
	write func(io.Writer) error, answer any) error {
	from, to := io.Pipe()
	form := multipart.NewWriter(to)
	written := make(chan error, 1)
	go func() {
		err := func() error {
			for key, value := range fields {
				if err := form.WriteField(key, value); err != nil {
					return err
				}
			}
			w, err := form.CreateFormFile(field, name)
			if err != nil {
				return err
			}
			if err := write(w); err != nil {
				return err
			}
			return form.Close()
		}()
		to.CloseWithError(err)
		written <- err
	}()
	err := c.do(ctx, "POST", path, form.FormDataContentType(), from, answer)
	from.Close() // ends the writer if the server has not read everything
	if broken := <-written; broken != nil && !errors.Is(broken, io.ErrClosedPipe) {
		return broken
	}
	return err
}

// do sends a request and reads the JSON of the answer.
func (c *DOMjudge) do(ctx context.Context, method, path, kind string, body io.Reader, answer any) error {
	at := c.URL + "/api/v4/" + path
	r, err := http.NewRequestWithContext(ctx, method, at, body)
	if err != nil {
		return err
	}
	r.SetBasicAuth(c.User, c.Password)
	r.Header.Set("Accept", "application/json")
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	response, err := c.client().Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", at, err)
	case len(data) > maxAnswer:
		return fmt.Errorf("%s: the answer is larger than %d bytes", at, maxAnswer)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s%s", at, response.Status, messageOf(data))
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s: the answer is not the JSON of DOMjudge: %w: %q", at, err, terminal.Excerpt(string(data), 100))
	}
	return nil
}

// messageOf returns the message of an answer that refuses a request.
func messageOf(data []byte) string {
	var refusal struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(data, &refusal) != nil || refusal.Message == "" {
		return ""
	}
	return fmt.Sprintf(": %q", terminal.Excerpt(refusal.Message, maxMessage))
}

// client returns the HTTP client, which follows no redirects: they would send the password
// to another place and drop the body.
func (c *DOMjudge) client() *http.Client {
	var h http.Client
	if c.HTTP != nil {
		h = *c.HTTP
	} else {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = 5 * time.Minute // DOMjudge imports for at most 2 minutes
		h.Transport = t
	}
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &h
}
