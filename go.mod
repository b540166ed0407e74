module crucible

go 1.26.0

tool (
	crucible/judge/cmd/judge
	crucible/judge/cmd/judged
	crucible/judge/cmd/judgelab
	crucible/judge/cmd/judgevet
	golang.org/x/tools/cmd/deadcode
	golang.org/x/vuln/cmd/govulncheck
	honnef.co/go/tools/cmd/staticcheck
)

require (
	github.com/BurntSushi/toml v1.6.0 // problems of Library Checker are TOML
	github.com/alecthomas/chroma/v2 v2.27.0 // lexers of the languages that package mutate reads
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b // runs Temml, which converts formulas of statements
	github.com/fsnotify/fsnotify v1.10.1 // judge watch, judge listen
	github.com/go-json-experiment/json v1.27.2 // strict and streamed JSON of results
	github.com/nats-io/nats-server/v2 v2.15.2 // the queue, embedded in judged
	github.com/nats-io/nats.go v1.55.0 // its client
	github.com/spf13/cobra v1.10.2 // commands, flags, completion, manual pages
	github.com/spf13/pflag v1.0.9 // flags as cobra has them
	github.com/yuin/goldmark v1.8.7 // Markdown of statements
	go.yaml.in/yaml/v3 v3.0.6 // problem.yaml and others, with lines of errors
	golang.org/x/net v0.62.0 // HTML of statements; BPF of seccomp filters in tests
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // Go's benchmark format, and benchmath
	golang.org/x/sys v0.49.0 // system calls of the sandbox
	golang.org/x/term v0.47.0 // sizes and modes of terminals
	golang.org/x/text v0.43.0 // tags of languages of statements; normal forms of names
	golang.org/x/tools v0.52.0 // txtar, and go/analysis of judge vet
	gonum.org/v1/gonum v0.17.0 // distributions; stored results have its last digits
)

// Imported by tests only.
require (
	github.com/chromedp/cdproto v0.0.0-20250724212937-08a3db8b4327
	github.com/chromedp/chromedp v0.14.2
	github.com/google/go-cmp v0.7.0
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/mod v0.42.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/antithesishq/antithesis-sdk-go v0.8.0-default-no-op // indirect
	github.com/chromedp/sysutil v1.1.0 // indirect
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/gobwas/httphead v0.1.0 // indirect
	github.com/gobwas/pool v0.2.1 // indirect
	github.com/gobwas/ws v1.4.0 // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/jwt/v2 v2.8.2 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/telemetry v0.0.0-20261010193011-f71dc92da45e // indirect
	golang.org/x/time v0.16.0 // indirect
	golang.org/x/vuln v1.9.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)
