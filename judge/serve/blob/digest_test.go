package blob

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	hash := strings.Repeat("0af", 21) + "1"
	for _, c := range []struct {
		fact, text string
		ok         bool
	}{
		{"hash and size", hash + "-12", true},
		{"an empty blob", Of(nil).String(), true},
		{"the largest size", hash + "-9223372036854775807", true},
		{"a size that no int64 holds", hash + "-9223372036854775808", false},
		{"no size", hash, false},
		{"an empty size", hash + "-", false},
		{"a negative size", hash + "--1", false},
		{"a leading zero", hash + "-012", false},
		{"a plus", hash + "-+12", false},
		{"underscores", hash + "-1_2", false},
		{"upper case", strings.ToUpper(hash) + "-12", false},
		{"a short hash", hash[1:] + "-12", false},
		{"a path", "../../" + hash[6:] + "-12", false},
		{"a space", hash + "-12 ", false},
		{"nothing", "", false},
	} {
		d, err := Parse(c.text)
		if (err == nil) != c.ok {
			t.Errorf("%s: Parse(%q): error %v, expected one: %v", c.fact, c.text, err, !c.ok)
		}
		if c.ok && d.String() != c.text {
			t.Errorf("%s: Parse(%q).String() = %q", c.fact, c.text, d)
		}
	}
	if _, err := (Digest{}).MarshalText(); err == nil {
		t.Error("the zero digest was marshalled")
	}
	if _, err := Parse(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 300 {
		t.Errorf("a long text: error of %d bytes, expected one of at most 300", len(err.Error()))
	}
}

func TestOf(t *testing.T) {
	// The test vector of FIPS 180-4 for "abc".
	if got, expected := Of([]byte("abc")).String(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad-3"; got != expected {
		t.Errorf("Of(abc) = %s, expected %s", got, expected)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Of(nil).String())
	f.Add("../../../etc/passwd-1")
	f.Add(strings.Repeat("0", 64) + "-9223372036854775808")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		again, err := d.MarshalText()
		if err != nil || string(again) != text || len(d.Hash) != 64 || d.Size < 0 || strings.ContainsAny(text, "/\\.") {
			t.Errorf("Parse(%q) = %#v; again as text: %q, %v", text, d, again, err)
		}
	})
}
