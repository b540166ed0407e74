package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
)

// Systemd accepts the units, whose programs and flags exist.
func TestUnits(t *testing.T) {
	testkit.InMatrix(t)
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze:", err)
	}
	judged := built(t, "judged")
	for _, name := range []string{"judged-serve.service", "judged-worker.service"} {
		text, err := os.ReadFile(filepath.Join("../../../scripts/deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		// Only existing programs are accepted.
		unit := strings.ReplaceAll(string(text), "/usr/local/bin/judged", judged)
		copied := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(copied, []byte(unit), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("systemd-analyze", "verify", "--man=no", copied).CombinedOutput(); err != nil || strings.Contains(string(out), name) {
			t.Errorf("systemd-analyze verify %s: %v: %s", name, err, out)
		}
		for line := range strings.Lines(unit) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "ExecStart="); ok {
				args := append(strings.Fields(command)[1:], "--help")
				if out, err := exec.Command(judged, args...).CombinedOutput(); err != nil {
					t.Errorf("judged %v: %v: %s", args, err, out)
				}
			}
		}
	}
}

// What is no command is refused.
func TestUnknownCommand(t *testing.T) {
	for _, args := range [][]string{{"token"}, {"help", "token"}} {
		c := exec.Command(built(t, "judged"), args...)
		out, err := c.CombinedOutput()
		if want := "judged: token: no such command; judged help lists them\n"; err == nil || c.ProcessState.ExitCode() != 2 || string(out) != want {
			t.Errorf("judged %v: %v: %s: expected status 2 and %s", args, err, out, want)
		}
	}
}

// The image is built where there is a program for it and the registry is reached.
func TestContainer(t *testing.T) {
	if os.Getenv("CRUCIBLE_CONTAINER") == "" {
		t.Skip("downloads 1 GB: set CRUCIBLE_CONTAINER=1 to build the image")
	}
	tool, err := exec.LookPath("podman")
	if err != nil {
		tool, err = exec.LookPath("docker")
	}
	if err != nil {
		t.Skip("neither podman nor docker")
	}
	if out, err := exec.Command(tool, "info").CombinedOutput(); err != nil {
		t.Skipf("%s info: %v: %s", tool, err, out)
	}
	out, err := exec.Command(tool, "build", "-t", "crucible-test", "-f", "../../../scripts/deploy/Containerfile", "../../..").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err = exec.Command(tool, "run", "--rm", "crucible-test", "--version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "judged ") {
		t.Errorf("%v: %s", err, out)
	}
}
