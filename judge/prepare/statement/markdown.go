package statement

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	goldmarkhtml "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"crucible/judge/internal/lazy"
)

// markdown returns the statement as HTML. Elements of HTML in it go through, because
// sanitize comes after this.
func (r *renderer) markdown() string {
	m := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Footnote),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(mathParser{}, 150),
			util.Prioritized(sampleParser{}, 160))),
		goldmark.WithRendererOptions(html.WithUnsafe(),
			goldmarkhtml.WithNodeRenderers(util.Prioritized(nodeRenderer{r}, 100))),
	)
	var b bytes.Buffer
	source := []byte(r.source)
	tree := m.Parser().Parse(text.NewReader(source))
	r.findLosses(tree)
	if err := m.Renderer().Render(&b, source, tree); err != nil {
		r.fail(-1, "Markdown: %v", err)
	}
	return b.String()
}

var (
	// undefined matches references in text to links, pictures and footnotes: the parser
	// leaves those in the text that have no definition.
	undefined = lazy.Regexp(`(?:^|[\s(])(!?\[[^\[\]]+\]\[[^\[\]]*\]|!\[[^\[\]]+\]|\[\^[^\[\]\s]+\])`)
	// noteDefinition matches the beginning of a footnote.
	noteDefinition = lazy.Regexp(`(?m)^ {0,3}\[\^([^\[\]\s]+)\]:`)
)

// findLosses warns of what Markdown leaves out: cells of tables, footnotes that nothing
// refers to, and references without a definition.
func (r *renderer) findLosses(tree ast.Node) {
	shown := []byte(r.source) // with dots in place of all but text
	for i, c := range shown {
		if c != '\n' {
			shown[i] = '.'
		}
	}
	notes := make(map[string]bool)
	ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := node.(type) {
		case *ast.Text:
			if n.Parent().Kind() != ast.KindCodeSpan {
				copy(shown[n.Segment.Start:n.Segment.Stop], r.source[n.Segment.Start:])
			}
		case *extast.Footnote:
			notes[string(n.Ref)] = true
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
				shown[line.Start] = '`'
			}
		case *extast.TableCell:
			if entering && n.NextSibling() == nil && n.Lines().Len() > 0 {
				end := n.Lines().At(0).Stop
				rest, _, _ := strings.Cut(r.source[end:], "\n")
				if rest = strings.Trim(rest, " \t|"); rest != "" {
					r.warn(end, "%s is left out: the row has more cells than the head of the table; "+
						"a bar in a cell is written \\|", quoteSource(rest))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	for _, at := range undefined().FindAllSubmatchIndex(shown, -1) {
		r.warn(at[2], "%s: a reference without a definition", quoteSource(r.source[at[2]:at[3]]))
	}
	for _, at := range noteDefinition().FindAllStringSubmatchIndex(r.source, -1) {
		if name := r.source[at[2]:at[3]]; !notes[name] && shown[at[0]] != '`' {
			r.warn(at[0], "the footnote %s is left out: nothing refers to it", quoteSource("[^"+name+"]"))
		}
	}
}

// Nodes of Markdown that CommonMark does not have.
var (
	kindMath   = ast.NewNodeKind("Math")
	kindSample = ast.NewNodeKind("Sample")
)

// A mathNode is a formula.
type mathNode struct {
	ast.BaseInline
	source  string
	offset  int // in the statement
	display bool
}

func (*mathNode) Kind() ast.NodeKind               { return kindMath }
func (n *mathNode) Dump(source []byte, levels int) { ast.DumpHelper(n, source, levels, nil, nil) }

// A mathParser parses formulas between dollars.
type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$'} }

func (mathParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	startLine, start := block.Position()
	line, _ := block.PeekLine()
	end := "$"
	if bytes.HasPrefix(line, []byte("$$")) {
		end = "$$"
	}
	block.Advance(len(end))
	n := &mathNode{display: end == "$$", offset: start.Start + len(end)}
	var formula strings.Builder
	for depth := 0; ; {
		line, _ := block.PeekLine()
		if line == nil {
			block.SetPosition(startLine, start)
			return nil
		}
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\':
				i++
			case c == '`' && codeSpan().Match(line[i:]): // it binds tighter than a formula
				block.SetPosition(startLine, start)
				return nil
			case c == '`':
				i += len(backticks().Find(line[i:])) - 1
			case c == '{':
				depth++
			case c == '}':
				depth--
			case depth <= 0 && bytes.HasPrefix(line[i:], []byte(end)):
				formula.Write(line[:i])
				if strings.TrimSpace(formula.String()) == "" {
					block.SetPosition(startLine, start)
					return nil
				}
				block.Advance(i + len(end))
				n.source = formula.String()
				for p := parent; p != nil; p = p.Parent() {
					if p.Kind() == extast.KindTableCell { // where | must be \|
						n.source = strings.ReplaceAll(n.source, `\|`, "|")
					}
				}
				return n
			}
		}
		formula.Write(line)
		block.AdvanceLine()
	}
}

// backticks matches a run of them, and codeSpan a code span of one or two on one line.
var (
	backticks = lazy.Regexp("^`+")
	codeSpan  = lazy.Regexp("^(?:`[^`]+`(?:[^`]|$)|``[^`](?:.*?[^`])?``(?:[^`]|$))")
)

// A sampleNode is {{nextsample}} or {{remainingsamples}}.
type sampleNode struct {
	ast.BaseInline
	command string
	offset  int
}

func (*sampleNode) Kind() ast.NodeKind               { return kindSample }
func (n *sampleNode) Dump(source []byte, levels int) { ast.DumpHelper(n, source, levels, nil, nil) }

// A sampleParser parses the commands that show samples.
type sampleParser struct{}

func (sampleParser) Trigger() []byte { return []byte{'{'} }

func (sampleParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, at := block.PeekLine()
	for _, command := range []string{"{{nextsample}}", "{{remainingsamples}}"} {
		if bytes.HasPrefix(line, []byte(command)) {
			block.Advance(len(command))
			return &sampleNode{command: command, offset: at.Start}
		}
	}
	return nil
}

// A nodeRenderer renders the nodes that CommonMark does not have.
type nodeRenderer struct{ *renderer }

func (r nodeRenderer) RegisterFuncs(to goldmarkhtml.NodeRendererFuncRegisterer) {
	to.Register(kindMath, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if n := node.(*mathNode); entering {
			w.WriteString(r.formula(n.source, n.offset, false, n.display))
		}
		return ast.WalkContinue, nil
	})
	to.Register(kindSample, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		n := node.(*sampleNode)
		switch {
		case !entering:
		case n.command == "{{remainingsamples}}":
			w.WriteString(r.remainingSamples())
		case len(r.samples) == 0:
			r.fail(n.offset, "{{nextsample}}: there are no more samples")
		default:
			w.WriteString(r.nextSample())
		}
		return ast.WalkContinue, nil
	})
}
