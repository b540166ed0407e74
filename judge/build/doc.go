// Package build compiles programs in the sandbox and caches the results. It finds
// the compilers and runtimes of the machine, and makes the working folders in which
// programs run.
package build
