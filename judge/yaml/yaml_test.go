package yaml

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainKind(t *testing.T) {
	for text, want := range map[string]Kind{
		"": Null, "~": Null, "null": Null, "NULL": Null, "nULL": String,
		"true": Bool, "False": Bool, "tRUE": String, "yes": String, "no": String, "on": String,
		"0": Int, "-0": Int, "+1": Int, "010": Int, "08": Int, "0o17": Int, "0x1F": Int, "12345678901234567890123": Int,
		"0o8": String, "-0x1": String, "1_000": String, "0b11": String, "0x": String, "+": String, "1:30": String,
		"1.0": Float, "1.": Float, ".5": Float, "-.5e-3": Float, "1e3": Float, "09.5": Float,
		".inf": Float, "-.INF": Float, "+.Inf": Float, ".nan": Float, ".NaN": Float,
		".": String, "1e": String, ".e1": String, "-.nan": String, "Infinity": String, "nan": String, "1.2.3": String,
		"2025-01-01": String, "2025-01-01T00:00:00Z": String, "2025-09": String,
	} {
		n, err := Parse("f.yaml", []byte("k: "+text+"\n"))
		if err != nil {
			t.Errorf("Parse(k: %s): %v", text, err)
			continue
		}
		if got := n.Get("k").Kind(); got != want {
			t.Errorf("Parse(k: %s) is %v, want %v", text, got, want)
		}
		if got := n.Get("k").Text(); want != Null && got != text {
			t.Errorf("Parse(k: %s).Text() = %q", text, got)
		}
	}
}

func TestFieldsKeepTheirOrder(t *testing.T) {
	n, err := Parse("f.yaml", []byte("b: 1\n\"a\": 2\n'': 3\n7: 4\n"))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range n.Fields() {
		keys = append(keys, f.Key.Text()+"="+f.Value.Text())
	}
	if diff := cmp.Diff([]string{"b=1", "a=2", "=3", "7=4"}, keys); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if n.Get("absent") != nil {
		t.Error("Get(absent) is not nil")
	}
}
