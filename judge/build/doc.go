// Package build compiles programs in the sandbox and keeps what it built in a
// cache: toolchains, compilation, cache of programs, working folders.
package build
