package page

import (
	"log/slog"
	"net/http"

	"crucible/judge/serve/blob"
)

// Handler returns the handler of all pages.
func (s *Site) Handler() http.Handler {
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.counted, s.owners, s.delegations.all = make(map[string]countedRun), make(map[string]*run),
		make(map[string]*delegation)
	mux := http.NewServeMux()
	for pattern, page := range s.routes() {
		mux.Handle(pattern, page)
	}
	return s.guarded(mux)
}

// routes returns the pages by their patterns, as [http.ServeMux] has them.
func (s *Site) routes() map[string]http.Handler {
	all := map[string]http.Handler{
		"GET /login":         http.HandlerFunc(s.login),
		"POST /login":        http.HandlerFunc(s.enter),
		"GET /assets/{name}": http.HandlerFunc(serveAsset),
		"/": s.visited(func(v *visit) error {
			return blob.NewProblem(http.StatusNotFound, "there is no page %.200q", v.URL.Path)
		}),
	}
	for pattern, do := range map[string]func(*visit) error{
		"GET /{$}":                                      redirect("/problems"),
		"POST /logout":                                  s.logout,
		"GET /problems":                                 s.problems,
		"GET /problems/{problem}":                       s.statement,
		"GET /problems/{problem}/cases":                 s.cases,
		"GET /problems/{problem}/cases/{case...}":       s.oneCase,
		"GET /problems/{problem}/files/{file...}":       s.file,
		"GET /problems/{problem}/pictures/{picture...}": s.casePicture,
		"GET /problems/{problem}/submissions":           s.submissions,
		"GET /problems/{problem}/submissions/{name...}": s.source,
		"GET /problems/{problem}/validators":            s.validators,
		"GET /problems/{problem}/history":               s.problemHistory,
		"GET /problems/{problem}/submit":                s.submitForm,
		"GET /runs":                                     s.runs,
		"POST /runs":                                    s.submitted,
		"GET /runs/{run}":                               s.run,
		"GET /runs/{run}/events":                        s.events,
		"GET /runs/{run}/report":                        s.report,
		"POST /runs/{run}/cancel":                       s.cancel,
		"POST /runs/{run}/again":                        s.again,
		"GET /runs/{run}/{row}":                         s.row,
		"GET /runs/{run}/{row}/{case}":                  s.cell,
		"GET /runs/{run}/{row}/{case}/{picture}":        s.cellPicture,
		"POST /runs/{run}/{row}/{case}":                 s.cellAgain,
		"GET /compare":                                  s.compare,
		"GET /history":                                  redirect("/runs"),
		"GET /history/compare":                          s.compareCalls,
		"GET /history/{call}":                           s.call,
		"GET /workers":                                  s.workers,
		"GET /queue":                                    s.queue,
		"POST /queue/{judgement}/cancel":                s.dequeue,
	} {
		all[pattern] = s.visited(do)
	}
	return all
}

func redirect(to string) func(*visit) error {
	return func(v *visit) error {
		http.Redirect(v.w, v.Request, to, http.StatusSeeOther)
		return nil
	}
}
