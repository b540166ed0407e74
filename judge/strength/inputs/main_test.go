package inputs

import (
	"testing"

	"crucible/judge/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
