package server

import (
	"regexp"
	"strings"
)

// words are the words of a processor's model that name its kind.
var words = regexp.MustCompile(`[a-z]+[0-9]+|[a-z]{3,12}`)

// common are words that do not tell processors apart.
var common = map[string]bool{
	"amd": true, "intel": true, "arm": true, "genuine": true, "authentic": true, "cpu": true, "processor": true,
	"core": true, "cores": true,
	"virtual": true, "with": true, "gen": true, "generation": true, "ghz": true, "mhz": true, "the": true, "model": true,
	"unknown": true, "common": true, "kvm": true,
}

// Stem returns the first part of the names of classes of a processor: "epyc" of
// "AMD EPYC 9V74 80-Core Processor". If the model has no word for that, it is the
// architecture.
func Stem(cpu, arch string) string {
	text := strings.NewReplacer("(r)", " ", "(tm)", " ", "-core", " ").Replace(strings.ToLower(cpu))
	for _, w := range words.FindAllString(text, -1) {
		if !common[w] {
			return w
		}
	}
	if w := words.FindString(strings.ToLower(arch)); w != "" {
		return w
	}
	return "machine"
}
