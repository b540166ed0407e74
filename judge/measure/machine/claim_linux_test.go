package machine

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

func TestClaim(t *testing.T) {
	first := 1<<20 + os.Getpid()*4 // no machine has these processors, and no other test uses them
	order := []int{first + 2, first, first + 1}
	two, freeTwo := Claim(order, 2)
	if !slices.Equal(two, order[:2]) {
		t.Fatalf("Claim gives %v, expected the first two of %v", two, order)
	}
	if none, _ := Claim(order, 2); none != nil {
		t.Errorf("a second Claim gives %v, expected nil: one is free", none)
	}
	one, freeOne := Claim(order, 1)
	if !slices.Equal(one, order[2:]) {
		t.Errorf("a second Claim gives %v, expected %v", one, order[2:])
	}
	freeTwo()
	again, free := Claim(order, 2)
	if !slices.Equal(again, order[:2]) {
		t.Errorf("after free, Claim gives %v, expected %v", again, order[:2])
	}
	free()
	freeOne()
}

func TestStay(t *testing.T) {
	allowed := Allowed()
	if len(allowed) == 0 {
		t.Skip("the system does not provide the affinity")
	}
	defer Stay(allowed)
	Stay(allowed[:1])
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		id, _ := strconv.Atoi(thread.Name())
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(id, &set); err == nil && (set.Count() != 1 || !set.IsSet(allowed[0])) {
			t.Errorf("thread %d may use %d processors, expected processor %d only", id, set.Count(), allowed[0])
		}
	}
}
