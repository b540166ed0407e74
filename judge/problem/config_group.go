package problem

import (
	"math"

	"crucible/judge/internal/yaml"
)

// groupKeys returns the keys of a group file.
func (d *dataReader) groupKeys(n *yaml.Node, g *Group, config *Case) map[string]reader {
	if d.p.Format.Legacy {
		return d.legacyGroupKeys(g, config)
	}
	keys := d.configKeys(config)
	scores := d.scoreKeys(g)
	scores["static_validator_args"] = func(args *yaml.Node) error {
		if n.Get("static_validation_score") == nil {
			return args.Errorf("static_validator_args: expected static_validation_score as well")
		}
		return checked((*yaml.Node).AsStrings)(args)
	}
	scores["static_validation_score"] = func(score *yaml.Node) error {
		return d.static(score,
			n.Get("static_validator_args"), g)
	}
	for key, read := range scores {
		keys[key] = func(n *yaml.Node) error {
			if g.Name == "" && !d.p.Format.groupsInherit {
				d.defects.warn(n.Errorf("%s: is not read here: expected in secret or in a folder of secret", key))
				return nil
			}
			return read(n)
		}
	}
	if d.p.Format.groupsInherit {
		keys["hint"] = into(&config.Hint, (*yaml.Node).AsString)
		keys["scoring"] = func(n *yaml.Node) error {
			d.defects.fields(n, "scoring", map[string]reader{
				"score": scores["max_score"], "max_score": scores["max_score"],
				"aggregation": scores["score_aggregation"], "require_pass": scores["require_pass"],
			})
			return nil
		}
		keys["static_validation"] = func(n *yaml.Node) error { return d.draftStatic(n, g) }
		keys["input_validator_flags"] = keys["input_validator_args"]
		keys["output_validator_flags"] = into(&config.OutputValidatorArgs, flags)
	}
	return keys
}

// scoreKeys returns the keys for scoring problems (2025-09, "Test data configuration").
func (d *dataReader) scoreKeys(g *Group) map[string]reader {
	keys := map[string]reader{
		"max_score": func(n *yaml.Node) error {
			score, unbounded, err := scoreOr(n, "max_score", "unbounded")
			if g.MaxScore, g.scored = score, true; unbounded {
				g.MaxScore = math.Inf(1)
			}
			return err
		},
		"score_aggregation": into(&g.Aggregation, oneOf("score_aggregation", AllOrNothing, Sum, Min)),
		"require_pass": func(n *yaml.Node) (err error) {
			g.RequirePass, g.requireAt = nil, n
			if n.Kind() != yaml.Sequence || len(n.Items()) > 0 {
				g.RequirePass, err = n.AsStringOrStrings()
			}
			return err
		},
	}
	for key, read := range keys {
		keys[key] = func(n *yaml.Node) error {
			switch {
			case !d.p.Is(Scoring):
				return d.defects.depart(n.Errorf("%s: not allowed in a pass-fail problem", key))
			case g.Name == "sample":
				return d.defects.depart(n.Errorf("%s: not allowed in sample", key))
			}
			return read(n)
		}
	}
	return keys
}

// static adds the static validation case of a group (2025-09, "Static
// validation test cases").
func (d *dataReader) static(score, args *yaml.Node, g *Group) (err error) {
	s := &Static{}
	if args != nil {
		s.Args, _ = args.AsStrings() // its own key reports the error
	}
	if s.MaxScore, s.PassFail, err = scoreOr(score, "static_validation_score", "pass-fail"); err != nil {
		return err
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
		d.defects.fields(n, "static_validation", map[string]reader{
			"args": into(&s.Args, d.arguments),
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
