package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain makes the test binary the tool itself when the command go starts it.
func TestMain(m *testing.M) {
	if os.Getenv("JUDGEVET") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestGoVet runs the analyzers under go vet on a module.
func TestGoVet(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/m\n\ngo 1.26\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor i := range 1000 {\n\t\tfmt.Println(i)\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flag, want string
		fails      bool
	}{
		{"-unbuffered", "main.go:7:3: fmt.Println in a loop writes to os.Stdout with a system call each time", true},
		{"-imports", "", false},
		{"-json", `"unbuffered"`, false},
	} {
		vet := exec.Command("go", "vet", "-vettool="+tool, c.flag, ".")
		vet.Dir, vet.Env = dir, append(os.Environ(), "JUDGEVET=1", "GOFLAGS=", "GOWORK=off")
		out, err := vet.CombinedOutput()
		if (err != nil) != c.fails || !strings.Contains(string(out), c.want) {
			t.Errorf("go vet -vettool=judgevet %s printed %q (%v), expected %q", c.flag, out, err, c.want)
		}
	}
}
