package cli

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
)

func TestStatusOf(t *testing.T) {
	judgeFails := WithStatus(StatusJudge, errors.New("disk full"))
	tests := []struct {
		fact string
		err  error
		want int
	}{
		{"nothing went wrong", nil, 0},
		{"a usage error", errors.New("--jobs -1"), 2},
		{"one that carries its status", judgeFails, 3},
		{"one that is wrapped", fmt.Errorf("sum: %w", judgeFails), 3},
		{"a machine that has no more", fmt.Errorf("data: %w", syscall.EMFILE), 3},
		{"the highest of several", errors.Join(WithStatus(1, nil), judgeFails, errors.New("x")), 3},
		{"an interruption, whatever else", errors.Join(judgeFails, ErrInterrupted), 130},
	}
	for _, tt := range tests {
		if got := StatusOf(tt.err); got != tt.want {
			t.Errorf("%s: %d, expected %d", tt.fact, got, tt.want)
		}
	}
}
