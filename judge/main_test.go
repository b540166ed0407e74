package judge

import (
	"testing"

	"crucible/judge/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestCacheOfTests checks that tests do not use the user's cache.
func TestCacheOfTests(t *testing.T) {
	var j Judge
	t.Cleanup(func() { j.Close() })
	if dir, err := j.CacheDir(); err != nil || dir != testkit.Cache(t) {
		t.Errorf("CacheDir = %s, %v; expected $CRUCIBLE_CACHE, %s", dir, err, testkit.Cache(t))
	}
}
