package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	done      = "123456789456789123789123456234567891567891234891234567345678912678912345912345678"
	latin     = "123456789234567891345678912456789123567891234678912345789123456891234567912345678"
	blank     = "000000000000000000000000000000000000000000000000000000000000000000000000000000000"
	blankLine = "\n"
)

// rows lays a grid of 81 digits out in nine lines.
func rows(grid string) string {
	var b strings.Builder
	for i := 0; i < len(grid); i += 9 {
		b.WriteString(grid[i:min(i+9, len(grid))] + "\n")
	}
	return b.String()
}

var pair = rows(done) + rows(blank)

// many returns n pairs with a blank line between each two.
func many(n int) string { return strings.Repeat(pair+blankLine, n-1) + pair }

// with returns grid with the digits of s from cell i on.
func with(grid string, i int, s string) string { return grid[:i] + s + grid[i+len(s):] }

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, input, want string
	}{
		{"one pair", "1\n" + pair, ""},
		{"two pairs", "2\n" + pair + "\n" + pair, ""},
		{"twenty pairs", "20\n" + many(20), ""},
		{"nothing is blank", "1\n" + rows(done) + rows(done), ""},
		{"givens that have no solution", "1\n" + rows(done) + rows(with(with(blank, 0, "12345678"), 17, "9")), ""},

		{"empty", "", "line 1, column 1: end of input: want a number from 1 to 20"},
		{"empty line", "\n", `line 1, column 1: "": want a number from 1 to 20 without leading zeros`},
		{"no pairs", "0\n", `line 1, column 1: "0": want a number from 1 to 20 without leading zeros`},
		{"21 pairs", "21\n" + many(21), `line 1, column 1: "21": want a number from 1 to 20 without leading zeros`},
		{"a count beyond 64 bits", "99999999999999999999\n", `line 1, column 1: "99999999999999999999": want a number from 1 to 20 without leading zeros`},
		{"leading zero", "01\n" + pair, `line 1, column 1: "01": want a number from 1 to 20 without leading zeros`},
		{"sign", "+1\n" + pair, `line 1, column 1: '+': want a number from 1 to 20 and nothing else`},
		{"space after the count", "1 \n" + pair, `line 1, column 2: ' ': want a number from 1 to 20 and nothing else`},
		{"carriage return", "1\r\n" + pair, `line 1, column 2: '\r': want a number from 1 to 20 and nothing else`},
		{"byte-order mark", "\ufeff1\n" + pair, `line 1, column 1: byte 0xef: want a number from 1 to 20 and nothing else`},
		{"only a count", "1\n", "line 2, column 1: end of input: want 9 digits from 1 to 9"},
		{"no newline after the count", "1", "line 1, column 2: end of input: want a newline"},
		{"one grid short", "1\n" + rows(done), "line 11, column 1: end of input: want 9 digits from 0 to 9"},
		{"one row short", "1\n" + pair[:170], "line 19, column 1: end of input: want 9 digits from 0 to 9"},
		{"no newline at the end", "1\n" + pair[:len(pair)-1], "line 19, column 10: end of input: want a newline"},
		{"one pair over", "1\n" + pair + "\n" + pair, "line 20, column 1: more input after 1 pairs: want the end"},
		{"blank line at the end", "1\n" + pair + "\n", "line 20, column 1: more input after 1 pairs: want the end"},
		{"blank line after the count", "1\n\n" + pair, "line 2, column 1: end of line after 0 digits: want 9 digits from 1 to 9"},
		{"blank line within a pair", "1\n" + rows(done) + "\n" + rows(blank), "line 11, column 1: end of line after 0 digits: want 9 digits from 0 to 9"},
		{"no blank line between pairs", "2\n" + pair + pair, "line 20, column 1: '1': want a blank line between pairs"},
		{"two blank lines between pairs", "2\n" + pair + "\n\n" + pair, "line 21, column 1: end of line after 0 digits: want 9 digits from 1 to 9"},
		{"a space between pairs", "2\n" + pair + " \n" + pair, "line 20, column 1: ' ': want a blank line between pairs"},
		{"the end between pairs", "2\n" + pair, "line 20, column 1: end of input: want a blank line between pairs"},
		{"a grid in one line", "1\n" + done + "\n" + blank + "\n", "line 2, column 10: '4': want a newline after 9 digits"},
		{"a row of 8 digits", "1\n" + rows(done)[:88] + "\n" + rows(blank), "line 10, column 9: end of line after 8 digits: want 9 digits from 1 to 9"},
		{"a row of 10 digits", "1\n" + rows(done) + "0" + rows(blank), "line 11, column 10: '0': want a newline after 9 digits"},
		{"space after a row", "1\n" + done[:9] + " \n" + pair[10:], "line 2, column 10: ' ': want a newline after 9 digits"},
		// What is read of them ends within the line, which the input does not.
		{"an endless count", strings.Repeat("7", maxBytes), `line 1, column 1: "77777777777777777777": want a number from 1 to 20 without leading zeros`},
		{"an endless line of spaces", strings.Repeat(" ", maxBytes), `line 1, column 1: ' ': want a number from 1 to 20 and nothing else`},
		{"an endless row", "1\n" + strings.Repeat("7", maxBytes-2), "line 2, column 10: '7': want a newline after 9 digits"},
		{"dot for blank", "1\n" + rows(done) + rows(with(blank, 40, ".")), "line 15, column 5: '.': want 9 digits from 0 to 9"},
		{"a blank in the completed grid", "1\n" + rows(with(done, 80, "0")) + rows(blank), "line 10, column 9: '0': want 9 digits from 1 to 9"},
		{"completed: row", "1\n" + rows(with(done, 8, "1")) + rows(blank), "line 2, column 9: second 1 in a row, the first is in line 2, column 1: want digits that differ"},
		{"completed: column", "1\n" + rows(strings.Repeat(done[:9], 9)) + rows(blank), "line 3, column 1: second 1 in a column, the first is in line 2, column 1: want digits that differ"},
		{"completed: block", "1\n" + rows(latin) + rows(blank), "line 3, column 1: second 2 in a block, the first is in line 2, column 2: want digits that differ"},
		{"incomplete: row", "1\n" + rows(done) + rows(with(blank, 72, "500000005")), "line 19, column 9: second 5 in a row, the first is in line 19, column 1: want digits that differ"},
		{"incomplete: column", "1\n" + rows(done) + rows(with(with(blank, 4, "7"), 76, "7")), "line 19, column 5: second 7 in a column, the first is in line 11, column 5: want digits that differ"},
		{"incomplete: block", "1\n" + rows(done) + rows(with(with(blank, 60, "3"), 80, "3")), "line 19, column 9: second 3 in a block, the first is in line 17, column 7: want digits that differ"},
		{"the second pair counts too", "2\n" + pair + "\n" + rows(latin) + rows(blank), "line 22, column 1: second 2 in a block, the first is in line 21, column 2: want digits that differ"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := check([]byte(tt.input)); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("check(%q) = %q, want %q", tt.input, got, tt.want)
			}
		})
	}
}

