package terminal

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	tests := []struct {
		given time.Duration
		want  string
	}{
		{0, "0 ms"},
		{-1, "0 ms"},
		{400 * time.Microsecond, "0.4 ms"},
		{9949 * time.Microsecond, "9.9 ms"},
		{9950 * time.Microsecond, "10 ms"},
		{123400 * time.Microsecond, "123 ms"},
		{999499 * time.Microsecond, "999 ms"},
		{999500 * time.Microsecond, "1.00 s"},
		{1019 * time.Millisecond, "1.02 s"},
		{9995 * time.Millisecond, "10.0 s"},
		{61200 * time.Millisecond, "61.2 s"},
		{99950 * time.Millisecond, "100 s"},
		{2 * time.Hour, "7200 s"},
	}
	for _, tt := range tests {
		if got := Duration(tt.given); got != tt.want {
			t.Errorf("Duration(%d) = %q, expected %q", tt.given, got, tt.want)
		}
	}
}

func TestBytes(t *testing.T) {
	tests := []struct {
		given int64
		want  string
	}{
		{0, "0 B"},
		{1000, "1000 B"},
		{12 << 10, "12 KiB"},
		{3 << 19, "1.5 MiB"},
		{64 << 20, "64 MiB"},
		{1 << 30, "1 GiB"},
		{1500 << 20, "1500 MiB"},
		{1536 << 20, "1.5 GiB"},
		{12345 << 20, "12345 MiB"},
		{2<<30 + 1, "2 GiB"},
	}
	for _, tt := range tests {
		if got := Bytes(tt.given); got != tt.want {
			t.Errorf("Bytes(%d) = %q, expected %q", tt.given, got, tt.want)
		}
	}
}
