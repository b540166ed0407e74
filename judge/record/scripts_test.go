package record_test

import (
	"testing"

	"crucible/judge/internal/transcript"
)

func TestScripts(t *testing.T) { transcript.RunCore(t, "testdata/transcripts") }
