package server

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Figures in the text format of Prometheus, version 0.0.4
// (prometheus.io/docs/instrumenting/exposition_formats).

// A family is the figures with one name.
type family struct {
	name, help, kind string // kind: counter, gauge or histogram
	labels           []string

	mu     sync.Mutex
	values map[string]float64    // by the text of the labels
	spread map[string]*histogram // likewise
}

func newFamily(kind, name, help string, labels ...string) *family {
	return &family{name: name, help: help, kind: kind, labels: labels}
}

// A histogram counts values up to the bounds in seconds.
type histogram struct {
	counts [21]int64
	n      int64
	sum    float64
}

// bound returns the i-th bound of histograms: from 1 ms to about 17 minutes.
func bound(i int) float64 { return 0.001 * float64(int64(1)<<i) }

// add adds to the figure with these values of the labels.
func (f *family) add(v float64, labels ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.values == nil {
		f.values = make(map[string]float64)
	}
	f.values[f.text(labels)] += v
}

// observe adds a value to the histogram with these values of the labels.
func (f *family) observe(v float64, labels ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := f.text(labels)
	if f.spread == nil {
		f.spread = make(map[string]*histogram)
	}
	if f.spread[key] == nil {
		f.spread[key] = new(histogram)
	}
	h := f.spread[key]
	h.n, h.sum = h.n+1, h.sum+v
	for i := range h.counts {
		if v <= bound(i) {
			h.counts[i]++
		}
	}
}

// text returns labels as name="value",… with escaped values.
func (f *family) text(values []string) string {
	escaped := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = fmt.Sprintf(`%s="%s"`, f.labels[i], escaped.Replace(strings.ToValidUTF8(v, "\uFFFD")))
	}
	return strings.Join(all, ",")
}

// write writes the figures, in the order of their labels.
func (f *family) write(w *strings.Builder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.values)+len(f.spread) == 0 {
		return
	}
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
	line := func(suffix, labels string, v float64) {
		if labels != "" {
			labels = "{" + labels + "}"
		}
		fmt.Fprintf(w, "%s%s%s %s\n", f.name, suffix, labels, strconv.FormatFloat(v, 'g', -1, 64))
	}
	for _, labels := range slices.Sorted(maps.Keys(f.values)) {
		line("", labels, f.values[labels])
	}
	for _, labels := range slices.Sorted(maps.Keys(f.spread)) {
		h, prefix := f.spread[labels], labels
		if prefix != "" {
			prefix += ","
		}
		for i, n := range h.counts {
			line("_bucket", fmt.Sprintf(`%sle="%g"`, prefix, bound(i)), float64(n))
		}
		line("_bucket", prefix+`le="+Inf"`, float64(h.n))
		line("_sum", labels, h.sum)
		line("_count", labels, float64(h.n))
	}
}
