package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A ladder names the submissions of one problem that are timed, and the sets on
// which they are timed. Submissions are named EXPECTATION/FILE.
type ladder struct {
	problem   string
	base      string   // the submission with the algorithm of the seeds
	slow      []string // submissions timed although they are too slow for the judge data
	model     string   // the submission, one Go file, that makes the answers
	generator string   // the generator's folder in problems/ID/generators
	sets      []set
}

// A set is one input. The problem's generator makes it from a seed that the
// test data does not use.
type set struct {
	name string
	args string
}

var ladders = []ladder{
	{
		// The base is the algorithm of seed 000 as published: it frees no node.
		problem: "poj3074", base: "run_time_error/leak.cpp", model: "accepted/dancing_links.go", generator: "sudoku",
		slow: []string{"time_limit_exceeded/backtracking.go", "time_limit_exceeded/blank_links.go"},
		sets: []set{
			{"easy", "-any easy 10000 32 20261121"},
			{"minimal", "-any minimal 10000 20261121"},
			{"seventeen", "-any seventeen 10000 20261121"},
			{"hard", "-any hard 2000 60 20 20261121"},
		},
	},
	{
		problem: "nwerc2006sudoku", base: "accepted/jury_blocks.cpp", model: "accepted/block_maps.go",
		generator: "equivalence",
		sets: []set{
			{"worst", "-any 101 hardpositions:100:0"},
			{"symmetric", "-any 102 symmetric:100:7"},
			{"single", "-any 103 yes:200:30 misprint:200:30"},
			{"climbed", "-any 104 climb:12:13"},
		},
	},
	{
		problem: "poj2676", base: "accepted/cross_links.cpp", model: "accepted/cross_links.go", generator: "sudoku",
		sets: []set{
			{"easy", "-any easy 5000 32 20261121"},
			{"seventeen", "-any seventeen 5000 20261121"},
			{"hard", "-any hard 1000 60 20 20261121"},
			{"many-solutions", "-any looser 5000 60 20261121"},
		},
	},
	{
		problem: "hdu1426", base: "accepted/cross_links.go", model: "accepted/cross_links.go", generator: "sudoku",
		sets: []set{
			{"easy", "-any easy 5000 32 20261121"},
			{"seventeen", "-any seventeen 5000 20261121"},
			{"hard", "-any hard 1000 60 20 20261121"},
		},
	},
	{
		problem: "poj3740", base: "accepted/bare_links.go", model: "accepted/dancing_links.go", generator: "matrices",
		sets: []set{
			{"hard", "1001 hard:150:16:12:2000"},
			{"apart", "1002 apart:12:16:300"},
			{"hard-wide", "1003 hard:12:16:300:5000"},
		},
	},
	{
		problem: "hust1017", base: "accepted/cross_links.cpp", model: "accepted/dancing_links.go", generator: "matrices",
		sets: []set{
			{"langford", "1001 langford:1:10 langford:1:9"},
			{"dominoes", "1002 dominoes:1:8 dominoes:1:7"},
			{"latin", "1003 latin:33:10:0"},
			{"covers", "1004 cover:2:1000:1000:40:100000"},
			{"hard", "1005 hard:10:60:27:400"},
		},
	},
	{
		problem: "zoj3209", base: "accepted/cross_links.cpp", model: "accepted/dancing_links.go", generator: "maps",
		sets: []set{
			{"hard", "1001 hard:5:14:14:350:30:20000"},
			{"full", "1002 full:10"},
			{"board", "1003 board:10:6:7 board:2:8:8"},
			{"strips", "1004 strips:5:30:30:15:20000:100000"},
		},
	},
	{
		problem: "nqueens", base: "accepted/cross_links.go", model: "accepted/dancing_links.go", generator: "queens",
		sets: []set{
			{"open", "blocked 20 13 25 1001"},
			{"given", "given 20 12 2 1002"},
			{"blocked", "blocked 20 14 55 1003"},
			{"late", "late 4 20 1004"},
		},
	},
	{
		problem: "pentomino", base: "accepted/cross_links.go", model: "accepted/dancing_links.go", generator: "boards",
		sets: []set{
			{"4x15", "rectangle 4 15 1001"},
			{"6x10", "rectangle 6 10 1002"},
			{"tiled", "tiled 4 12 10 4000 1003"},
			{"scattered", "scattered 6 12 20 2000 1004"},
		},
	},
}

// lay writes the inputs and their answers as cases to the folder data, in
// order. If given is empty, the ladder's own sets are the inputs. The programs
// are built in dir.
func (l ladder) lay(ctx context.Context, given files, dir, data string) error {
	model := filepath.Join(dir, "model")
	if err := build(ctx, model, filepath.Join("solutions", l.problem, l.model)); err != nil {
		return err
	}
	generator := filepath.Join(dir, "generator")
	if len(given) == 0 {
		if err := build(ctx, generator, "./"+filepath.Join("problems", l.problem, "generators", l.generator)); err != nil {
			return err
		}
		for i, s := range l.sets {
			progress("%s: making %s", l.problem, s.name)
			if err := pipe(ctx, "", filepath.Join(data, caseName(i, s.name)+".in"), generator,
				strings.Fields(s.args)...); err != nil {
				return err
			}
		}
	}
	for i, g := range given {
		input, err := os.ReadFile(g[1])
		if err == nil {
			err = os.WriteFile(filepath.Join(data, caseName(i, g[0])+".in"), input, 0o644)
		}
		if err != nil {
			return err
		}
	}
	inputs, err := filepath.Glob(filepath.Join(data, "*.in"))
	if err != nil {
		return err
	}
	for _, in := range inputs {
		progress("%s: answering %s", l.problem, filepath.Base(in))
		if err := pipe(ctx, in, strings.TrimSuffix(in, ".in")+".ans", model); err != nil {
			return err
		}
	}
	return nil
}

// caseName returns the case name of the set with index i. The number at its
// start keeps the cases in the order of the table.
func caseName(i int, name string) string { return fmt.Sprintf("%02d-%s", i+1, name) }

func setName(c string) string { return strings.SplitN(filepath.Base(c), "-", 2)[1] }

func build(ctx context.Context, to, what string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", to, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build %s: %w", what, err)
	}
	return nil
}

// pipe runs a program with standard input from one file and standard output to
// another. If from is "", standard input is empty.
func pipe(ctx context.Context, from, to, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	if from != "" {
		input, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		cmd.Stdin = bytes.NewReader(input)
	}
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	return os.WriteFile(to, output, 0o644)
}
