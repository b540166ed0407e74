package statement

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// TestPDFInABrowser prints a statement with Chromium twice, and expects the same bytes.
func TestPDFInABrowser(t *testing.T) {
	testkit.InMatrix(t)
	testBrowser(t)
	p := packageWith(t, map[string]string{"statement/problem.en.md": "# Input\n\n$1 \\le n \\le 10^5$\n\n![](dot.png)"})
	var pdfs [2][]byte
	for i := range pdfs {
		var err error
		if pdfs[i], _, err = PDF(t.Context(), p, File{"en", "statement/problem.en.md"}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.HasPrefix(pdfs[0], []byte("%PDF-")) || !bytes.Equal(pdfs[0], pdfs[1]) {
		t.Errorf("PDF = %d and %d bytes that begin with %.10q; expected the same PDF twice", len(pdfs[0]), len(pdfs[1]), pdfs[0])
	}
}

// TestPicturesInABrowser stores screenshots of five statements if artifacts are kept, because a
// picture is judged by a reader.
func TestPicturesInABrowser(t *testing.T) {
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		t.Skip("-artifacts is not set")
	}
	browser := testBrowser(t)
	for _, id := range []string{"poj2676", "zoj3209", "pentomino", "nqueens", "hust1017"} {
		p, err := problem.OpenDir("../../../problems/" + id)
		if err != nil {
			t.Fatal(err)
		}
		file, err := Choose(p, "")
		if err != nil {
			t.Fatal(err)
		}
		page, err := Render(p, file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := page.HTML()
		if err != nil {
			t.Fatal(err)
		}
		source := filepath.Join(t.TempDir(), id+".html")
		picture := filepath.Join(t.ArtifactDir(), "statement-"+id+".png")
		profile, err := os.MkdirTemp("", "crucible-browser-")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(source, text, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), printTime)
		out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
			"--user-data-dir="+profile, "--window-size=900,1500", "--screenshot="+picture, "file://"+source).CombinedOutput()
		stop()
		removeAll(profile)
		if info, statErr := os.Stat(picture); err != nil || statErr != nil || info.Size() < 10000 {
			t.Errorf("%s: no picture: %v, %v\n%s", id, err, statErr, out)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
