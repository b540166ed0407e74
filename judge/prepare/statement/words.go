package statement

import (
	"strconv"
	"strings"
	"time"
)

// A words has the words that a page adds to a statement, in one language.
type words struct {
	input, output, interaction, note, scoring    string // headings of sections
	sampleInput, sampleOutput, sampleInteraction string
	sample, pass, read, write, arguments         string
	timeLimit, memoryLimit, second, seconds      string
	figure, table                                string
	author, translation, source, license         string
}

// translations are the words by language code. Other languages have the English ones.
var translations = map[string]words{
	"en": {
		input: "Input", output: "Output", interaction: "Interaction", note: "Note", scoring: "Scoring",
		sampleInput: "Sample Input", sampleOutput: "Sample Output", sampleInteraction: "Sample Interaction",
		sample: "Sample", pass: "Pass", read: "Read", write: "Write", arguments: "Arguments",
		timeLimit: "Time limit", memoryLimit: "Memory limit", second: "second", seconds: "seconds",
		figure: "Figure", table: "Table",
		author: "Author", translation: "Translation", source: "Source", license: "License",
	},
	"da": {
		input: "Input", output: "Output", interaction: "Interaktion", note: "Bemærkning", scoring: "Point",
		sampleInput: "Eksempel på input", sampleOutput: "Eksempel på output", sampleInteraction: "Eksempel på interaktion",
		sample: "Eksempel", pass: "Gennemløb", read: "Læs", write: "Skriv", arguments: "Argumenter",
		timeLimit: "Tidsgrænse", memoryLimit: "Hukommelsesgrænse", second: "sekund", seconds: "sekunder",
		figure: "Figur", table: "Tabel",
		author: "Forfatter", translation: "Oversættelse", source: "Kilde", license: "Licens",
	},
	"de": {
		input: "Eingabe", output: "Ausgabe", interaction: "Interaktion", note: "Hinweis", scoring: "Punkte",
		sampleInput: "Beispieleingabe", sampleOutput: "Beispielausgabe", sampleInteraction: "Beispielinteraktion",
		sample: "Beispiel", pass: "Durchlauf", read: "Lesen", write: "Schreiben", arguments: "Argumente",
		timeLimit: "Zeitlimit", memoryLimit: "Speicherlimit", second: "Sekunde", seconds: "Sekunden",
		figure: "Abbildung", table: "Tabelle",
		author: "Autor", translation: "Übersetzung", source: "Quelle", license: "Lizenz",
	},
	"nl": {
		input: "Invoer", output: "Uitvoer", interaction: "Interactie", note: "Opmerking", scoring: "Score",
		sampleInput: "Voorbeeldinvoer", sampleOutput: "Voorbeelduitvoer", sampleInteraction: "Voorbeeldinteractie",
		sample: "Voorbeeld", pass: "Ronde", read: "Lees", write: "Schrijf", arguments: "Argumenten",
		timeLimit: "Tijdslimiet", memoryLimit: "Geheugenlimiet", second: "seconde", seconds: "seconden",
		figure: "Figuur", table: "Tabel",
		author: "Auteur", translation: "Vertaling", source: "Bron", license: "Licentie",
	},
	"sv": {
		input: "Indata", output: "Utdata", interaction: "Interaktion", note: "Anmärkning", scoring: "Poängsättning",
		sampleInput: "Exempel på indata", sampleOutput: "Exempel på utdata", sampleInteraction: "Exempel på interaktion",
		sample: "Exempel", pass: "Omgång", read: "Läs", write: "Skriv", arguments: "Argument",
		timeLimit: "Tidsgräns", memoryLimit: "Minnesgräns", second: "sekund", seconds: "sekunder",
		figure: "Figur", table: "Tabell",
		author: "Författare", translation: "Översättning", source: "Källa", license: "Licens",
	},
}

// wordsOf returns the words of a language, with or without a region.
func wordsOf(language string) *words {
	base, _, _ := strings.Cut(language, "-")
	w, ok := translations[base]
	if !ok {
		w = translations["en"]
	}
	return &w
}

// inSeconds returns a time in seconds without their unit.
func inSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
