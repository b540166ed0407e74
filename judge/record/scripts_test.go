package record_test

import (
	"testing"

	"crucible/judge/internal/transcript"
)

func TestScripts(t *testing.T) { transcript.RunBuilt(t, "testdata/transcripts") }
