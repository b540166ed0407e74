package main

import (
	"embed" // want `a judge forbids import "embed"`
	"fmt"
	_ "net/http/pprof" // want `a judge forbids import "net/http/pprof": programs run without a network`
	"os"
	"os/exec" // want `programs may not start other programs`
	"unsafe"  // want `a judge forbids import "unsafe"`

	"example.com/trees" // want `it is not in the standard library`
)

var files embed.FS

func main() {
	fmt.Println(trees.New(), exec.Command, unsafe.Sizeof(files), os.Args)
}
