package verify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crucible/judge/language"
	"crucible/judge/problem"
)

// What the formats say that judges get wrong, each with the packages of the
// suite that decide it. A fact whose packages are gone, or are skipped, is not
// known any more.
func TestFactsOfTheFormats(t *testing.T) {
	for _, fact := range []struct{ says, packages string }{
		{"2025-09 has its folders", "minimal attachments_with_templates solution_description include_default static_validator output_validator_c"},
		{"legacy has others", "legacy_minimal legacy_validation_custom legacy_custom_grader legacy_input_format_validators"},
		{"the .in declares a case, and .ans is required", "defect_case_without_answer defect_answer_without_input defect_yaml_without_input"},
		{"but not in invalid_input", "validation_data defect_answer_in_invalid_input"},
		{"a case's .yaml has its keys, and no others", "case_every_key defect_case_unknown_key defect_case_args_no_list case_args"},
		{".files is copied to the working directory", "case_files input_validator_working_directory defect_files_collide_with_input_validator"},
		{"names of other characters are as if absent", "ignored_names names_at_their_longest"},
		{"the order is that of case names without extension", "case_order first_failing_case_decides legacy_order_and_groups"},
		{"groups are direct children of secret with a test_group.yaml", "groups_pass_fail folders_without_group_file defect_group_in_group defect_group_below_a_plain_folder defect_group_empty defect_group_in_sample"},
		{"groups and loose cases never mix", "defect_group_and_loose_cases defect_group_and_plain_folder"},
		{"in legacy testdata.yaml holds at any depth and is inherited", "legacy_groups_of_groups legacy_output_validator_flags legacy_input_validator_flags"},
		{"an unknown key of problem.yaml is an error", "defect_unknown_key defect_unknown_limit defect_legacy_key"},
		{"and in legacy a warning", "legacy_unknown_key draft_unknown_key"},
		{"type is a string or a list, and some exclude each other", "metadata_every_key interactive_multi_pass scoring_interactive defect_types_pass_fail_and_scoring defect_types_multi_pass_and_submit_answer defect_types_interactive_and_submit_answer defect_type_twice"},
		{"in legacy validation says the same", "legacy_interactive legacy_interactive_score legacy_validation_custom defect_legacy_validation_word"},
		{"limits have units and defaults", "minimal metadata_every_key legacy_every_key memory_limit output_limit code_limit compilation_time"},
		{"validation_passes is at least 2, and for multi-pass only", "multi_pass multi_pass_too_many defect_validation_passes_one defect_validation_passes_without_multi_pass"},
		{"the time limit is inferred from the slowest", "time_limit_inferred time_limit_inferred_by_multipliers time_limit_wrong_answer_bounds_too"},
		{"it is an error if there is none", "time_limit_none_exists time_limit_breaks_margins"},
		{"a given one is a multiple of the resolution", "defect_time_limit_no_multiple draft_time_limit_no_multiple"},
		{"use_for_time_limit overrides", "use_for_time_limit use_for_time_limit_upper defect_nothing_bounds_the_time_limit"},
		{"in legacy the multiplier is 5 and accepted submissions count", "legacy_minimal legacy_time_multiplier legacy_only_accepted_bounds_the_time_limit"},
		{"the output validator's call ends its third argument with a separator", "output_validator_invocation"},
		{"42 accepts, 43 rejects, anything else including 0 is a judge error", "output_validator_exit_codes interactive_validator_crashes static_validator_judge_error"},
		{"nextpass.in with any exit but 42 is a judge error", "multi_pass_nextpass_rejected"},
		{"other feedback files persist between passes", "multi_pass interactive_multi_pass"},
		{"score.txt and score_multiplier.txt exclude each other", "scoring_judge_error_both_files"},
		{"input validators get input_validator_args, then args", "input_validator_args input_validators_several defect_input_validator_rejects"},
		{"beyond the compilation limits is CE", "compilation_time compile_error"},
		{"an interactive validator that rejects first beats TLE and RTE", "interactive_validator_first_wrong"},
		{"a submission that ends early with 0 is not yet wrong", "interactive_submission_first"},
		{"a broken pipe to a finished validator is no RTE", "interactive_validator_first_accepts"},
		{"where both wait, the submission is too slow", "interactive_both_wait"},
		{"the default validator takes tokens and five flags", "default_validator_tokens default_validator_flags_by_case defect_default_validator_flag_unknown"},
		{"tolerances exclude each other", "defect_tolerance_twice defect_tolerance_beside_relative defect_tolerance_beside_absolute"},
		{"floats follow the decimal grammar", "default_validator_flags_by_case scoring_judge_error_score_is_no_number scoring_judge_error_score_not_finite"},
		{"the first case in order that is not AC decides", "first_failing_case_decides default_directories"},
		{"with sum, one case's maximum is (max - static) / N", "scoring_loose_cases scoring_static scoring_groups_sum_and_min"},
		{"require_pass names earlier groups only", "scoring_require_pass scoring_require_pass_chain scoring_secret_requires_sample defect_require_pass_later_group defect_require_pass_itself"},
		{"globs: * does not match a slash, braces are allowed, ** and [] are not", "globs_with_braces defect_submissions_double_star defect_submissions_brackets"},
		{"a folder's rule covers what is in it", "globs_with_braces expectations_by_group"},
		{"the keys of submissions.yaml", "submissions_yaml_every_key message_expected scoring_expected_by_group entry_point_of_submissions_yaml language_of_submissions_yaml"},
		{"a rule for a default directory inherits the keys it does not name", "default_directory_inherits"},
		{"and a glob for what is in it adds to them", "default_directory_glob_adds"},
		{"partially_accepted is legacy", "legacy_partially_accepted legacy_min_objective"},
		{"MLE satisfies RTE", "memory_limit"},
		{"OLE satisfies WA or RTE", "output_limit output_limit_counts_files"},
		{"CE satisfies none, but a tag that asks for it", "compile_error domjudge_expected_results"},
		{"permitted speaks of every case", "default_directories_broken expectations_by_case"},
		{"DOMjudge's files and tags are read", "legacy_domjudge_problem_ini legacy_timelimit_file domjudge_expected_results domjudge_expected_score"},
		{"a testlib checker has 0 for right, 1 and 2 for wrong, 3 for its own failure", "testlib_checker"},
		{"where a submission goes on after an interaction that was accepted, it is too slow", "interactive_validator_first_accepts_then_hang"},
		{"and where it crashes, it is RTE", "interactive_validator_first_accepts_then_crash"},
		{"packages without secret cases are judged, with a warning", "defect_no_secret"},
	} {
		t.Run(fact.says, func(t *testing.T) {
			for _, name := range strings.Fields(fact.packages) {
				c, err := readConformance(filepath.Join(conformanceDir, name+".txtar"))
				if err != nil {
					t.Error(err)
				} else if c.pending != "" {
					t.Errorf("%s is pending: %s", name, c.pending)
				}
			}
		})
	}
}

