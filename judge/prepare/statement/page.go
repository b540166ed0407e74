package statement

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
	"time"

	"crucible/judge/terminal"
)

//go:embed page.tmpl
var pageSource string

//go:embed page.css
var pageStyle string

//go:embed temml/temml.css
var temmlStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// sheet is the style sheet of every page.
var sheet = template.CSS(temmlStyle + pageStyle)

// Style returns the style sheet of statements, for a page that contains a Body.
func Style() string { return string(sheet) }

// policy forbids scripts, forms, frames and requests. Pictures are data: URLs. The style
// sheet has its hash; the style attributes have passed safeStyle.
var policy = func() string {
	hash := sha256.Sum256([]byte("\n" + string(sheet)))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}()

// A fact is a row of the header or of the footer of a page.
type fact struct {
	Name, Value string
	URL         string // "" if there is none
}

// HTML returns the page as a document. The same statement gives the same bytes.
func (p *Page) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{
		"Policy": policy, "Style": sheet, "Language": p.Language, "Name": p.Name,
		"Heading": template.HTML(p.Heading), "Body": template.HTML(p.Body), // both are sanitized
		"Limits": p.limits(), "Credits": p.credits(),
	})
	return b.Bytes(), err
}

// limits returns the limits of the problem.
func (p *Page) limits() (facts []fact) {
	if limit := p.problem.Limits.Time; limit > 0 {
		unit := p.words.seconds
		if limit == time.Second {
			unit = p.words.second
		}
		facts = append(facts, fact{Name: p.words.timeLimit, Value: inSeconds(limit) + " " + unit})
	}
	return append(facts, fact{Name: p.words.memoryLimit, Value: terminal.Bytes(p.problem.Limits.Memory)})
}

// licenseURLs are the texts of the licenses of the format (2025-09, "License").
var licenseURLs = map[string]string{
	"public domain": "https://creativecommons.org/about/pdm",
	"cc0":           "https://creativecommons.org/publicdomain/zero/1.0/",
	"cc by":         "https://creativecommons.org/licenses/by/4.0/",
	"cc by-sa":      "https://creativecommons.org/licenses/by-sa/4.0/",
}

// credits returns the author, source and license of the problem.
func (p *Page) credits() (facts []fact) {
	c := p.problem.Credits
	add := func(name, value, url string) {
		if value = visible(value); value != "" {
			if !safeURL(url) {
				url = ""
			}
			facts = append(facts, fact{name, value, url})
		}
	}
	add(p.words.author, people(c.Authors), "")
	add(p.words.translation, people(c.Translators[p.Language]), "")
	for _, source := range c.Sources {
		add(p.words.source, source.Name, source.URL)
	}
	license := p.problem.License
	if license == "unknown" {
		return facts
	}
	value := license
	if strings.HasPrefix(license, "cc") {
		value = strings.ToUpper(license)
	}
	if c.Owner != "" && c.Owner != people(c.Authors) {
		value += ", " + c.Owner
	}
	add(p.words.license, value, licenseURLs[license])
	return facts
}

// people lists persons without their addresses.
func people(persons []string) string {
	var all []string
	for _, person := range persons {
		name, _, _ := strings.Cut(person, "<")
		all = append(all, strings.TrimSpace(name))
	}
	return strings.Join(all, ", ")
}