// Every byte matters: of all changes of one byte only blanking a cell of the
// incomplete grid leaves the input valid.
func TestCheckEveryByte(t *testing.T) {
	input := []byte("1\n" + rows(done) + rows(done))
	todo := len("1\n" + rows(done))
	for i := range input {
		for _, b := range []byte("0123456789 \n\r.x\x00") {
			if b == input[i] {
				continue
			}
			changed := bytes.Clone(input)
			changed[i] = b
			want := b == '0' && i >= todo && input[i] != '\n'
			if err := check(changed); (err == nil) != want {
				t.Errorf("byte %d is %q: check = %v, want valid: %t", i, b, err, want)
			}
		}
	}
}

// TestMain lets the test binary stand in for the command.
func TestMain(m *testing.M) {
	if os.Getenv("FORMAT_TEST_MAIN") == "1" {
		main()
	}
	os.Exit(m.Run())
}

func TestExitStatus(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, input string
		args        []string
		status      int
		message     string
	}{
		{"valid", "1\n" + pair, nil, 42, ""},
		{"invalid", "1\n", nil, 43, "line 2, column 1: end of input: want 9 digits from 1 to 9\n"},
		{"endless", "1\n" + pair + strings.Repeat("0", 1<<20), nil, 43, "line 20, column 1: more input after 1 pairs: want the end\n"},
		{"arguments", "1\n" + pair, []string{"strict"}, 2, "unknown argument \"strict\": want none\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr strings.Builder
			cmd := exec.Command(self, tt.args...)
			cmd.Env = append(os.Environ(), "FORMAT_TEST_MAIN=1")
			cmd.Stdin = strings.NewReader(tt.input)
			cmd.Stderr = &stderr
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) {
				t.Fatalf("run: %v, want exit status %d", err, tt.status)
			}
			if got := exit.ExitCode(); got != tt.status || stderr.String() != tt.message {
				t.Errorf("exit status %d, message %q; want %d, %q", got, stderr.String(), tt.status, tt.message)
			}
		})
	}
}
