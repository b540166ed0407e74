package page

import (
	"maps"
	"slices"
)

// Patterns returns the patterns of all pages.
func (s *Site) Patterns() []string { return slices.Sorted(maps.Keys(s.routes())) }
