package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const compileTurns = 7

const rest = `using namespace std;
int main() {
    int n;
    cin >> n;
    map<string, vector<int>> found;
    for (int i = 0; i < n; i++) { string s; cin >> s; found[s].push_back(i); }
    for (auto &[s, v] : found) { sort(v.begin(), v.end()); cout << s << " " << v[0] << "\n"; }
}
`

const java = `import java.util.*;
public class Main {
    record Pair(int a, int b) {}
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        Map<Integer, List<Pair>> found = new TreeMap<>();
        for (int i = in.nextInt(); i > 0; i--)
            found.computeIfAbsent(i % 7, k -> new ArrayList<>()).add(new Pair(i, in.nextInt()));
        found.forEach((k, v) -> System.out.println(k + " " + v.get(0).a()));
    }
}
`

// prepared returns the folder of prepared files of a kind in the cache, after it has let
// the judge make them.
func (l *loop) prepared(kind, file, source string) (string, error) {
	dir := filepath.Join(l.tmp, "prepared")
	for i := range 4 {
		// Files are prepared for the third source. Each is another one.
		text := source + "//" + string(rune('0'+i)) + "\n"
		if err := writeFiles(dir, map[string]string{file: text, "samples/1.in": "0\n", "samples/1.ans": "\n"}); err != nil {
			return "", err
		}
		if err := l.command(dir, l.judge, "test", "--data", "samples", file).Run(); err != nil {
			if _, exited := err.(*exec.ExitError); !exited {
				return "", err
			}
		}
	}
	found, err := filepath.Glob(filepath.Join(l.tmp, "cache", kind, "*", "prepared.json"))
	if err != nil || len(found) == 0 {
		return "", skipped("nothing is prepared here: no full box, or another compiler")
	}
	return filepath.Dir(found[0]), nil
}

// cpu runs a command and returns the user and system time of its processes.
func (l *loop) cpu(name string, args ...string) (time.Duration, error) {
	c := l.command(l.tmp, name, args...)
	err := c.Run()
	if err != nil {
		return 0, err
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// compile measures a compiler with additional options over the same without.
func (l *loop) compile(options func(folder string) []string, kind, file, source, compiler string,
	args ...string) (ratios []float64, err error) {
	folder, err := l.prepared(kind, file, source)
	if err == nil {
		err = os.WriteFile(filepath.Join(l.tmp, file), []byte(source), 0o644)
	}
	if err != nil {
		return nil, err
	}
	return inTurns(compileTurns,
		func() (time.Duration, error) { return l.cpu(compiler, append(options(folder), args...)...) },
		func() (time.Duration, error) { return l.cpu(compiler, args...) })
}

func (l *loop) cpp(kind, source string) ([]float64, error) {
	include := func(folder string) []string { return []string{"-I" + folder} }
	return l.compile(include, "headers/"+kind, "a.cpp", source, "g++", "-O2", "-std=gnu++20", "-o", "a", "a.cpp")
}

func (l *loop) header() (figure, error) {
	ratios, err := l.cpp("stdc++.h", "#include <bits/stdc++.h>\n"+rest)
	if err != nil {
		return figure{}, err
	}
	return ratio(ratios, 0.4), nil
}

func (l *loop) iostream() (figure, error) {
	ratios, err := l.cpp("iostream", "#include <iostream>\n#include <algorithm>\n#include <map>\n#include <vector>\n"+rest)
	if err != nil {
		return figure{}, err
	}
	return ratio(ratios, 1), nil
}

func (l *loop) javac() (figure, error) {
	archive := func(folder string) []string { return []string{"-J-XX:SharedArchiveFile=" + folder + "/compiler.jsa"} }
	ratios, err := l.compile(archive, "archives/java", "Main.java", java,
		"javac", "-encoding", "UTF-8", "-proc:none", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-J-XX:TieredStopAtLevel=1",
		"-d", "classes", "Main.java")
	if err != nil {
		return figure{}, err
	}
	return ratio(ratios, 1), nil
}

// writeFiles writes files by their names in a folder.
func writeFiles(dir string, files map[string]string) error {
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		// As editors do, so that no reader sees half of a file.
		if err := os.WriteFile(name+"~", []byte(text), 0o644); err != nil {
			return err
		}
		if err := os.Rename(name+"~", name); err != nil {
			return err
		}
	}
	return nil
}
