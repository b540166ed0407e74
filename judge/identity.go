package judge

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"
)

// The sources of this package and of those that it imports, without tests. A pattern
// cannot leave out *_test.go, so files whose names end in t.go are listed.
//
//go:embed *[^t].go attempt.go interact.go output.go report.go start.go
//go:embed build/*[^t].go build/script.go
//go:embed check/*[^t].go check/default.go check/ctd/*[^t].go
//go:embed internal/osfile/*[^t].go internal/osfile/draft.go
//go:embed internal/lazy/*[^t].go
//go:embed internal/yaml/*[^t].go internal/yaml/edit.go
//go:embed language/*[^t].go
//go:embed problem/*[^t].go problem/format.go problem/layout.go problem/verdict.go
//go:embed result/*[^t].go
//go:embed sandbox/*[^t].go sandbox/*.s sandbox/plugin sandbox/instructions_selftest.go sandbox/syscalls/*[^t].go
//go:embed terminal/*[^t].go terminal/excerpt.go terminal/text.go
var sources embed.FS

// Identity returns a digest of the sources that decide the facts and verdicts of runs,
// as 32 hexadecimal digits. It is the same in every program that was built from equal
// sources, however and for whatever system it was built. Runs of a judge with another
// identity may differ.
var Identity = sync.OnceValue(func() string {
	return digestOf(sources)
})

func digestOf(files fs.FS) string {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return err
	})
	if err != nil {
		panic(err) // embedded files can always be read
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
