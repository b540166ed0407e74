//go:build !unix

package osfile

// NoFollow is 0 on systems that have no such flag.
const NoFollow = 0
