package page

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/serve/blob"
	"crucible/judge/serve/server"
)

const (
	maxForm     = 8 << 20            // bytes of a form with its files
	sessionTime = 7 * 24 * time.Hour // a session ends so long after the login
	codeTime    = time.Hour          // a login link that is not used
)

// policy is the Content-Security-Policy of pages: the style and the scripts of this
// server, no inline ones, and connections to this server alone.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guarded checks the host and the origin of requests, and adds the headers of security. A
// page of another site can neither send forms to this server nor, by a DNS name that it
// points to this machine, read answers.
func (s *Site) guarded(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, new(view), blob.NewProblem(http.StatusForbidden,
			"the request is from another site: expected a form of this server"))
	}))
	next = cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !s.isHost(r.Host) {
			s.fail(w, r, new(view), blob.NewProblem(http.StatusMisdirectedRequest,
				"host %.100q: expected an IP address, localhost, or a name given by judged serve --host", r.Host))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isHost reports whether a Host header names this server. A site that points its own name
// to this machine is none of them.
func (s *Site) isHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return net.ParseIP(host) != nil || host == "localhost" || slices.ContainsFunc(s.Hosts,
		func(h string) bool { return strings.EqualFold(h, host) })
}

// visited answers requests of a session. Forms must have its token.
func (s *Site) visited(do func(*visit) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Request: r, w: w}
		var session string
		if c, err := r.Cookie(s.cookieName()); err == nil {
			session = c.Value
		}
		if id, ok := s.sessionOf(session); ok {
			v.token = s.Judge.Token(func(t *server.Token) bool { return t.ID() == id })
			v.csrf = s.sign("form", session)
		}
		if v.token == nil || !opens(v.token) {
			if r.Method == http.MethodGet && r.Header.Get("Accept") != "text/event-stream" {
				http.Redirect(w, r, "/login?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
				return
			}
			s.fail(w, r, new(view), blob.NewProblem(http.StatusUnauthorized, "the session has ended: log in again at /login"))
			return
		}
		if id := r.PathValue("run"); s.Elsewhere != nil && runID.MatchString(id) && !s.hasRun(id) &&
			s.Elsewhere(w, r, "/runs/"+id) {
			return
		}
		server.UsedBy(r, v.token.Name)
		page := new(view)
		v.fill(page)
		if r.Method == http.MethodPost {
			if err := v.checkForm(); err != nil {
				s.fail(w, r, page, err)
				return
			}
			if r.MultipartForm != nil {
				defer r.MultipartForm.RemoveAll()
			}
		}
		if err := do(v); err != nil {
			s.fail(w, r, page, err)
		}
	})
}

// checkForm reads the form of a request, which must have the token of the session.
func (v *visit) checkForm() error {
	v.Body = http.MaxBytesReader(v.w, v.Body, maxForm)
	if err := v.ParseMultipartForm(maxForm); err != nil && err != http.ErrNotMultipart {
		return blob.NewProblem(http.StatusBadRequest, "the form cannot be read: %v; expected at most %d MiB", err,
			maxForm>>20)
	}
	if !hmac.Equal([]byte(v.PostFormValue("csrf")), []byte(v.csrf)) {
		return blob.NewProblem(http.StatusForbidden, "the form is of another session: load its page again")
	}
	return nil
}

// opens reports whether a token permits to see pages.
func opens(t *server.Token) bool {
	return t.Permits(server.Student, server.Jury, server.Eval, server.Read)
}

// submits reports whether the visitor may submit.
func (v *visit) submits() bool { return v.token.Permits(server.Student, server.Jury, server.Eval) }

// seesWorkers reports whether the visitor may see the workers.
func (v *visit) seesWorkers() bool { return v.token.Permits(server.Jury, server.Eval, server.Read) }

// mustSubmit returns an error unless the visitor may submit.
func (v *visit) mustSubmit() error {
	if !v.submits() {
		return blob.NewProblem(http.StatusForbidden,
			"the token of %s permits to read: expected one with scope student or jury", v.token.Name)
	}
	return nil
}

