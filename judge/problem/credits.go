package problem

import (
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
)

// checkOwner checks that the license has the rights owner that it requires
// (2025-09, "Rights owner"; legacy, "License").
func (m *metadata) checkOwner(root *yaml.Node) {
	owner, credits := root.Get("rights_owner"), root.Get("credits")
	named := root.Get("author") != nil || root.Get("source") != nil ||
		credits != nil && (credits.Kind() != yaml.Map || credits.Get("authors") != nil)
	switch license := m.p.License; {
	case license == "public domain" && owner != nil:
		m.Add(m.depart(owner.Errorf("rights_owner: not allowed for a problem in the public domain")))
	case license != "public domain" && license != "unknown" && slices.Contains(licenses, license) && owner == nil && !named:
		m.Add(m.depart(root.Get("license").Errorf("license %q: expected a rights_owner, authors in credits, or a source", license)))
	}
}

func readLicense(m *metadata, n *yaml.Node) error {
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

func readCredits(m *metadata, n *yaml.Node) error {
	if n.Kind() == yaml.String {
		doubtPerson(n, n.Text(), m.Defects)
		return nil
	}
	persons := func(n *yaml.Node) error { _, err := people(n, m.Defects); return err }
	m.fields(n, "credits", map[string]func(*yaml.Node) error{
		"authors": persons, "contributors": persons, "testers": persons,
		"packagers": persons, "acknowledgements": persons,
		"translators": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map {
				return n.Errorf("translators: expected a map from language code to persons, found %v", n.Kind())
			}
			for _, f := range n.Fields() {
				if err := m.language("translators", f.Key); err != nil {
					return err
				}
				if err := persons(f.Value); err != nil {
					return err
				}
			}
			return nil
		},
	})
	return nil
}

// people reads one person or a sequence of them (2025-09, "Credits").
func people(n *yaml.Node, defects *Defects) ([]string, error) {
	items := []*yaml.Node{n}
	if n.Kind() == yaml.Sequence {
		if items = n.Items(); len(items) == 0 {
			return nil, n.Errorf("expected at least one person")
		}
	}
	var names []string
	for _, item := range items {
		if item.Kind() != yaml.Map {
			name, err := item.AsString()
			if err != nil {
				return nil, err
			}
			doubtPerson(item, name, defects)
			names = append(names, name)
			continue
		}
		text := func(n *yaml.Node) error { _, err := n.AsString(); return err }
		defects.fields(item, "person", map[string]func(*yaml.Node) error{"name": text, "email": text, "orcid": text, "kattis": text})
		name := item.Get("name")
		if name == nil {
			return nil, item.Errorf("person: key name is missing")
		}
		doubtPerson(name, name.Text(), defects)
		names = append(names, name.Text())
	}
	return names, nil
}

// doubtPerson reports a doubt for a name that probably lists several persons,
// using the same signs as BAPCtools.
func doubtPerson(at *yaml.Node, name string, defects *Defects) {
	name, _, _ = strings.Cut(name, "<")
	for _, sign := range []string{",", " and ", "&"} {
		if strings.Contains(name, sign) {
			defects.doubt(at.Errorf("person %q: seems to be several persons, because of %q: expected a list of persons", strings.TrimSpace(name), strings.TrimSpace(sign)))
			return
		}
	}
}

func readSource(m *metadata, n *yaml.Node) error {
	items := []*yaml.Node{n}
	if n.Kind() == yaml.Sequence {
		items = n.Items()
	}
	for _, item := range items {
		if item.Kind() != yaml.Map {
			if _, err := item.AsString(); err != nil {
				return err
			}
			continue
		}
		text := func(n *yaml.Node) error { _, err := n.AsString(); return err }
		m.fields(item, "source", map[string]func(*yaml.Node) error{"name": text, "url": text})
		if item.Get("name") == nil {
			return item.Errorf("source: key name is missing")
		}
	}
	return nil
}
