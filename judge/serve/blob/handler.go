package blob

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"syscall"
	"time"
)

// Limits of the HTTP interface.
const (
	MaxBatch = 10_000  // digests in a request for those that are missing
	maxBatch = 2 << 20 // bytes of such a request
)

// Options are the settings of [Handler].
type Options struct {
	MaxBytes int64 // of a blob that is put; 0 means 1 GiB

	// Allowed returns an error, sent with status 403 unless it is a [*Problem], if a
	// request may not read the blob d, or write it. To ask whether a blob is missing, a
	// request must be allowed to read or to write it. Nil allows all.
	Allowed func(r *http.Request, d Digest, write bool) error

	// Fetch is called when a request, which is allowed, asks for a blob that the store does not
	// have, and may put it there. Its error is the answer. Nil does nothing.
	Fetch func(r *http.Request, d Digest) error

	pace time.Duration // in place of a minute, for tests
}

// Handler serves a store:
//
//	GET, HEAD /v1/blobs/{digest}  the bytes, with ranges; 404 if missing
//	PUT /v1/blobs/{digest}        201, or 200 if the store had it; with If-None-Match: *, 412
//	                              if the store had it; 422 if the bytes have another digest;
//	                              413 if it is too large; 507 if the store or the disk is full
//	POST /v1/blobs:missing        a JSON list of at most 10,000 digests; the response lists
//	                              those that the store does not have
//
// A client that takes more than a minute for a MiB is disconnected, so that clients that
// stop reading or sending hold no files open.
//
// A digest is in its text form, HASH-SIZE. Errors are problem details ([Problem]).
func Handler(s *Store, o Options) http.Handler {
	h := &handler{s, o}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/blobs/{digest}", h.get)
	mux.HandleFunc("PUT /v1/blobs/{digest}", h.put)
	mux.HandleFunc("POST /v1/blobs:missing", h.missing)
	mux.HandleFunc("/v1/blobs/{digest}", refuse("GET, HEAD, PUT"))
	mux.HandleFunc("/v1/blobs:missing", refuse("POST"))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		NewProblem(http.StatusNotFound, "%q: expected /v1/blobs/DIGEST or /v1/blobs:missing", r.URL.Path).Write(w)
	})
	return mux
}

type handler struct {
	store *Store
	Options
}

// refuse answers requests with other methods than those allowed.
func refuse(allowed string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allowed)
		NewProblem(http.StatusMethodNotAllowed, "%s: expected %s", r.Method, allowed).Write(w)
	}
}

// digest returns the digest in the path of a request that is allowed. If there is none,
// it has sent the response.
func (h *handler) digest(w http.ResponseWriter, r *http.Request, write bool) (d Digest, ok bool) {
	d, err := Parse(r.PathValue("digest"))
	if err != nil {
		WriteError(w, http.StatusBadRequest, err)
		return d, false
	}
	if h.Allowed != nil {
		if err := h.Allowed(r, d, write); err != nil {
			WriteError(w, http.StatusForbidden, err)
			return d, false
		}
	}
	return d, true
}

func (h *handler) get(w http.ResponseWriter, r *http.Request) {
	d, ok := h.digest(w, r, false)
	if !ok {
		return
	}
	f, err := h.store.Open(d)
	if errors.Is(err, fs.ErrNotExist) && h.Fetch != nil {
		if err = h.Fetch(r, d); err == nil {
			f, err = h.store.Open(d)
		}
	}
	if err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, fs.ErrNotExist) {
			status = http.StatusNotFound
			err = fmt.Errorf("blob %s: not in this store", d)
		}
		WriteError(w, status, err)
		return
	}
	defer f.Close()
	header := w.Header()
	header.Set("ETag", `"`+d.String()+`"`)
	header.Set("Cache-Control", "private, max-age=31536000, immutable")
	// A browser must not run what a stranger stored.
	header.Set("Content-Type", "application/octet-stream")
	header.Set("X-Content-Type-Options", "nosniff")
	control := http.NewResponseController(w)
	http.ServeContent(&pacedWriter{w, pace{control.SetWriteDeadline, h.pace, 0}}, r, "", time.Time{}, f)
}

func (h *handler) put(w http.ResponseWriter, r *http.Request) {
	d, ok := h.digest(w, r, true)
	if !ok {
		return
	}
	if most := cmp.Or(h.MaxBytes, 1<<30); d.Size > most {
		NewProblem(http.StatusRequestEntityTooLarge, "blob %s: expected at most %d bytes", d, most).Write(w)
		return
	}
	if r.ContentLength >= 0 && r.ContentLength != d.Size {
		NewProblem(http.StatusUnprocessableEntity, "blob %s: found %d bytes", d, r.ContentLength).Write(w)
		return
	}
	if h.store.Has(d) {
		if r.Header.Get("If-None-Match") == "*" {
			NewProblem(http.StatusPreconditionFailed, "blob %s: is in the store", d).Write(w)
			return
		}
		w.WriteHeader(http.StatusOK)
		return
	}
	control := http.NewResponseController(w)
	body := &pacedReader{r.Body, pace{control.SetReadDeadline, h.pace, 0}}
	if err := h.store.PutDigest(r.Context(), d, body); err != nil {
		WriteError(w, statusOfPut(err), err)
		return
	}
	w.Header().Set("Location", r.URL.Path)
	w.WriteHeader(http.StatusCreated)
}

// statusOfPut returns the status for an error of PutDigest.
func statusOfPut(err error) int {
	switch {
	case errors.As(err, new(*MismatchError)):
		return http.StatusUnprocessableEntity
	case errors.Is(err, ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return http.StatusInsufficientStorage
	case errors.Is(err, io.ErrUnexpectedEOF):
		return http.StatusBadRequest
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusInternalServerError
}

func (h *handler) missing(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBatch))
	if err != nil {
		status := http.StatusBadRequest
		if errors.As(err, new(*http.MaxBytesError)) {
			status = http.StatusRequestEntityTooLarge
		}
		WriteError(w, status, err)
		return
	}
	var digests []Digest
	if err := json.Unmarshal(body, &digests); err != nil {
		NewProblem(http.StatusBadRequest, "expected a JSON list of digests: %v", err).Write(w)
		return
	}
	if len(digests) > MaxBatch {
		NewProblem(http.StatusRequestEntityTooLarge, "found %d digests, expected at most %d", len(digests), MaxBatch).Write(w)
		return
	}
	for _, d := range digests {
		if h.Allowed == nil || h.Allowed(r, d, true) == nil {
			continue
		}
		if err := h.Allowed(r, d, false); err != nil {
			WriteError(w, http.StatusForbidden, err)
			return
		}
	}
	var response bytes.Buffer
	if err := json.NewEncoder(&response).Encode(append([]Digest{}, h.store.Missing(digests)...)); err != nil {
		WriteError(w, http.StatusBadRequest, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(response.Bytes())
}
