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
	done  = "123456789456789123789123456234567891567891234891234567345678912678912345912345678"
	latin = "123456789234567891345678912456789123567891234678912345789123456891234567912345678"
	blank = "000000000000000000000000000000000000000000000000000000000000000000000000000000000"
	pair  = done + "\n" + blank + "\n"
)

// with returns grid with the digits of s from cell i on.
func with(grid string, i int, s string) string { return grid[:i] + s + grid[i+len(s):] }

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, input, want string
	}{
		{"one pair", "1\n" + pair, ""},
		{"twenty pairs", "20\n" + strings.Repeat(pair, 20), ""},
		{"nothing is blank", "1\n" + done + "\n" + done + "\n", ""},
		{"givens that have no solution", "1\n" + done + "\n" + with(with(blank, 0, "12345678"), 17, "9") + "\n", ""},

		{"empty", "", "line 1, column 1: end of input: want a number from 1 to 20"},
		{"empty line", "\n", `line 1, column 1: "": want a number from 1 to 20 without leading zeros`},
		{"no pairs", "0\n", `line 1, column 1: "0": want a number from 1 to 20 without leading zeros`},
		{"21 pairs", "21\n" + strings.Repeat(pair, 21), `line 1, column 1: "21": want a number from 1 to 20 without leading zeros`},
		{"a count beyond 64 bits", "99999999999999999999\n", `line 1, column 1: "99999999999999999999": want a number from 1 to 20 without leading zeros`},
		{"leading zero", "01\n" + pair, `line 1, column 1: "01": want a number from 1 to 20 without leading zeros`},
		{"sign", "+1\n" + pair, `line 1, column 1: '+': want a number from 1 to 20 and nothing else`},
		{"space after the count", "1 \n" + pair, `line 1, column 2: ' ': want a number from 1 to 20 and nothing else`},
		{"carriage return", "1\r\n" + pair, `line 1, column 2: '\r': want a number from 1 to 20 and nothing else`},
		{"byte-order mark", "\ufeff1\n" + pair, `line 1, column 1: byte 0xef: want a number from 1 to 20 and nothing else`},
		{"only a count", "1\n", "line 2, column 1: end of input: want 81 digits from 1 to 9"},
		{"no newline after the count", "1", "line 1, column 2: end of input: want a newline"},
		{"one grid short", "1\n" + done + "\n", "line 3, column 1: end of input: want 81 digits from 0 to 9"},
		{"no newline at the end", "1\n" + pair[:len(pair)-1], "line 3, column 82: end of input: want a newline"},
		{"one pair over", "1\n" + pair + pair, "line 4, column 1: more input after 1 pairs: want the end"},
		{"empty line at the end", "1\n" + pair + "\n", "line 4, column 1: more input after 1 pairs: want the end"},
		{"empty line between the grids", "1\n" + done + "\n\n" + blank + "\n", "line 3, column 1: end of line after 0 digits: want 81 digits from 0 to 9"},
		{"80 digits", "1\n" + done[:80] + "\n" + blank + "\n", "line 2, column 81: end of line after 80 digits: want 81 digits from 1 to 9"},
		{"82 digits", "1\n" + done + "\n" + blank + "0\n", "line 3, column 82: '0': want a newline after 81 digits"},
		{"space after a grid", "1\n" + done + " \n" + blank + "\n", "line 2, column 82: ' ': want a newline after 81 digits"},
		// What is read of them ends within the line, which the input does not.
		{"an endless count", strings.Repeat("7", maxBytes), `line 1, column 1: "77777777777777777777": want a number from 1 to 20 without leading zeros`},
		{"an endless line of spaces", strings.Repeat(" ", maxBytes), `line 1, column 1: ' ': want a number from 1 to 20 and nothing else`},
		{"an endless grid", "1\n" + strings.Repeat("7", maxBytes-2), "line 2, column 82: '7': want a newline after 81 digits"},
		{"dot for blank", "1\n" + done + "\n" + with(blank, 40, ".") + "\n", "line 3, column 41: '.': want 81 digits from 0 to 9"},
		{"a blank in the completed grid", "1\n" + with(done, 80, "0") + "\n" + blank + "\n", "line 2, column 81: '0': want 81 digits from 1 to 9"},
		{"completed: row", "1\n" + with(done, 8, "1") + "\n" + blank + "\n", "line 2, column 9: second 1 in a row, the first is in column 1: want digits that differ"},
		{"completed: column", "1\n" + strings.Repeat(done[:9], 9) + "\n" + blank + "\n", "line 2, column 10: second 1 in a column, the first is in column 1: want digits that differ"},
		{"completed: block", "1\n" + latin + "\n" + blank + "\n", "line 2, column 10: second 2 in a block, the first is in column 2: want digits that differ"},
		{"incomplete: row", "1\n" + done + "\n" + with(blank, 72, "500000005") + "\n", "line 3, column 81: second 5 in a row, the first is in column 73: want digits that differ"},
		{"incomplete: column", "1\n" + done + "\n" + with(with(blank, 4, "7"), 76, "7") + "\n", "line 3, column 77: second 7 in a column, the first is in column 5: want digits that differ"},
		{"incomplete: block", "1\n" + done + "\n" + with(with(blank, 60, "3"), 80, "3") + "\n", "line 3, column 81: second 3 in a block, the first is in column 61: want digits that differ"},
		{"the second pair counts too", "2\n" + pair + latin + "\n" + blank + "\n", "line 4, column 10: second 2 in a block, the first is in column 2: want digits that differ"},
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

// Every digit of a full grid matters: of all changes of one byte only blanking
// a cell of the incomplete grid leaves the input valid.
func TestCheckEveryByte(t *testing.T) {
	input := []byte("1\n" + done + "\n" + done + "\n")
	todo := len("1\n" + done + "\n")
	for i := range input {
		for _, b := range []byte("0123456789 \n\r.x\x00") {
			if b == input[i] {
				continue
			}
			changed := bytes.Clone(input)
			changed[i] = b
			want := b == '0' && i >= todo && i < todo+81
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
		{"invalid", "1\n", nil, 43, "line 2, column 1: end of input: want 81 digits from 1 to 9\n"},
		{"endless", "1\n" + pair + strings.Repeat("0", 1<<20), nil, 43, "line 4, column 1: more input after 1 pairs: want the end\n"},
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
