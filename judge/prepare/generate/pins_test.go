package generate

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func TestPins(t *testing.T) {
	// The output of sha256sum for an empty file and one with "1\n".
	const file = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  secret/01.ans\n" +
		"4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865  secret/01.in\n"
	want := Pins{"secret/01.in": sha256.Sum256([]byte("1\n")), "secret/01.ans": sha256.Sum256(nil)}
	for _, c := range []struct{ name, file string }{
		{"as written", file},
		{"in another order, without a final line feed", strings.Join([]string{
			strings.Split(file, "\n")[1], strings.Split(file, "\n")[0]}, "\n")},
		{"of binary files, in capitals", strings.ReplaceAll(strings.ToUpper(file[:64])+file[64:], "  ", " *")},
		{"with CRLF", strings.ReplaceAll(file, "\n", "\r\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parsePins("data.sha256", []byte(c.file))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("ParsePins: %v (-want +got):\n%s", err, diff)
			}
			if diff := cmp.Diff(file, string(got.Format())); diff != "" {
				t.Errorf("Format (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParsePinsErrors(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"a hash too short", "ab  x\n", `1:1: expected 64 hexadecimal digits, found "ab"`},
		{"a hash too long", zeros + "00  x\n", `1:1: expected 64 hexadecimal digits, found "` + zeros + `00"`},
		{"a letter in a hash", zeros + "  x\n" + zeros[1:] + "g  y\n", `2:1: expected 64 hexadecimal digits, found "` + zeros[1:] + `g"`},
		{"an empty line", zeros + "  x\n\n", `2:1: expected 64 hexadecimal digits, found ""`},
		{"no path", zeros + "\n", "1:65: expected two spaces and a path after the hash"},
		{"one space", zeros + " x\n", "1:65: expected two spaces and a path after the hash"},
		{"an empty path", zeros + "  \n", `1:67: the path "": expected a path below data/, with / between folders`},
		{"a path that climbs out", zeros + "  a/../../b\n", `1:67: the path "a/../../b": expected a path below data/, with / between folders`},
		{"an absolute path", zeros + "  /etc/passwd\n", `1:67: the path "/etc/passwd": expected a path below data/, with / between folders`},
		{"a path with a backslash", zeros + "  a\\b\n", `1:67: the path "a\\b": expected a path below data/, with / between folders`},
		{"a path twice", zeros + "  a\n" + zeros + "  b\n" + zeros + "  a\n", "3:67: a second pin of a; the first is on line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pins, err := parsePins("data.sha256", []byte(c.file))
			if err == nil {
				t.Fatalf("accepted: %v", pins)
			}
			if got := err.Error(); got != "data.sha256:"+c.want {
				t.Errorf("error\n\t%s\nwant\n\tdata.sha256:%s", got, c.want)
			}
		})
	}
}
