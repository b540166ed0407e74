package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Main runs the tests of a package, as TestMain. They have no history, and where
// they name no cache, they have that of [Cache].
func Main(m *testing.M) {
	os.Setenv("CRUCIBLE_HISTORY", "off")
	if dir := cacheDir(); dir != "" {
		os.Setenv("CRUCIBLE_CACHE", dir)
	}
	m.Run()
}

// Cache returns the folder of compiled programs that all tests share and keep
// from one call to the next, apart from the user's: to compile everything again
// would take minutes. Where no such folder can be made, it is temporary.
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
