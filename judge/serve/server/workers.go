package server

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// register admits a worker.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var given api.Registration
	data, err := s.readBody(r, 1<<20)
	if err == nil { // unknown keys are of another version, which has an error of its own
		err = parse(data, &given, json.RejectUnknownMembers(false))
	}
	if err != nil {
		blob.WriteError(w, http.StatusBadRequest, err)
		return
	}
	if given.Judge != s.Judge {
		blob.NewProblem(http.StatusConflict, "worker %s is version %q of the judge: expected %q, as the server", given.Name,
			given.Judge, s.Judge).Write(w)
		return
	}
	if given.Slots < 1 || given.Slots > queue.MaxSlots {
		blob.NewProblem(http.StatusBadRequest, "worker %s has %d slots: expected 1 to %d", given.Name, given.Slots,
			queue.MaxSlots).Write(w)
		return
	}
	token, err := s.Workers.Admit(tokenOf(r).Name, &given)
	if err != nil {
		blob.WriteError(w, http.StatusInternalServerError, err)
		return
	}
	s.Log.Info("a worker has registered", "worker", given.Name, "slots", given.Slots, "level", given.Level)
	writeJSON(w, http.StatusOK, &api.Admission{Token: token, Calibrate: s.Workers.Every > 0})
}

// workers answers with the workers.
func (s *Server) workers(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, s.ListWorkers(tokenOf(r)))
}

// removeWorker takes a worker out.
func (s *Server) removeWorker(w http.ResponseWriter, r *http.Request) {
	var given api.Removal
	name := r.PathValue("worker")
	err := s.decode(r, &given)
	if err == nil && (len(given.Because) > maxReason || strings.ContainsFunc(given.Because,
		func(c rune) bool { return !unicode.IsPrint(c) })) {
		err = blob.NewProblem(http.StatusUnprocessableEntity, "because: expected printable text of at most %d bytes",
			maxReason)
	}
	because := "removed by " + tokenOf(r).Name
	if given.Because != "" {
		because += ": " + given.Because
	}
	s.changeWorker(w, r, err, because, func() error { return s.Workers.TakeOut(name, api.Removed, because) })
}

// restoreWorker puts a worker back.
func (s *Server) restoreWorker(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("worker")
	s.changeWorker(w, r, nil, "restored by "+tokenOf(r).Name, func() error { return s.Workers.Restore(name) })
}

// maxReason is the size in bytes of the reason of an administrator.
const maxReason = 200

// changeWorker changes the worker of a request and answers with it.
func (s *Server) changeWorker(w http.ResponseWriter, r *http.Request, err error, what string, change func() error) {
	name := r.PathValue("worker")
	known := func() *api.Worker {
		all := s.Workers.List()
		if i := slices.IndexFunc(all, func(w api.Worker) bool { return w.Name == name }); i >= 0 {
			return &all[i]
		}
		return nil
	}
	if err == nil && known() == nil {
		err = blob.NewProblem(http.StatusNotFound, "worker %q: there is no worker of that name: judge workers lists them",
			name)
	}
	if err == nil {
		err = change()
	}
	if err != nil {
		blob.WriteError(w, http.StatusInternalServerError, err)
		return
	}
	s.Log.Warn("an administrator changes a worker", "worker", name, "change", what)
	writeJSON(w, http.StatusOK, known())
}

// calibration takes a calibration of a worker.
func (s *Server) calibration(w http.ResponseWriter, r *http.Request, name string) {
	var given api.Calibration
	if err := s.decode(r, &given); err != nil {
		refuse(w, err)
		return
	}
	placed, err := s.Workers.Calibrated(name, &given)
	if err != nil {
		refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, placed)
}
