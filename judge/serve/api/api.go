// Package api has the values that clients and servers of the HTTP interface exchange.
//
// The JSON keys are public. Errors are problem details, see [blob.Problem].
package api

import (
	"encoding/json"
	"time"

	"crucible/judge/serve/blob"
)

// A Problem is a problem that a server can judge.
type Problem struct {
	ID string `json:"id"` // base name of its folder or zip
	// Of the zip, if a client sent it: requests then name the problem by the digest.
	Digest    string            `json:"digest,omitempty"`
	Names     map[string]string `json:"names,omitempty"`      // by language code
	Types     []string          `json:"types,omitempty"`      // "pass-fail", "scoring", "interactive" …
	Languages []string          `json:"languages,omitempty"`  // codes of those allowed; none means all
	TimeLimit float64           `json:"time_limit,omitempty"` // seconds of CPU; 0 if the first judgement infers it
	Memory    int64             `json:"memory_bytes,omitempty"`
	Cases     []string          `json:"cases,omitempty"`   // names, in order
	Samples   []string          `json:"samples,omitempty"` // those shown to contestants
	// In a cluster, of a package that was just sent: on how many servers its files are, at
	// least; 2 is enough.
	Copies int `json:"copies,omitempty"`
}

// Which cases a [Request] is judged on.
const (
	AllCases    = "all"
	SampleCases = "samples"
)

// A Request asks for the judgement of a program. Files, Own, Output, Images, Limits and a Case
// that is no sample are for the jury of the problem.
type Request struct {
	ID string `json:"id,omitempty"` // of a line of a batch, chosen by the client; up to 200 bytes
	// Of a line of a batch: as the header Idempotency-Key of other requests; up to 200 bytes.
	Key     string `json:"key,omitempty"`
	Problem string `json:"problem"` // id, or digest of the zip that was sent
	// Code, see judge languages; "" means that the names of the sources identify it.
	Language string            `json:"language,omitempty"`
	Sources  map[string]string `json:"sources,omitempty"` // text by file name; at most 100 files and 1 MiB
	Files    map[string]string `json:"files,omitempty"`   // instead: digests of blobs by file name
	// Instead: name of a submission of the package, such as "accepted/dlx.go"; its author's
	// expectations then count.
	Own    string  `json:"submission,omitempty"`
	Cases  string  `json:"cases,omitempty"`  // "all", the default, or "samples"
	Case   string  `json:"case,omitempty"`   // instead of cases: the name of one, such as "secret/01"
	Output bool    `json:"output,omitempty"` // the runs have the start of their output, and the log of an interaction
	Images bool    `json:"images,omitempty"` // the runs have the pictures of the output visualizer; only with case
	All    bool    `json:"all,omitempty"`    // run all cases, even if the result is already known
	Limits *Limits `json:"limits,omitempty"` // replace those of the problem
	// The machine class of the workers; "" means the one with the most slots, "any" all.
	Class string `json:"class,omitempty"`
	// Orders the judgements of one token that wait, from -10 to 10: the highest goes first.
	Priority int `json:"priority,omitempty"`
	// Seconds to wait for the result, up to 60; 0 answers at once. Batches ignore it.
	Wait float64 `json:"wait_s,omitempty"`
}

// Limits replace limits of a problem. A field of 0 replaces nothing.
type Limits struct {
	TimeLimit float64 `json:"time_limit,omitempty"` // seconds of CPU, up to 600
}

// A State is how far a judgement is.
type State string

const (
	Queued    State = "queued"
	Running   State = "running"
	Ended     State = "ended"
	Cancelled State = "cancelled" // by a client, or by the end of the server
)

