package yaml

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Marshal returns a value as a YAML document, indented by two spaces.
func Marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
