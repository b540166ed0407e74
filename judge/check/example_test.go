package check_test

import (
	"fmt"
	"log"
	"strings"

	"crucible/judge/check"
)

// The rules of the default output validator compare two outputs.
func ExampleRules_Check() {
	rules, err := check.ParseRules([]string{"float_tolerance", "1e-6"})
	if err != nil {
		log.Fatal(err)
	}
	for _, output := range []string{"yes 0.33333333\n", "yes 0.34\n"} {
		found, err := rules.Check(check.Case{Answer: strings.NewReader("Yes 0.333333\n"), Output: strings.NewReader(output)})
		if err != nil {
			log.Fatal(err) // a reader failed
		}
		fmt.Println(strings.TrimSpace(fmt.Sprint(found.OK, " ", found.Why)))
	}
	// Output:
	// true
	// false line 1, column 5: got "0.34", expected a number nearer "0.333333": off by 0.00667 (0.02 relative), allowed 1e-6 or 1e-6 relative
}