// Which verdict satisfies which of the four that an expectation may name.
func TestVerdictsSatisfyExpectations(t *testing.T) {
	for _, c := range []struct {
		verdict problem.Verdict
		by      []problem.Verdict
	}{
		{problem.Accepted, []problem.Verdict{problem.Accepted}},
		{problem.WrongAnswer, []problem.Verdict{problem.WrongAnswer}},
		{problem.TimeLimit, []problem.Verdict{problem.TimeLimit}},
		{problem.RuntimeError, []problem.Verdict{problem.RuntimeError}},
		{problem.MemoryLimit, []problem.Verdict{problem.RuntimeError}},
		{problem.OutputLimit, []problem.Verdict{problem.WrongAnswer, problem.RuntimeError}},
		{problem.CompileError, nil},
	} {
		for _, named := range []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit, problem.RuntimeError} {
			if got, want := c.verdict.In([]problem.Verdict{named}), slices.Contains(c.by, named); got != want {
				t.Errorf("%s satisfies %s: %v, want %v", c.verdict, named, got, want)
			}
		}
	}
}

// specLanguages is the format's table of languages (appendix "Languages"):
// code, default entry point or -, and the file endings that tell the language.
const specLanguages = `
ada - .adb .ads
algol68 - .a68
apl - .apl
bash - .sh
c - .c
cgmp -
cobol - .cob
cpp - .cc .cpp .cxx .c++ .C
cppgmp -
crystal - .cr
csharp - .cs
d - .d
dart - .dart
elixir - .ex
erlang - .erl
forth - .fth .4th .forth .frt
fortran - .f90
fsharp - .fs
gerbil - .ss
go - .go
haskell - .hs
java Main .java
javaalgs4 Main
javascript main.js .js
julia - .jl
kotlin MainKt .kt
lisp main.{lisp,cl} .lisp .cl
lua - .lua
modula2 - .mod .def
nim - .nim
objectivec - .m
ocaml - .ml
octave -
odin - .odin
pascal - .pas
perl - .pm
php main.php .php
prolog - .pl
python2 main.py2 .py2
python3 main.py .py .py3
python3numpy main.py
racket - .rkt
ruby - .rb
rust - .rs
scala - .scala
simula - .sim
smalltalk - .st
snobol - .sno
swift - .swift
typescript - .ts
visualbasic - .vb
zig - .zig
`

func TestLanguagesAreThoseOfTheFormat(t *testing.T) {
	var codes []string
	endings := make(map[string]string)
	for _, line := range strings.Split(strings.TrimSpace(specLanguages), "\n") {
		f := strings.Fields(line)
		codes = append(codes, f[0])
		for _, ext := range f[2:] {
			endings[ext] = f[0]
		}
	}
	if len(codes) != 52 {
		t.Errorf("the table has %d codes, want 52", len(codes))
	}
	known := slices.Sorted(slices.Values(problem.FormatLanguages))
	if !slices.Equal(known, codes) {
		t.Errorf("codes that languages: may name:\n%v\nwant\n%v", known, codes)
	}
	for _, l := range language.Builtin.All() {
		if !slices.Contains(codes, l.Code) {
			t.Errorf("%s is a language of this judge and no code of the format", l.Code)
		}
		for _, ext := range l.Exts {
			if endings[ext] != l.Code {
				t.Errorf("%s is taken for %s, in the format it is that of %q", ext, l.Code, endings[ext])
			}
		}
	}
	for ext, code := range endings {
		l, _ := language.Builtin.Of([]string{"main" + ext})
		if slices.ContainsFunc(language.Builtin.All(), func(l language.Language) bool { return l.Code == code }) && (l == nil || l.Code != code) {
			t.Errorf("main%s is %v, want %s", ext, l, code)
		}
	}
}
