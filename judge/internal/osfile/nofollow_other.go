//go:build !unix

package osfile

// NoWait and NoFollow are 0 on systems that have no such flags.
const NoWait, NoFollow = 0, 0
