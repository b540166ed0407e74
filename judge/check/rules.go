package check

import "fmt"

// Rules are the arguments of the default output validator (problem package format
// 2025-09, section "Default output validator specification"). The zero value sets
// none: tokens must be equal up to the case of ASCII letters, and whitespace may
// differ.
type Rules struct {
	caseSensitive, spaceSensitive bool
	absolute, relative            *number // nil if not set
}

const absoluteArg, relativeArg = "float_absolute_tolerance", "float_relative_tolerance"

// tolerances maps each argument that a number follows to the tolerances that it sets.
var tolerances = map[string][]string{
	absoluteArg:       {absoluteArg},
	relativeArg:       {relativeArg},
	"float_tolerance": {absoluteArg, relativeArg},
}

// ParseRules parses output_validator_args. It returns an error for an unknown
// argument, for a tolerance that is missing, not a number or negative, for a
// tolerance given twice, and for float_tolerance together with one of the other
// two. As in the specification, a flag without a value may be repeated.
func ParseRules(args []string) (Rules, error) {
	var r Rules
	given := make(map[string]*number)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "case_sensitive":
			r.caseSensitive = true
			continue
		case arg == "space_change_sensitive":
			r.spaceSensitive = true
			continue
		case tolerances[arg] == nil:
			return Rules{}, fmt.Errorf("output_validator_args: argument %d, %s: unknown argument of the default validator: "+
				"expected case_sensitive, space_change_sensitive, or float_tolerance, float_absolute_tolerance or "+
				"float_relative_tolerance followed by a number as a separate argument", i+1, Clip(arg))
		}
		i++
		if i == len(args) {
			return Rules{}, fmt.Errorf("output_validator_args: %s is the last argument: expected a number after it", arg)
		}
		eps := new(number)
		if !eps.parse([]byte(args[i])) || eps.exact().sign() < 0 {
			return Rules{}, fmt.Errorf("output_validator_args: argument %d, %s: expected a decimal number of at least 0, "+
				"such as 1e-6, found %s", i+1, arg, Clip(args[i]))
		}
		for _, name := range tolerances[arg] {
			if given[name] != nil {
				return Rules{}, fmt.Errorf("output_validator_args: argument %d, %s: a tolerance is already set: "+
					"expected one float_tolerance, or at most one absolute and one relative tolerance", i, arg)
			}
			given[name] = eps
		}
	}
	r.absolute, r.relative = given[absoluteArg], given[relativeArg]
	return r, nil
}

// LegacyArgs converts the arguments of a legacy package to arguments that
// [ParseRules] accepts. The legacy format does not forbid repeated tolerances: the
// last one counts, for example when a group's flags follow those of problem.yaml.
func LegacyArgs(args []string) []string {
	if _, err := ParseRules(args); err == nil {
		return args
	}
	var rest []string
	last := make(map[string]string) // the value of each tolerance
	for i := 0; i < len(args); i++ {
		names := tolerances[args[i]]
		if names == nil || i+1 == len(args) {
			rest = append(rest, args[i])
			continue
		}
		i++
		for _, name := range names {
			last[name] = args[i]
		}
	}
	for _, name := range tolerances["float_tolerance"] {
		if value, ok := last[name]; ok {
			rest = append(rest, name, value)
		}
	}
	return rest
}

// floats reports whether numbers are compared as numbers.
func (r *Rules) floats() bool { return r.absolute != nil || r.relative != nil }
