package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Main runs the tests of a package; TestMain calls it. It turns the history off
// and sets CRUCIBLE_CACHE to the folder of [Cache].
func Main(m *testing.M) {
	os.Setenv("CRUCIBLE_HISTORY", "off")
	if dir := cacheDir(); dir != "" {
		os.Setenv("CRUCIBLE_CACHE", dir)
	}
	m.Run()
}

// Cache returns the folder of compiled programs that all tests share and keep
// between calls. It is not the user's cache. Without it, compiling everything
// again would take minutes. If the folder cannot be made, Cache returns a
// temporary one.
func Cache(t testing.TB) string {
	if dir := cacheDir(); dir != "" {
		return dir
	}
	return filepath.Join(t.TempDir(), "crucible")
}

func cacheDir() string {
	user, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(user, "crucible-test", "crucible")
	if os.MkdirAll(dir, 0o755) != nil {
		return ""
	}
	return dir
}
