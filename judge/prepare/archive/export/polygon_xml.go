package export

import "encoding/xml"

// The elements of problem.xml, as Polygon writes them.

type polygonProblem struct {
	XMLName     xml.Name            `xml:"problem"`
	Revision    int                 `xml:"revision,attr"`
	ShortName   string              `xml:"short-name,attr"`
	URL         string              `xml:"url,attr,omitempty"`
	Names       []polygonName       `xml:"names>name"`
	Statements  []polygonStatement  `xml:"statements>statement"`
	Tutorials   []polygonStatement  `xml:"tutorials>tutorial"`
	Judging     polygonJudging      `xml:"judging"`
	Resources   []polygonSource     `xml:"files>resources>file"`
	Executables []polygonExecutable `xml:"files>executables>executable"`
	Assets      polygonAssets       `xml:"assets"`
	Tags        []polygonTag        `xml:"tags>tag"`
}

type polygonName struct {
	Language string `xml:"language,attr"`
	Value    string `xml:"value,attr"`
}

type polygonStatement struct {
	Charset  string `xml:"charset,attr,omitempty"`
	Language string `xml:"language,attr"`
	Mathjax  bool   `xml:"mathjax,attr,omitempty"`
	Path     string `xml:"path,attr"`
	Type     string `xml:"type,attr"`
}

type polygonJudging struct {
	Input  string       `xml:"input-file,attr"`
	Output string       `xml:"output-file,attr"`
	Tests  polygonTests `xml:"testset"`
}

type polygonTests struct {
	Name   string         `xml:"name,attr"`
	Time   int64          `xml:"time-limit"`   // milliseconds
	Memory int64          `xml:"memory-limit"` // bytes
	Count  int            `xml:"test-count"`
	Input  string         `xml:"input-path-pattern"`
	Answer string         `xml:"answer-path-pattern"`
	Tests  []polygonTest  `xml:"tests>test"`
	Groups *polygonGroups `xml:"groups"`
}

type polygonTest struct {
	Command string   `xml:"cmd,attr,omitempty"`
	Group   string   `xml:"group,attr,omitempty"`
	Method  string   `xml:"method,attr"`
	Points  *float64 `xml:"points,attr"`
	Sample  bool     `xml:"sample,attr,omitempty"`
}

type polygonGroups struct {
	Groups []polygonGroup `xml:"group"`
}

type polygonGroup struct {
	Feedback     string               `xml:"feedback-policy,attr"`
	Name         string               `xml:"name,attr"`
	Points       *float64             `xml:"points,attr"`
	Policy       string               `xml:"points-policy,attr"`
	Dependencies *polygonDependencies `xml:"dependencies"`
}

type polygonDependencies struct {
	Groups []polygonDependency `xml:"dependency"`
}

type polygonDependency struct {
	Group string `xml:"group,attr"`
}

type polygonSource struct {
	Path string `xml:"path,attr"`
	Type string `xml:"type,attr"`
}

type polygonExecutable struct {
	Source polygonSource `xml:"source"`
}

type polygonAssets struct {
	Checker    *polygonProgram   `xml:"checker"`
	Interactor *polygonProgram   `xml:"interactor"`
	Validators []polygonProgram  `xml:"validators>validator"`
	Solutions  []polygonSolution `xml:"solutions>solution"`
}

type polygonProgram struct {
	Type   string           `xml:"type,attr,omitempty"`
	Source polygonSource    `xml:"source"`
	Tests  *polygonOwnTests `xml:"testset"`
}

type polygonOwnTests struct {
	Count  int              `xml:"test-count"`
	Input  string           `xml:"input-path-pattern"`
	Output string           `xml:"output-path-pattern,omitempty"`
	Answer string           `xml:"answer-path-pattern,omitempty"`
	Tests  []polygonOwnTest `xml:"tests>test"`
}

type polygonOwnTest struct {
	Verdict string `xml:"verdict,attr"`
}

type polygonSolution struct {
	Tag    string        `xml:"tag,attr"`
	Source polygonSource `xml:"source"`
}

type polygonTag struct {
	Value string `xml:"value,attr"`
}
