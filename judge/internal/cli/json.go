package cli

import json "github.com/go-json-experiment/json/v1"

// PrintJSON prints a value as indented JSON.
func PrintJSON(e *Env, value any) error {
	j := json.NewEncoder(e.Stdout)
	j.SetIndent("", "  ")
	return j.Encode(value)
}
