package terminal

import (
	"testing"
)

func TestMemory(t *testing.T) {
	tests := []struct {
		given int64
		want  string
	}{
		{0, "0 B"},
		{256 << 10, "<1 MiB"},
		{1<<20 - 1, "<1 MiB"},
		{1 << 20, "1.0 MiB"},
		{3<<20 + 256<<10, "3.2 MiB"},
		{12<<20 + 300<<10, "12.3 MiB"},
		{64 << 20, "64.0 MiB"},
		{640 << 20, "640 MiB"},
		{1 << 30, "1.00 GiB"},
		{5 << 50, "5120 TiB"},
	}
	for _, tt := range tests {
		if got := Memory(tt.given); got != tt.want {
			t.Errorf("Memory(%d) = %q, expected %q", tt.given, got, tt.want)
		}
	}
}

func TestInstructions(t *testing.T) {
	tests := []struct {
		given int64
		want  string
	}{
		{1, "1 instruction"},
		{999, "999 instructions"},
		{1234, "1.23 k instructions"},
		{12_345_678, "12.3 M instructions"},
		{999_499_999, "999 M instructions"},
		{999_500_000, "1.00 G instructions"},
		{1_234_567_890_123, "1.23 T instructions"},
	}
	for _, tt := range tests {
		if got := Instructions(tt.given); got != tt.want {
			t.Errorf("instructions(%d) = %q, expected %q", tt.given, got, tt.want)
		}
	}
}
