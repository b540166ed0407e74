// Package build compiles programs in the sandbox and caches the results: toolchains, compilation, cache of programs, working folders.
package build
