//go:build linux

package main

import (
	"bufio"
	"strings"
	"testing"
)

func TestReadOperation(t *testing.T) {
	all := []struct {
		text    string
		message bool
	}{
		{"INFO {}\r\n", false}, {"PUB a.b 5\r\nPING\n\r\n", true}, {"PING\r\n", false}, {"HMSG a 1 reply 12 14\r\nNATS/1.0\r\n\r\nab\r\n", true}, {"MSG a 1 0\r\n\r\n", true}, {"\r\n", false},
	}
	var stream strings.Builder
	for _, one := range all {
		stream.WriteString(one.text)
	}
	in := bufio.NewReader(strings.NewReader(stream.String()))
	for _, one := range all {
		if data, message, err := readOperation(in); err != nil || string(data) != one.text || message != one.message {
			t.Errorf("found %q, %v, %v: expected %q, %v", data, message, err, one.text, one.message)
		}
	}
	if _, _, err := readOperation(bufio.NewReader(strings.NewReader("PUB a -1\r\n"))); err == nil {
		t.Error("a size of -1 is accepted")
	}
}
