package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	reader := bufio.NewReader(os.Stdin)
	var h, w int
	fmt.Fscan(reader, &h, &w)
	dist := make([]int, h*w)
	for i := range dist {
		dist[i] = -1
	}
	queue := []int32{0}
	dist[0] = 0
	for len(queue) > 0 {
		cur := int(queue[0])
		queue = queue[1:]
		y, x := cur/w, cur%w
		for d := 0; d < 4; d++ {
			ny, nx := y+[]int{0, 1, 0, -1}[d], x+[]int{1, 0, -1, 0}[d]
			if ny < 0 || nx < 0 || ny >= h || nx >= w {
				continue
			}
			at := int16(ny*w + nx) // seeded: overflow
			if dist[at] < 0 {
				dist[at] = dist[cur] + 1
				queue = append(queue, int32(at))
			}
		}
	}
	fmt.Println(dist[h*w-1])
}
