//go:build !unix

package judge

// openHere opens what lies under the name itself, where the system can be told
// to.
const openHere = 0
