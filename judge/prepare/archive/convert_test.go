package archive_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// endingContext is cancelled after it was asked a number of times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// An import that is interrupted, at whatever step, writes nothing.
func TestConvertInterrupted(t *testing.T) {
	from := writeFiles(t, fstest.MapFS{
		"init.yml": {Data: []byte("test_cases:\n- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out, points: 5}\n")},
		"1.in":     {Data: []byte("1\n")}, "1.out": {Data: []byte("1\n")},
		"2.in": {Data: []byte("2\n")}, "2.out": {Data: []byte("2\n")},
	})
	contents := func(root string) (names []string) {
		if err := fs.WalkDir(os.DirFS(root), ".", func(name string, _ fs.DirEntry, err error) error {
			names = append(names, name)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return names
	}
	for _, whole := range []bool{true, false} {
		interrupted := 0
		for steps := 0; ; steps++ {
			root := t.TempDir()
			if !whole {
				for _, part := range []string{"problems", "solutions", "testdata"} {
					if err := os.Mkdir(filepath.Join(root, part), 0o755); err != nil {
						t.Fatal(err)
					}
				}
			}
			before := contents(root)
			src, err := problem.Folder(from)
			if err != nil {
				t.Fatal(err)
			}
			ctx := &endingContext{context.Background(), steps}
			_, err = foreign.Convert(ctx, archive.Import{}, src, root, "new", whole, "")
			if errors.Join(src.Close()) != nil {
				t.Fatal("the source does not close")
			}
			if err == nil {
				break
			}
			interrupted++
			if after := contents(root); !errors.Is(err, context.Canceled) || len(after) != len(before) {
				t.Fatalf("whole %v, interrupted after %d questions: error %v, left %v", whole, steps, err, after)
			}
		}
		if interrupted < 8 { // one for each file at least
			t.Errorf("whole %v: %d interruptions: expected one for each file", whole, interrupted)
		}
	}
}
