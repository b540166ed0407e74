package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// calibrationOf returns times that are slower than those of other machines by a factor.
func calibrationOf(factor float64) *api.Calibration {
	c := &api.Calibration{Programs: "1", Times: make(map[string][]float64)}
	for i, program := range []string{"arithmetic", "random memory"} {
		for n := range 11 {
			c.Times[program] = append(c.Times[program], factor*0.02*(1+float64(i))*(1+0.002*float64(n*7%11)))
		}
	}
	return c
}

// workersOf returns the workers of a server with a queue.
func workersOf(t *testing.T, q *queue.Queue) *Workers {
	t.Helper()
	k := &Workers{Key: []byte("0123456789abcdef"), Queue: q}
	if err := k.Load(); err != nil {
		t.Fatal(err)
	}
	return k
}

// newWorkers is workersOf with a queue of its own.
func newWorkers(t *testing.T) *Workers {
	t.Helper()
	return workersOf(t, stateIn(t, t.TempDir()))
}

// classesOf returns workers with a queue that register and are calibrated.
func classesOf(t *testing.T, q *queue.Queue) *Workers {
	t.Helper()
	k := workersOf(t, q)
	k.Every = 10 * time.Minute
	return k
}

// newClasses is classesOf with a queue of its own.
func newClasses(t *testing.T) *Workers {
	t.Helper()
	return classesOf(t, stateIn(t, t.TempDir()))
}

// enter registers a worker with a compiler and calibrates it.
func (k *Workers) enter(t *testing.T, name, compiler string, factor float64) *api.Placement {
	t.Helper()
	r := &api.Registration{Name: name, Slots: 2, Level: "box", CPU: "AMD EPYC 9V74", Languages: []string{NoLanguage, "cpp", "bash"}, Fingerprint: api.Fingerprint{Arch: "amd64", Compilers: map[string]api.Compiler{"cpp": {Version: compiler}}}}
	if _, err := k.Admit("", r); err != nil {
		t.Fatal(err)
	}
	return k.calibrate(t, name, factor)
}

