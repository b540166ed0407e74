//go:build !linux

package machine

import "time"

const hasThreadTime = false

func threadTime() time.Duration { return 0 }

func newMemory(words int) (memory []uint64, release func()) {
	return make([]uint64, words), func() {}
}
