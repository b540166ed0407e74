package api

import (
	"encoding/json"
	"testing"
	"time"
)

// What a contestant sees of a run and of a judgement is exactly this.
func TestView(t *testing.T) {
	for _, tt := range []struct{ name, run, want string }{
		{"a secret case", `{"test":2,"case":"secret/hush","verdict":"WA","why":"hush","diff":{"got":"hush"},"cpu_ns":5,"wall_ns":6,"memory_bytes":7,"exit":8,"stderr":"hush","output":"hush","images":[],"other_attempts":[{"why":"hush"}],"worker":"a","error":""}`,
			`{"case":"test 2","verdict":"WA","cpu_ns":5,"why":"","error":"","test":2}`},
		{"its message to the team", `{"test":2,"case":"secret/hush","verdict":"WA","why":"hush","diff":null,"teammessage":"too long","cpu_ns":5,"error":""}`,
			`{"case":"test 2","verdict":"WA","cpu_ns":5,"why":"","teammessage":"too long","error":"","test":2}`},
		{"a sample", `{"test":1,"case":"sample/1","verdict":"WA","why":"line 1","diff":{"got":"2"},"cpu_ns":5,"stderr":"x","error":""}`,
			`{"case":"sample/1","verdict":"WA","cpu_ns":5,"why":"line 1","diff":{"got":"2"},"error":"","test":1}`},
		{"a sample whose validator rejects", `{"test":1,"case":"sample/1","verdict":"WA","why":"hush","diff":null,"cpu_ns":5,"error":""}`,
			`{"case":"sample/1","verdict":"WA","cpu_ns":5,"why":"","error":"","test":1}`},
		{"a failure of the judge", `{"test":3,"case":"secret/3","verdict":"","why":"","diff":null,"cpu_ns":0,"error":"exit status 3: hush"}`,
			`{"case":"test 3","verdict":"","cpu_ns":0,"why":"","error":"the judge failed; the jury sees why","test":3}`},
		{"what is no run", `hush`, `{}`},
	} {
		if got := string(Outline.Run([]byte(tt.run))); got != tt.want {
			t.Errorf("%s: %s\nexpected %s", tt.name, got, tt.want)
		}
		if got := string(Whole.Run([]byte(tt.run))); got != tt.run {
			t.Errorf("%s: the jury sees %s", tt.name, got)
		}
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	record := `{"id":"sum","path":"hush","limits":{"cpu_ns":9},"cases":["sample/1","secret/hush"],"submissions":[{"name":"a.c","language":"c","expected":["hush"],"verdict":"WA","broken":"hush","error":"","skipped":"","score":null,"max_score":null,"groups":["hush"],"compile":{"exit":0,"message":"a warning","command":["hush"]},"runs":[{"case":"sample/1","verdict":"AC","cpu_ns":4,"why":"","error":""},{"case":"secret/hush","verdict":"WA","cpu_ns":5,"why":"hush","stderr":"hush","error":""}]}],"measurement":null}`
	seen := `{"id":"sum","limits":{"cpu_ns":9},"cases":["sample/1","test 2"],"submissions":[{"name":"a.c","language":"c","verdict":"WA","error":"","skipped":"","score":null,"max_score":null,"compile":{"exit":0,"message":"a warning"},"runs":[{"case":"sample/1","verdict":"AC","cpu_ns":4,"why":"","error":""},{"case":"test 2","verdict":"WA","cpu_ns":5,"why":"","error":""}]}]}`
	head := func(state, why string) string {
		return `{"id":"A","state":"` + state + `","problem":"sum","created_at":"2026-01-02T03:04:05Z","verdict":"WA",` + why
	}
	for _, tt := range []struct {
		name string
		g    Judgement
		want string
	}{
		{"ended", Judgement{State: Ended, Request: "hush", Record: json.RawMessage(record)}, head("ended", `"record":`+seen+`,"submitter":"sam"}`)},
		{"failed", Judgement{State: Ended, Error: "hush"}, head("ended", `"error":"the judge failed; the jury sees why","submitter":"sam"}`)},
		{"cancelled", Judgement{State: Cancelled, Error: "cancelled by a client"}, head("cancelled", `"error":"cancelled by a client","submitter":"sam"}`)},
		{"with a record that is none", Judgement{State: Ended, Record: json.RawMessage(`"hush"`)}, head("ended", `"submitter":"sam"}`)},
	} {
		tt.g.ID, tt.g.Problem, tt.g.Created, tt.g.Verdict, tt.g.By = "A", "sum", at, "WA", "sam"
		got, err := json.Marshal(Outline.Judgement(&tt.g))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v: %s\nexpected %s", tt.name, err, got, tt.want)
		}
		if Whole.Judgement(&tt.g) != &tt.g {
			t.Errorf("%s: the jury sees less", tt.name)
		}
	}
}