func (k *Workers) calibrate(t *testing.T, name string, factor float64) *api.Placement {
	t.Helper()
	p, err := k.Calibrated(name, calibrationOf(factor))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Workers with equal compilers and times share a class, also after a restart of the server, and
// on one that is made from a backup.
func TestWorkersInClasses(t *testing.T) {
	q := stateIn(t, t.TempDir())
	k := classesOf(t, q)
	check := func(k *Workers, want string) {
		t.Helper()
		var got []string
		for _, c := range k.Classes() {
			got = append(got, fmt.Sprintf("%s: %s, %d slots", c.Name, strings.Join(c.Workers, " "), c.Slots))
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("classes %s: expected %s", g, want)
		}
	}
	k.enter(t, "a", "gcc 12", 1)
	k.enter(t, "b", "gcc 12", 1.01)
	if p := k.enter(t, "c", "gcc 12", 1.3); p.Class != "" || p.Next > 1 {
		t.Errorf("placement %+v of a worker that fits no class: expected none, and another calibration within a second", p)
	}
	if p := k.calibrate(t, "c", 1.3); p.Class != "epyc-2" {
		t.Errorf("placement %+v: expected class epyc-2", p)
	}
	k.enter(t, "d", "gcc 13", 1)
	want := "epyc-1: a b, 4 slots; epyc-2: c, 2 slots; epyc-3: d, 2 slots"
	check(k, want)
	if got := k.poll("b").Classes; !slices.Equal(got, []string{AnyClass, "epyc-1"}) {
		t.Errorf("the queue gives b items of %v: expected any and epyc-1", got)
	}
	restored := stateIn(t, t.TempDir())
	if err := q.Export(t.Context(), []string{WorkerBucket}, func(m *queue.Message) error { return restored.Import(t.Context(), m) }); err != nil {
		t.Fatal(err)
	}
	for _, of := range []*queue.Queue{q, restored} {
		again := classesOf(t, of)
		for name, factor := range map[string]float64{"a": 1, "b": 1, "c": 1.3, "d": 1} {
			again.calibrate(t, name, factor)
		}
		check(again, want)
	}
}

// A worker that drifts is taken out with figures, also after a restart, and comes back.
func TestDriftIsTakenOut(t *testing.T) {
	q := stateIn(t, t.TempDir())
	k := classesOf(t, q)
	k.enter(t, "a", "gcc 12", 1)
	k.enter(t, "b", "gcc 12", 1)
	k.calibrate(t, "b", 1.2)
	if p := k.calibrate(t, "b", 1.2); len(p.Out) != 1 || p.Out[0].Cause != Drift || p.Next != 60 {
		t.Fatalf("placement %+v: expected to be taken out, and a calibration after 1 minute instead of 10", p)
	}
	k = classesOf(t, q)
	for _, w := range k.List() {
		if w.Name == "b" && (len(w.Out) != 1 || !strings.HasPrefix(w.Out[0].Because, "arithmetic: 1.20 [1.18 to 1.22] of the times of its class")) {
			t.Errorf("out %+v: expected the figures", w.Out)
		}
	}
	if got := k.poll("b").Classes; len(got) != 0 {
		t.Errorf("the queue gives b items of %v: expected none", got)
	}
	var p *api.Placement
	for range 3 {
		p = k.calibrate(t, "b", 1)
	}
	if len(p.Out) != 0 || p.Class != "epyc-1" {
		t.Errorf("placement %+v after the old times: expected epyc-1", p)
	}
}

// Calibrations come from workers: each sends its own, and they are bounded.
func TestHostileCalibrations(t *testing.T) {
	s := newSiteWithWorkers(t)
	s.s.Workers.Every = time.Minute
	send := func(token, worker string, c any) (int, string) {
		status, _, answer := s.send("PUT", "/v1/workers/"+worker+"/calibration", c, "Authorization: Bearer "+token)
		return status, string(answer)
	}
	own := s.s.Workers.secret("a1", "")
	s.s.Tokens.Add("wes", "wes-0123456789abcdef", Worker)
	long := calibrationOf(1)
	long.Times["arithmetic"] = make([]float64, 1000)
	negative := calibrationOf(1)
	negative.Times["arithmetic"][3] = -1
	escape := calibrationOf(1)
	escape.Times["\x1b[2J"] = escape.Times["arithmetic"]
	for _, tt := range []struct {
		name          string
		token, worker string
		c             any
		status        int
		answer        string
	}{
		{"its own", own, "a1", calibrationOf(1), http.StatusOK, `"class":"machine-1"`},
		{"of another worker", own, "a2", calibrationOf(1), http.StatusForbidden, "the token is that of worker a1"},
		{"of an unknown worker", s.s.Workers.secret("a2", ""), "a2", calibrationOf(1), http.StatusUnauthorized, ""},
		{"of a token that registers workers", "wes-0123456789abcdef", "a1", calibrationOf(1), http.StatusForbidden, "expected the token of a worker"},
		{"without a token", "wrong", "a1", calibrationOf(1), http.StatusUnauthorized, ""},
		{"too many times", own, "a1", long, http.StatusBadRequest, "1000 times of arithmetic: expected 2 to 200"},
		{"no time", own, "a1", negative, http.StatusBadRequest, "a time of -1 s"},
		{"an escape", own, "a1", escape, http.StatusBadRequest, "expected printable text"},
		{"none", own, "a1", api.Calibration{}, http.StatusBadRequest, "a calibration of 0 programs"},
		{"another key", own, "a1", json.RawMessage(`{"class":"epyc-1"}`), http.StatusBadRequest, "unknown key"},
	} {
		if status, answer := send(tt.token, tt.worker, tt.c); status != tt.status || !strings.Contains(answer, tt.answer) {
			t.Errorf("%s: status %d, %s: expected %d, %s", tt.name, status, answer, tt.status, tt.answer)
		}
	}
}

// The judgements of a batch are of one class, also if another one gets more slots meanwhile.
func TestBatchInOneClass(t *testing.T) {
	classes := make(chan string, 10)
	s := newSite(t, func(s *Server, _ *pool) {
		s.Most = 1 // one line after the other
		s.Workers = newClasses(t)
		s.Workers.enter(t, "a", "gcc 12", 1)
	})
	batch := func(lines ...string) (used []string) {
		t.Helper()
		var in bytes.Buffer
		for _, line := range lines {
			data, _ := json.Marshal(program(line))
			in.Write(append(data, '\n'))
		}
		status, _, answer := s.send("POST", "/v1/judgements:batch", &in)
		if n := bytes.Count(answer, []byte(`"as_expected":true`)); status != 200 || n != len(lines) {
			t.Fatalf("status %d, %s: expected %d accepted", status, answer, len(lines))
		}
		for len(classes) > 0 {
			used = append(used, <-classes)
		}
		return slices.Compact(used)
	}
	s.pool.began = func(i *remote.Item) {
		if len(classes) == 0 {
			for _, name := range []string{"c", "d"} {
				s.s.Workers.enter(t, name, "gcc 13", 1)
			}
		}
		classes <- i.Class
	}
	if used := batch("cat", "cat # 2", "cat # 3"); !slices.Equal(used, []string{"epyc-1"}) {
		t.Errorf("classes %v of a batch: expected epyc-1", used)
	}
	if used := batch("cat # 4"); !slices.Equal(used, []string{"epyc-2"}) {
		t.Errorf("classes %v of the next batch: expected epyc-2, which has more slots", used)
	}
}

// Items of a class that loses its last worker fail after a time, with what to do. If a
// worker comes back before, it executes them.
func TestClassWithoutWorkers(t *testing.T) {
	f := newFloor(t)
	f.workers.Every = 10 * time.Minute
	f.audit.Share = 0
	f.workers.enter(t, "w0", "gcc 12", 1)
	fakeWorker(t, f.workers, "w0", [2]string{"AC", "WA"})
	do := func() error { return f.inClass("epyc-1") }
	takeOut := func() {
		t.Helper()
		if err := f.workers.TakeOut("w0", api.Removed, "a test"); err != nil {
			t.Fatal(err)
		}
	}
	if err := do(); err != nil {
		t.Fatalf("an item of a class with a worker: %v", err)
	}

	f.workers.Absence = time.Hour
	takeOut()
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	for { // until the item waits
		if s, err := f.pool.Queue.Stats(t.Context()); err != nil || s.Depth == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := f.workers.Restore("w0"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("an item of a class whose worker comes back: %v", err)
	}

	f.workers.Absence = 100 * time.Millisecond
	takeOut()
	if err := do(); err == nil || !strings.Contains(err.Error(), `class "epyc-1" has had no worker that gets work items for 100ms: start one`) {
		t.Errorf("an item of a class without workers: %v, expected an error that names the class", err)
	}
	until(t, "an empty queue", func() bool {
		s, err := f.pool.Queue.Stats(t.Context())
		return err == nil && s.Depth == 0
	})
}

// The metrics have figures of each class, of a bounded number.
func TestClassMetrics(t *testing.T) {
	f := newFloor(t)
	f.workers.Every = 10 * time.Minute
	metrics := func() string {
		w := httptest.NewRecorder()
		NewMetrics(f.pool).Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		return w.Body.String()
	}
	f.workers.enter(t, "a", "gcc 1", 1)
	for i := range mostClasses + 2 {
		f.workers.enter(t, fmt.Sprint("w", i), fmt.Sprint("gcc ", i), 1)
	}
	text := metrics()
	for _, want := range []string{`crucible_class_workers{class="epyc-1"} 2`, `crucible_class_slots{class="epyc-1"} 4`, `crucible_class_workers{class="other"} 2`, `crucible_class_slots{class="other"} 4`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("metrics %s: expected %s", text, want)
		}
	}
	if n := strings.Count(text, "\ncrucible_class_slots{"); n != mostClasses+1 {
		t.Errorf("figures of %d classes: expected %d", n, mostClasses+1)
	}
}

func TestChoose(t *testing.T) {
	all := []api.Class{
		{Name: "small", Slots: 2, Languages: []string{"cpp", "kotlin"}},
		{Name: "large", Slots: 8, Languages: []string{"cpp"}},
	}
	for _, tt := range []struct {
		languages []string
		class     string
		lacks     int
	}{
		{nil, "large", 0}, {[]string{"cpp"}, "large", 0}, {[]string{"cpp", "kotlin"}, "small", 0}, {[]string{"cpp", "cobol"}, "large", 1}, {[]string{"cobol"}, "large", 1},
	} {
		if c, lacks := api.Choose(all, tt.languages); c.Name != tt.class || len(lacks) != tt.lacks {
			t.Errorf("Choose(%v) = %s, lacks %v; expected %s, %d languages", tt.languages, c.Name, lacks, tt.class, tt.lacks)
		}
	}
	if c, _ := api.Choose(nil, nil); c != nil {
		t.Errorf("Choose of no classes = %v, expected nil", c)
	}
}

// One token that registers many workers does not keep those that are known from being used.
func TestManyRegistrations(t *testing.T) {
	q, err := queue.Start(t.Context(), queue.Options{Dir: t.TempDir(), Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	k := classesOf(t, q)
	k.enter(t, "honest", "gcc 12", 1)
	large := &api.Registration{Slots: 1}
	for i := range 100 {
		large.Languages = append(large.Languages, strings.Repeat("x", 297)+fmt.Sprint(100+i))
	}
	for i := 0; err == nil; i++ {
		if i > 100 {
			t.Fatal("100 workers of 30 KB are accepted: expected that the bucket of 1 MiB does not take them")
		}
		large.Name = fmt.Sprint("large", i)
		_, err = k.Admit("wes", large)
	}
	if p, is := errors.AsType[*blob.Problem](err); !is || p.Status != http.StatusInsufficientStorage {
		t.Errorf("%v: expected status 507", err)
	}
	for range 20 {
		if p := k.enter(t, "honest", "gcc 13", 1); p.Class == "" {
			t.Errorf("%+v: expected a class", p)
		}
	}
	if err := k.TakeOut("honest", api.Removed, "as a test"); err != nil {
		t.Error(err)
	}
	large.Languages = append(large.Languages, large.Languages...)
	if _, err := k.Admit("wes", large); err == nil || !strings.Contains(err.Error(), "expected at most 32768") {
		t.Errorf("60 KB of texts: %v: expected why they are refused", err)
	}
}