// A Judgement is what a [Request] came to.
type Judgement struct {
	ID       string     `json:"id"`
	State    State      `json:"state"`
	Problem  string     `json:"problem"`            // as in the request
	Language string     `json:"language,omitempty"` // code
	Created  time.Time  `json:"created_at"`
	Ended    *time.Time `json:"ended_at,omitempty"` // missing until it has ended
	Verdict  string     `json:"verdict,omitempty"`  // AC WA TLE MLE OLE RTE CE; "" if there is none, or not yet
	Score    *float64   `json:"score,omitempty"`    // of scoring problems
	// Why there is no verdict: the failure of the judge, or of the package.
	Error string `json:"error,omitempty"`
	// The problem of a document of schema 1 with this submission: see judge help servers.
	Record json.RawMessage `json:"record,omitempty"`
	// SHA-256 of the request, which an idempotency key may name only once.
	Request string `json:"request,omitempty"`
	By      string `json:"submitter,omitempty"` // name of the token
	// How often it was begun again: the server ended while it was under way, or a worker that
	// made its runs was taken out, as its results differ from those of others.
	Restarts int `json:"restarts,omitempty"`
	// In a cluster, of a package or sources that were sent as files: on how many servers the
	// files were when the judgement was accepted, at least. With 1, they are lost with that one.
	Copies int `json:"copies,omitempty"`
}

// KeptFiles is what the runs of a judgement have besides the keys of records, files if the
// request asks for them.
type KeptFiles struct {
	Test    int     `json:"test,omitempty"`    // its number among the cases of the judgement, from 1
	Output  *string `json:"output,omitempty"`  // the start of the standard output
	Images  []Image `json:"images,omitempty"`  // pictures of the output visualizer
	Undrawn string  `json:"undrawn,omitempty"` // why the output visualizer failed
}

// An Image is a picture that a program of a package made. It is untrusted.
type Image struct {
	Name string `json:"name"` // "teamimage-01.svg"
	Data []byte `json:"data"` // in base64
}

// A BatchLine is one line of the answer to a batch: a judgement or an error.
type BatchLine struct {
	ID        string        `json:"id"` // of the request's line
	Judgement *Judgement    `json:"judgement,omitempty"`
	Error     *blob.Problem `json:"error,omitempty"`
}

// An Execution asks for one run of a program, without a problem.
type Execution struct {
	Language string            `json:"language,omitempty"` // as in [Request]
	Sources  map[string]string `json:"sources"`            // text by file name; at most 100 files and 1 MiB
	Stdin    string            `json:"stdin,omitempty"`    // up to 4 MiB
	// The expected output, which the default checker compares; null compares nothing.
	Answer *string `json:"answer,omitempty"`
	Time   float64 `json:"time_limit,omitempty"` // seconds of CPU, up to 600; 0 means 2
	Memory int     `json:"memory_mib,omitempty"` // up to 65,536; 0 means 512
	Output int     `json:"output_mib,omitempty"` // up to 1,024; 0 means 8
	Class  string  `json:"class,omitempty"`      // as in [Request]
}

// An Executed is the result of an [Execution].
type Executed struct {
	// TLE MLE OLE RTE CE; with an answer also AC or WA; "" if the program ended normally.
	Verdict     string   `json:"verdict,omitempty"`
	Why         string   `json:"why,omitempty"` // the reason of the verdict
	Compile     Compile  `json:"compile"`
	Outcome     *Outcome `json:"outcome,omitempty"` // null if the program did not run
	Stdout      string   `json:"stdout"`            // the start, at most 64 KiB
	StdoutCut   bool     `json:"stdout_cut"`        // stdout is not all of it
	Stderr      string   `json:"stderr"`            // the start and the end
	Worker      string   `json:"worker,omitempty"`  // which made the run
	Class       string   `json:"class,omitempty"`   // its machine class
	Sandbox     string   `json:"sandbox,omitempty"` // level of its sandbox
	Unsupported string   `json:"skipped,omitempty"` // why it cannot run here, such as a missing compiler
}

// A Compile is the result of a compiler.
type Compile struct {
	Rejected bool   `json:"rejected"`
	Message  string `json:"message,omitempty"` // what the compiler wrote
}

// An Outcome has the facts of a run.
type Outcome struct {
	CPU      int64  `json:"cpu_ns"`
	Wall     int64  `json:"wall_ns"`
	Memory   int64  `json:"memory_bytes"`
	Output   int64  `json:"output_bytes"` // written to standard output and standard error
	Exit     int    `json:"exit"`         // -1 if a signal ended the program
	Signal   string `json:"signal,omitempty"`
	Exceeded string `json:"exceeded,omitempty"` // the limit that was exceeded first: "cpu", "wall", "memory" …
}
