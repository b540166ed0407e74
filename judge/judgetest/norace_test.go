//go:build !race

package judgetest_test

const raced = false