// mustJudge returns an error unless the visitor is of the jury of all problems.
func (v *visit) mustJudge() error {
	if !v.token.JudgesAll() {
		return blob.NewProblem(http.StatusForbidden,
			"the page is of all problems: expected a token with scope jury of all of them")
	}
	return nil
}

// sign returns a signature of a text for a purpose.
func (s *Site) sign(purpose, text string) string {
	h := hmac.New(sha256.New, s.Key)
	h.Write([]byte("pages\x00" + purpose + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// cookieName is that of the session. Servers at other ports of a host get the same
// cookies, so each has its own name.
func (s *Site) cookieName() string { return "judged-" + s.sign("cookie", "")[:8] }

// newSession returns the session of a token: its id, the end and a signature.
func (s *Site) newSession(t *server.Token) string {
	text := t.ID() + "." +
		strconv.FormatInt(time.Now().Add(sessionTime).Unix(), 10) + "." + rand.Text()
	return text + "." + s.sign("session", text)
}

// sessionOf returns the id of the token of a session that has not ended.
func (s *Site) sessionOf(session string) (id string, ok bool) {
	at := strings.LastIndexByte(session, '.')
	if at < 0 || !hmac.Equal([]byte(s.sign("session", session[:at])), []byte(session[at+1:])) {
		return "", false
	}
	parts := strings.Split(session[:at], ".")
	end, err := strconv.ParseInt(parts[1], 10, 64)
	return parts[0], err == nil && time.Now().Unix() < end
}

// LoginPath returns the path of a login link, which works once, within an hour.
func (s *Site) LoginPath() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.codes == nil {
		s.codes = make(map[string]time.Time)
	}
	code := rand.Text()
	s.codes[code] = time.Now().Add(codeTime)
	return "/login?code=" + code
}

// take uses a code of a login link.
func (s *Site) take(code string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, ok := s.codes[code]
	delete(s.codes, code)
	return ok && time.Now().Before(end)
}

// A loginView is the data of the login page.
type loginView struct{ To, Wrong string }

// login shows the login page, or logs in who has a login link.
func (s *Site) login(w http.ResponseWriter, r *http.Request) {
	to, code := r.FormValue("to"), r.FormValue("code")
	if code != "" && s.take(code) {
		if t := s.Judge.Token(func(t *server.Token) bool { return t.Name == s.Local }); t != nil {
			s.admit(w, r, t, to)
			return
		}
	}
	wrong := ""
	if code != "" {
		wrong = "This login link was used before, is older than an hour, or is of an earlier start of the server."
	}
	s.showLogin(w, r, http.StatusOK, loginView{to, wrong})
}

func (s *Site) showLogin(w http.ResponseWriter, r *http.Request, status int, l loginView) {
	if err := render(w, status, "login", &view{Title: "Log in", Assets: assetAddresses(), Data: l}); err != nil {
		s.fail(w, r, new(view), err)
	}
}

// enter logs in who has a token.
func (s *Site) enter(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	t := s.Judge.TokenOf(strings.TrimSpace(r.PostFormValue("token")))
	if t == nil || !opens(t) {
		s.showLogin(w, r, http.StatusForbidden, loginView{r.PostFormValue("to"),
			"The server does not know this token, or it does not permit to see pages."})
		return
	}
	s.admit(w, r, t, r.PostFormValue("to"))
}

// admit begins a session and continues at a page of this server.
func (s *Site) admit(w http.ResponseWriter, r *http.Request, t *server.Token, to string) {
	http.SetCookie(w, &http.Cookie{Name: s.cookieName(), Value: s.newSession(t), Path: "/",
		MaxAge: int(sessionTime.Seconds()), HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteStrictMode})
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		to = "/problems"
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// logout ends the session in this browser.
func (s *Site) logout(v *visit) error {
	http.SetCookie(v.w, &http.Cookie{Name: s.cookieName(), Path: "/", MaxAge: -1, HttpOnly: true, Secure: s.Secure,
		SameSite: http.SameSiteStrictMode})
	http.Redirect(v.w, v.Request, "/login", http.StatusSeeOther)
	return nil
}
