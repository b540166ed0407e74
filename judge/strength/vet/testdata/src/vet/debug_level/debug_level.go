package main

import "fmt"

func main() {
	var level, text string
	for {
		if _, err := fmt.Scan(&level, &text); err != nil {
			return
		}
		switch level {
		case "DEBUG":
			fmt.Println("DEBUG", text)
		default:
			fmt.Println("TRACE", text) // want `prints the text "TRACE"`
		}
	}
}
