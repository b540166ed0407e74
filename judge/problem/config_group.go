package problem

import (
	"math"
	"slices"

	"crucible/judge/internal/yaml"
)

// groupKeys returns the keys of a group file.
func (d *dataReader) groupKeys(n *yaml.Node, g *Group, config *caseConfig) map[string]func(*yaml.Node) error {
	if d.p.Format.Legacy {
		return d.legacyGroupKeys(g, config)
	}
	keys := d.configKeys(config)
	keys["description"] = textTo(&config.description)
	if g.Name == "" && !d.p.Format.groupsInherit {
		for _, key := range []string{"max_score", "score_aggregation", "require_pass", "static_validation_score", "static_validator_args"} {
			keys[key] = func(n *yaml.Node) error {
				d.defects.warn(n.Errorf("%s: is not read here: expected in secret or in a folder of secret", key))
				return nil
			}
		}
		return keys
	}
	maps := d.scoreKeys(g)
	maps["static_validator_args"] = func(args *yaml.Node) error {
		if n.Get("static_validation_score") == nil {
			return args.Errorf("static_validator_args: expected static_validation_score as well")
		}
		_, err := args.AsStrings()
		return err
	}
	maps["static_validation_score"] = func(score *yaml.Node) error { return d.static(score, n.Get("static_validator_args"), g) }
	for key, read := range maps {
		keys[key] = read
	}
	if d.p.Format.groupsInherit {
		keys["hint"] = textTo(&config.hint)
		keys["scoring"] = func(n *yaml.Node) error {
			d.defects.fields(n, "scoring", map[string]func(*yaml.Node) error{
				"score": maps["max_score"], "max_score": maps["max_score"],
				"aggregation": maps["score_aggregation"], "require_pass": maps["require_pass"],
			})
			return nil
		}
		keys["static_validation"] = func(n *yaml.Node) error { return d.draftStatic(n, g) }
		keys["input_validator_flags"] = keys["input_validator_args"]
		keys["output_validator_flags"] = func(n *yaml.Node) (err error) { config.outputArgs, err = flags(n); return err }
	}
	return keys
}

// scoreKeys returns the keys for scoring problems (2025-09, "Test data configuration").
func (d *dataReader) scoreKeys(g *Group) map[string]func(*yaml.Node) error {
	only := func(key string, read func(*yaml.Node) error) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			switch {
			case !d.p.Is(Scoring):
				return d.defects.depart(n.Errorf("%s: not allowed in a pass-fail problem", key))
			case g.Name == "sample":
				return d.defects.depart(n.Errorf("%s: not allowed in sample", key))
			}
			return read(n)
		}
	}
	return map[string]func(*yaml.Node) error{
		"max_score": only("max_score", func(n *yaml.Node) error {
			g.scored = true
			if n.Text() == "unbounded" {
				g.MaxScore = math.Inf(1)
				return nil
			}
			v, err := n.AsInt()
			if err != nil || v < 0 {
				return n.Errorf("max_score %q: expected a non-negative integer or unbounded", n.Text())
			}
			g.MaxScore = float64(v)
			return nil
		}),
		"score_aggregation": only("score_aggregation", func(n *yaml.Node) error {
			word, err := n.AsString()
			if err == nil && !slices.Contains([]Aggregation{AllOrNothing, Sum, Min}, Aggregation(word)) {
				return n.Errorf("score_aggregation %q: expected pass-fail, sum or min", word)
			}
			g.Aggregation = Aggregation(word)
			return err
		}),
		"require_pass": only("require_pass", func(n *yaml.Node) (err error) {
			g.RequirePass, g.requireAt = nil, n
			if n.Kind() != yaml.Sequence || len(n.Items()) > 0 {
				g.RequirePass, err = n.AsStringOrStrings()
			}
			return err
		}),
	}
}

// static adds the static validation case of a group (2025-09, "Static
// validation test cases").
func (d *dataReader) static(score, args *yaml.Node, g *Group) error {
	s := &Static{}
	if args != nil {
		s.Args, _ = args.AsStrings() // its own key reports the error
	}
	if score.Text() == "pass-fail" {
		s.PassFail = true
	} else {
		v, err := score.AsInt()
		if err != nil || v < 0 {
			return score.Errorf("static_validation_score %q: expected a non-negative integer or pass-fail", score.Text())
		}
		s.MaxScore = float64(v)
	}
	return d.addStatic(score, s, g)
}

func (d *dataReader) addStatic(at *yaml.Node, s *Static, g *Group) error {
	if d.p.StaticValidator == nil {
		return at.Errorf("static_validation_score: expected a static validator in static_validator/")
	}
	g.staticAt = at
	g.Static = &Case{Name: g.Name + "/(static)", Group: g, Static: s, FullFeedback: g.Name == "sample", FS: d.p.FS}
	g.Cases = append(g.Cases, g.Static)
	return nil
}

// draftStatic reads static_validation, the key that drafts used: a boolean, or a
// map of score and args.
func (d *dataReader) draftStatic(n *yaml.Node, g *Group) error {
	s := &Static{PassFail: !d.p.Is(Scoring) || g.Aggregation == AllOrNothing}
	switch n.Kind() {
	case yaml.Bool:
		if on, _ := n.AsBool(); !on {
			return nil
		}
	case yaml.Map:
		d.defects.fields(n, "static_validation", map[string]func(*yaml.Node) error{
			"args": func(n *yaml.Node) (err error) { s.Args, err = d.arguments(n); return err },
			"score": func(n *yaml.Node) (err error) {
				s.MaxScore, err = n.AsFloat()
				s.PassFail = err != nil
				return err
			},
		})
	default:
		return n.Errorf("static_validation: expected a boolean or a map, found %v", n.Kind())
	}
	return d.addStatic(n, s, g)
}
