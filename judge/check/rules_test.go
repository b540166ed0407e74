package check

import (
	"strings"
	"testing"
)

func TestParseRulesRefuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string // in the error
	}{
		{"an unknown argument", []string{"case_insensitive"}, `argument 1, "case_insensitive": unknown`},
		{"an argument in capitals", []string{"CASE_SENSITIVE"}, `"CASE_SENSITIVE": unknown`},
		{"a flag with dashes", []string{"--case_sensitive"}, `unknown`},
		{"two words in one argument", []string{"float_tolerance 1e-6"}, `"float_tolerance 1e-6": unknown`},
		{"an empty argument", []string{""}, `argument 1, "": unknown`},
		{"a number alone", []string{"case_sensitive", "1e-6"}, `argument 2, "1e-6": unknown`},
		{"a missing tolerance", []string{"float_tolerance"}, "float_tolerance is the last argument"},
		{"a flag for a tolerance", []string{"float_tolerance", "case_sensitive"}, `float_tolerance: expected a decimal number of at least 0, such as 1e-6, found "case_sensitive"`},
		{"a negative tolerance", []string{"float_tolerance", "-1e-6"}, `expected a decimal number of at least 0, such as 1e-6, found "-1e-6"`},
		{"a hexadecimal tolerance", []string{"float_tolerance", "0x1p-20"}, "expected a decimal number"},
		{"an infinite tolerance", []string{"float_tolerance", "inf"}, "expected a decimal number"},
		{"a tolerance that is not a number", []string{"float_tolerance", "nan"}, "expected a decimal number"},
		{"an empty tolerance", []string{"float_tolerance", ""}, "expected a decimal number"},
		{"a tolerance with a space", []string{"float_tolerance", " 1e-6"}, "expected a decimal number"},
		{"float_tolerance twice", []string{"float_tolerance", "1", "float_tolerance", "1"}, "argument 3, float_tolerance: a tolerance is already set"},
		{"float_absolute_tolerance twice", []string{"float_absolute_tolerance", "1", "float_absolute_tolerance", "1"}, "already set"},
		{"float_relative_tolerance twice", []string{"float_relative_tolerance", "1", "float_relative_tolerance", "2"}, "already set"},
		{"float_tolerance before the absolute", []string{"float_tolerance", "1", "float_absolute_tolerance", "1"}, "already set"},
		{"float_tolerance before the relative", []string{"float_tolerance", "1", "float_relative_tolerance", "1"}, "already set"},
		{"float_tolerance after the absolute", []string{"float_absolute_tolerance", "1", "float_tolerance", "1"}, "already set"},
		{"float_tolerance after the relative", []string{"float_relative_tolerance", "1", "case_sensitive", "float_tolerance", "1"}, "argument 4, float_tolerance: a tolerance"},
		{"float_tolerance after both", []string{"float_absolute_tolerance", "1", "float_relative_tolerance", "1", "float_tolerance", "1"}, "already set"},
		{"a terminal escape, quoted", []string{"\x1b[31m"}, `"\x1b[31m"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseRules(test.args)
			if err == nil {
				t.Fatalf("ParseRules(%q) is no error", test.args)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("ParseRules(%q): %v; expected %s in it", test.args, err, test.want)
			}
		})
	}
}

func TestParseRulesAccepts(t *testing.T) {
	for _, args := range []string{
		"",
		"case_sensitive",
		"space_change_sensitive case_sensitive",
		"float_tolerance 1e-6",
		"float_tolerance +.5E-3 case_sensitive",
		"float_tolerance 0",
		"float_absolute_tolerance 1e-6 float_relative_tolerance 1e-9",
		"float_relative_tolerance 1e-9 space_change_sensitive float_absolute_tolerance 1e-6",
	} {
		if _, err := ParseRules(strings.Fields(args)); err != nil {
			t.Errorf("ParseRules(%s): %v", args, err)
		}
	}
}

func TestLegacyArgs(t *testing.T) {
	for _, test := range []struct{ name, args, want string }{
		{"what is right stays", "float_tolerance 1e-6 case_sensitive", "float_tolerance 1e-6 case_sensitive"},
		{"the last of two counts", "float_tolerance 1e-6 case_sensitive float_tolerance 1e-4", "case_sensitive float_absolute_tolerance 1e-4 float_relative_tolerance 1e-4"},
		{"the last of either kind counts", "float_tolerance 1e-6 float_absolute_tolerance 1e-4", "float_absolute_tolerance 1e-4 float_relative_tolerance 1e-6"},
		{"both after one kind", "float_relative_tolerance 1e-4 float_tolerance 1e-6", "float_absolute_tolerance 1e-6 float_relative_tolerance 1e-6"},
		{"one kind twice", "float_relative_tolerance 1 float_relative_tolerance 2", "float_relative_tolerance 2"},
		{"what is unknown stays to be refused", "float_tolerance 1 x float_tolerance 2", "x float_absolute_tolerance 2 float_relative_tolerance 2"},
		{"what lacks a value stays to be refused", "float_tolerance 1 float_tolerance", "float_tolerance float_absolute_tolerance 1 float_relative_tolerance 1"},
		{"what is malformed stays to be refused", "float_tolerance 1 float_tolerance -1", "float_absolute_tolerance -1 float_relative_tolerance -1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(LegacyArgs(strings.Fields(test.args)), " "); got != test.want {
				t.Errorf("LegacyArgs(%s) = %s, expected %s", test.args, got, test.want)
			}
		})
	}
}
