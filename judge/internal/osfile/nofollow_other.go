//go:build !unix

package osfile

// NoFollow opens what lies under the name itself, where the system can be told
// to.
const NoFollow = 0
