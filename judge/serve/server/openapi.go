package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/serve/blob"
)

// openapi answers with the document of all addresses.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, document(s.routes(), s.Judge))
}

// A schema is a JSON Schema, or another object of the document.
type schema = map[string]any

// document returns the OpenAPI 3.1 document of routes.
func document(routes []route, version string) schema {
	d := &schemas{named: schema{}}
	problem := schema{"description": "An error, as problem details (RFC 9457)",
		"content": d.content(&content{"application/problem+json", blob.Problem{}})}
	paths := schema{}
	for i := range routes {
		r := &routes[i]
		at, _ := paths[r.path].(schema)
		if at == nil {
			at = schema{}
			paths[r.path] = at
		}
		at[strings.ToLower(r.method)] = d.operation(r)
	}
	d.named["Record"] = recordSchema
	return schema{
		"openapi": "3.1.0",
		"info": schema{"title": "Crucible judge", "version": version,
			"description": "Judge programs on problems in the ICPC/Kattis problem package format. Every error is a sentence " +
				"in problem details. Status 429 and 503 have Retry-After."},
		"paths": paths,
		"components": schema{
			"schemas":         d.named,
			"responses":       schema{"Problem": problem},
			"securitySchemes": schema{"token": schema{"type": "http", "scheme": "bearer"}},
		},
	}
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// operation describes a route.
func (d *schemas) operation(r *route) schema {
	o := schema{"summary": r.summary,
		"operationId": strings.Trim(regexp.MustCompile(`[^a-z]+`).ReplaceAllString(strings.ToLower(r.method+"_"+r.path), "_"),
			"_")}
	parameters := []schema{}
	for _, name := range pathParameter.FindAllStringSubmatch(r.path, -1) {
		parameters = append(parameters, schema{"name": name[1], "in": "path", "required": true,
			"schema": schema{"type": "string"}})
	}
	for _, h := range r.headers {
		parameters = append(parameters, schema{"name": h.name, "in": "header", "description": h.about,
			"schema": schema{"type": "string"}})
	}
	if len(parameters) > 0 {
		o["parameters"] = parameters
	}
	if len(r.scopes) > 0 {
		o["security"] = []schema{{"token": []string{}}}
		scopes := slices.Compact(slices.Concat(r.scopes, []Scope{Admin}))
		o["description"] = "The token needs the scope " + scopesText(scopes, " or ") + "."
	}
	if r.takes != nil {
		o["requestBody"] = schema{"required": true, "content": d.content(r.takes)}
	}
	answers := schema{"default": schema{"$ref": "#/components/responses/Problem"}}
	status := r.status
	if status == 0 {
		status = http.StatusOK
	}
	for _, a := range append([]answer{{status, http.StatusText(status), r.gives}}, r.also...) {
		one := schema{"description": a.about}
		if a.gives != nil {
			one["content"] = d.content(a.gives)
		}
		answers[strconv.Itoa(a.status)] = one
	}
	o["responses"] = answers
	return o
}

// content describes a body.
func (d *schemas) content(c *content) schema {
	if c.of == nil {
		return schema{c.kind: schema{}}
	}
	return schema{c.kind: schema{"schema": d.of(reflect.TypeOf(c.of))}}
}

// schemas collects the schemas of Go types that JSON has as objects.
type schemas struct{ named schema }

// recordSchema describes the problem of a document of schema 1, as far as clients need
// it; package record has all keys.
var recordSchema = schema{
	"type": "object", "description": "The problem of a document of schema 1, with one submission: the package record " +
		"of the source describes all keys. New keys may be added.",
	"required": []string{"id", "limits", "cases", "submissions"},
	"properties": schema{
		"id": schema{"type": "string"}, "limits": schema{"type": "object"},
		"cases": schema{"type": "array", "items": schema{"type": "string"}},
		"submissions": schema{"type": "array", "items": schema{"type": "object",
			"required": []string{"name", "language", "verdict", "error", "skipped", "score", "compile", "runs"},
			"properties": schema{
				"name": schema{"type": "string"}, "language": schema{"type": "string"}, "verdict": schema{"type": "string"},
				"error": schema{"type": "string"},
				"runs": schema{"type": "array", "items": schema{"type": "object",
					"required": []string{"case", "verdict", "why", "cpu_ns", "error"}, // of others see [api.View]
					"properties": schema{"case": schema{"type": "string"}, "verdict": schema{"type": "string"},
						"why": schema{"type": "string"}, "error": schema{"type": "string"}, "teammessage": schema{"type": "string"},
						"cpu_ns": schema{"type": "integer"}, "wall_ns": schema{"type": "integer"},
						"memory_bytes": schema{"type": "integer"}, "exit": schema{"type": "integer"}},
				}},
			},
		}},
	},
}

// of returns the schema of the JSON of a Go type.
func (d *schemas) of(t reflect.Type) schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return schema{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return schema{"$ref": "#/components/schemas/Record"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.of(t.Elem())
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return schema{"type": "integer"}
	case reflect.Float64:
		return schema{"type": "number"}
	case reflect.Slice:
		return schema{"type": "array", "items": d.of(t.Elem())}
	case reflect.Map:
		s := schema{"type": "object"}
		if t.Elem().Kind() != reflect.Interface {
			s["additionalProperties"] = d.of(t.Elem())
		}
		return s
	case reflect.Struct:
		name := t.Name()
		if t == reflect.TypeFor[blob.Problem]() {
			name = "Error"
		}
		if d.named[name] == nil {
			d.named[name] = schema{} // ends the recursion
			d.named[name] = d.object(t)
		}
		return schema{"$ref": "#/components/schemas/" + name}
	}
	panic("no schema for " + t.String())
}

// object returns the schema of a struct. Keys that may be missing are not required.
func (d *schemas) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || f.PkgPath != "" {
			continue // an embedded struct, whose fields are visible, too
		}
		properties[name] = d.of(f.Type)
		if !strings.Contains(more, "omit") {
			required = append(required, name)
		}
	}
	return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
