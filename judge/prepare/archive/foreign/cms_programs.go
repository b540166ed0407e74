package foreign

import (
	_ "embed" // for the wrapper of validators
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// checker adds the checker. Without one, CMS compares the words of each line.
func (r *cms) checker() error {
	for _, name := range []string{"check/checker", "cor/correttore"} {
		for _, ext := range []string{".cpp", ".cc", ".c"} {
			if !r.has(name + ext) {
				continue
			}
			return r.wrapped(wrappedProgram{
				what: "checker", files: []string{name + ext}, folder: "output_validator",
				defines: "#define PACKAGE_CMS\n#define PACKAGE_ARGUMENTS packageInput, packageAnswer, packageOutput,\n",
			})
		}
		if other := r.first(name, name+".py", name+".sh", name+".pas"); other != "" {
			r.used[r.at(other)] = true
			r.loseVerdicts(r.where(other),
				"the checker: expected its source in C or C++, %s.cpp; outputs are compared with the answers", name)
		}
	}
	r.validatorArgs = []string{"white-diff"}
	r.files["output_validator/lines_checker.cpp"] = archive.File{Data: linesChecker}
	return nil
}

// cmsValidator runs a validator in Python. The line that names it stands before it.
//
//go:embed cms_validator.py
var cmsValidator []byte

// validator adds the input validator, which has the number of the subtask as argument.
func (r *cms) validator() error {
	const folder = "input_validators/valida"
	for _, base := range []string{"gen/valida", "gen/validator", "gen/validatore"} {
		if name := r.first(base+".cpp", base+".cc", base+".c"); name != "" {
			return r.wrapped(wrappedProgram{what: "validator", files: []string{name}, folder: folder,
				defines: "#define PACKAGE_VALIDATOR\n"})
		}
		if name := r.first(base + ".py"); name != "" {
			for _, module := range r.beside(path.Base(name)) {
				r.files[folder+"/"+module] = archive.File{From: r.at("gen/" + module)}
			}
			r.files[folder+"/"+path.Base(name)] = archive.File{From: r.at(name)}
			r.files[folder+"/main.py"] = archive.File{Data: fmt.Appendf(nil, "PROGRAM = %q\n%s", path.Base(name), cmsValidator)}
			return nil
		}
		if name := r.first(base, base+".sh", base+".pas"); name != "" {
			r.lose(r.where(name), "the input validator: expected its source in C, C++ or Python")
			return nil
		}
	}
	return nil
}

// cmsLanguages are the folders of include/ and the extensions of their sources.
var cmsLanguages = map[string]string{".c": "c", ".cpp": "cpp", ".cc": "cpp", ".pas": "pascal", ".java": "java",
	".py": "python3", ".sh": "bash", ".rs": "rust", ".go": "go"}

// solutions adds the programs in sol/. That named soluzione or solution is the main one;
// CMS has no expectations for the others.
func (r *cms) solutions() error {
	entries, err := r.src.ReadDir(r.at("sol"))
	if err != nil {
		return nil // without solutions
	}
	grader := r.graders()
	for _, e := range entries {
		name := e.Name()
		ext := path.Ext(name)
		base := strings.TrimSuffix(name, ext)
		if cmsLanguages[ext] == "" || base == "grader" || !r.has("sol/"+name) {
			continue
		}
		lost := ""
		switch {
		case strings.HasPrefix(base, "template") || base == "stub" || problem.IgnoredName(name):
			lost = "the file, which is no solution or has a name that the format ignores"
		case grader && cmsLanguages[ext][0] != 'c':
			lost = "the solution: expected one in C or C++, because graders of other languages are not supported"
		case grader && !r.has("sol/grader"+ext):
			lost = "the solution: sol/grader" + ext + " is missing"
		}
		if lost != "" {
			r.lose(r.where("sol/"+name), "%s", lost)
			r.used[r.at("sol/"+name)] = true
			continue
		}
		files, err := r.sources("sol/" + name)
		if err != nil {
			return err
		}
		if main := files[name]; cmsLanguages[ext][0] == 'c' && usesEVAL().Match(main.Data) {
			files[name] = archive.File{Data: slices.Concat([]byte("#define EVAL\n#line 1\n"), main.Data)}
			r.carry(r.where("sol/"+name), "the macro EVAL, which CMS defines")
		}
		maps.DeleteFunc(files, func(file string, _ archive.File) bool {
			_, included := r.files["include/"+cmsLanguages[ext]+"/"+file]
			return included
		})
		folder := "other"
		if base == "soluzione" || base == "solution" {
			folder = "accepted"
		}
		at := r.submission(folder, files, "sol/"+name)
		if folder == "accepted" && (r.solution == "" || ext == ".cpp") {
			r.solution = at
		}
	}
	return nil
}

// usesEVAL matches programs that use the macro which CMS defines for submissions.
var usesEVAL = lazy.Regexp(`\bEVAL\b`)

// graders adds the sources sol/grader.* in C and C++ and the headers beside them, with which
// submissions are compiled. It reports whether there are any.
func (r *cms) graders() bool {
	found := false
	entries, _ := r.src.ReadDir(r.at("sol"))
	for ext, lang := range cmsLanguages {
		if !r.has("sol/grader" + ext) {
			continue
		}
		found = true
		if lang[0] != 'c' {
			r.used[r.at("sol/grader"+ext)] = true
			r.loseVerdicts(r.where("sol/grader"+ext), "the grader: submissions in %s are not called by it", lang)
			continue
		}
		for _, e := range entries {
			name := e.Name()
			header := slices.Contains([]string{".h", ".hpp"}, path.Ext(name))
			if !(header || name == "grader"+ext) || problem.IgnoredName(name) || !r.has("sol/"+name) {
				continue
			}
			text, err := r.read("sol/"+name, maxSource)
			if err == nil && usesEVAL().Match(text) {
				text = slices.Concat([]byte("#define EVAL\n#line 1\n"), text)
			}
			r.wrong.Add(err)
			r.files["include/"+lang+"/"+name] = archive.File{Data: text}
		}
	}
	return found
}
