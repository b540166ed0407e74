package problem

import (
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
)

// Credits are the people and contests that a problem comes from.
type Credits struct {
	Authors     []string            // names, some with an address in angle brackets
	Translators map[string][]string // by language code
	Sources     []Origin
	Owner       string // rights_owner of problem.yaml; "" if it has none
}

// An Origin is where a problem was first used, such as a contest.
type Origin struct {
	Name string
	URL  string // "" if not known
}

// checkOwner checks that the license has the rights owner that it requires
// (2025-09, "Rights owner"; legacy, "License").
func (m *metadata) checkOwner(root *yaml.Node) {
	owner, credits := root.Get("rights_owner"), root.Get("credits")
	named := root.Get("author") != nil || root.Get("source") != nil ||
		credits != nil && (credits.Kind() != yaml.Map || credits.Get("authors") != nil)
	switch license := m.p.License; {
	case license == "public domain" && owner != nil:
		m.Add(m.depart(owner.Errorf("rights_owner: not allowed for a problem in the public domain")))
	case license != "public domain" && license != "unknown" && slices.Contains(licenses, license) && owner == nil &&
		!named:
		m.Add(m.depart(root.Get("license").Errorf("license %q: expected a rights_owner, authors in credits, or a source",
			license)))
	}
}

func (m *metadata) license(n *yaml.Node) error {
	license, err := n.AsString()
	if err != nil {
		return err
	}
	m.p.License = license
	if !slices.Contains(licenses, license) {
		return m.depart(n.Errorf("license %q: expected one of %s", license, strings.Join(licenses, ", ")))
	}
	return nil
}

func (m *metadata) credits(n *yaml.Node) error {
	if n.Kind() == yaml.String {
		doubtPerson(n, n.Text(), m.Defects)
		m.p.Credits.Authors = []string{n.Text()}
		return nil
	}
	people := func(n *yaml.Node) ([]string, error) { return people(n, m.Defects) }
	persons := checked(people)
	m.fields(n, "credits", map[string]reader{
		"authors": into(&m.p.Credits.Authors, people), "contributors": persons, "testers": persons,
		"packagers": persons, "acknowledgements": persons,
		"translators": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map {
				return n.Errorf("translators: expected a map from language code to persons, found %v", n.Kind())
			}
			for _, f := range n.Fields() {
				if err := m.language("translators", f.Key); err != nil {
					return err
				}
				names, err := people(f.Value)
				if err != nil {
					return err
				}
				if m.p.Credits.Translators == nil {
					m.p.Credits.Translators = make(map[string][]string)
				}
				m.p.Credits.Translators[f.Key.Text()] = names
			}
			return nil
		},
	})
	return nil
}

// people reads one person or a sequence of them (2025-09, "Credits").
func people(n *yaml.Node, defects *Defects) (names []string, err error) {
	persons := oneOrMore(n)
	if len(persons) == 0 {
		return nil, n.Errorf("expected at least one person")
	}
	for _, person := range persons {
		name, err := defects.named(person, "person", "email", "orcid", "kattis")
		if err != nil {
			return nil, err
		}
		doubtPerson(name, name.Text(), defects)
		names = append(names, name.Text())
	}
	return names, nil
}

// named reads text, or a map with the key name and other optional keys that are text,
// and returns the node of the name.
func (d *Defects) named(n *yaml.Node, what string, optional ...string) (name *yaml.Node, err error) {
	text := checked((*yaml.Node).AsString)
	if n.Kind() != yaml.Map {
		return n, text(n)
	}
	keys := map[string]reader{"name": text}
	for _, key := range optional {
		keys[key] = text
	}
	d.fields(n, what, keys)
	if name = n.Get("name"); name == nil {
		return nil, n.Errorf("%s: key name is missing", what)
	}
	return name, nil
}

// doubtPerson reports a doubt for a name that probably lists several persons,
// using the same signs as BAPCtools.
func doubtPerson(at *yaml.Node, name string, defects *Defects) {
	name, _, _ = strings.Cut(name, "<")
	for _, sign := range []string{",", " and ", "&"} {
		if strings.Contains(name, sign) {
			defects.doubt(at.Errorf("person %q: seems to be several persons, because of %q: expected a list of persons",
				strings.TrimSpace(name), strings.TrimSpace(sign)))
			return
		}
	}
}

func (m *metadata) source(n *yaml.Node) error {
	return firstError(oneOrMore(n), func(item *yaml.Node) error {
		name, err := m.named(item, "source", "url")
		if err != nil {
			return err
		}
		origin := Origin{Name: name.Text()}
		if item.Kind() == yaml.Map && item.Get("url") != nil {
			origin.URL = item.Get("url").Text()
		}
		m.p.Credits.Sources = append(m.p.Credits.Sources, origin)
		return nil
	})
}
