package archive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

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
	from := layFiles(t, filepath.Join(t.TempDir(), "sum"), map[string]string{
		"init.yml": "test_cases:\n- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out, points: 5}\n",
		"1.in":     "1\n", "1.out": "1\n", "2.in": "2\n", "2.out": "2\n",
	})
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
			before := contents(t, root)
			src, err := problem.Folder(from)
			if err != nil {
				t.Fatal(err)
			}
			ctx := &endingContext{context.Background(), steps}
			_, err = Import{}.Convert(ctx, src, root, "new", whole, "")
			if errors.Join(src.Close()) != nil {
				t.Fatal("the source does not close")
			}
			if err == nil {
				break
			}
			interrupted++
			if after := contents(t, root); !errors.Is(err, context.Canceled) || len(after) != len(before) {
				t.Fatalf("whole %v, interrupted after %d questions: error %v, left %v", whole, steps, err, after)
			}
		}
		if interrupted < 8 { // one for each file at least
			t.Errorf("whole %v: %d interruptions: expected one for each file", whole, interrupted)
		}
	}
}
