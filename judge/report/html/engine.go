package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"sync"
)

// htmlTemplate is the page.
var htmlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.tmpl").Funcs(htmlFuncs).ParseFS(htmlFiles, "page.tmpl"))
})

// htmlAssets are what every page carries.
type htmlAssets struct {
	style, script, engine string // engine is gzip in base64
	policy, bare          string // with and without the engine
	err                   error
}

// assets compresses Vega, once: it is 40 times as long as a page without it.
var assets = sync.OnceValue(func() (a htmlAssets) {
	read := func(name string) string {
		b, err := htmlFiles.ReadFile(name)
		if err != nil {
			a.err = err
		}
		return string(b)
	}
	a.style, a.script = read("style.css"), read("page.js")
	engine := read("vega.js") + "globalThis.pictures=" + read("pictures.json")
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one
	if _, err := z.Write([]byte(engine)); err != nil {
		a.err = err
	}
	if err := z.Close(); err != nil {
		a.err = err
	}
	a.engine = base64.StdEncoding.EncodeToString(b.Bytes())
	const policy = "default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'"
	a.bare = fmt.Sprintf(policy, digest(a.style), digest(a.script))
	a.policy = fmt.Sprintf(policy, digest(a.style), digest(a.script)+" "+digest(engine))
	return a
})

// digest names a text for a Content-Security-Policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// arm gives the page its style, scripts and policy.
func (p *page) arm() error {
	a := assets()
	if a.err != nil {
		return a.err
	}
	p.Policy, p.Style = a.bare, template.CSS(a.style)
	if drawn, ok := p.Pictures.(drawnPictures); ok && len(drawn.Pictures) > 0 {
		p.Policy, p.Engine = a.policy, template.HTML(a.engine)
	}
	p.Script = template.HTML("<script>" + a.script + "</script>")
	return nil
}
