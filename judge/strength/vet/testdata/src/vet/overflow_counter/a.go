package main

import "fmt"

func main() {
	var line string
	fmt.Scan(&line)
	var places [26][]uint8
	var columns []int16
	var row [9]uint8
	letters := make(map[byte]uint8)
	for i := range line {
		places[line[i]-'a'] = append(places[line[i]-'a'], uint8(i)) // want `uint8 cannot hold a counter above 255`
		columns = append(columns, int16(i))
		letters[line[i]] = uint8(i % 100)
	}
	for i := range row {
		row[i] = uint8(i)
	}
	for i := 0; i < len(row); i++ {
		row[i] = uint8(i)
	}
	fmt.Println(places, columns, row, letters)
}
