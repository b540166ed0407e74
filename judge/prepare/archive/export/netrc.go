package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Credentials returns the user and the password for a host: those of the environment
// variables DOMJUDGE_USER and DOMJUDGE_PASSWORD, or those of the file that NETRC names,
// or of ~/.netrc.
func Credentials(host string, getenv func(string) string) (user, password string, err error) {
	user, password = getenv("DOMJUDGE_USER"), getenv("DOMJUDGE_PASSWORD")
	if user != "" && password != "" {
		return user, password, nil
	}
	if user != "" || password != "" {
		return "", "", errors.New("DOMJUDGE_USER and DOMJUDGE_PASSWORD: only one of them is set")
	}
	file := getenv("NETRC")
	if file == "" {
		file = filepath.Join(getenv("HOME"), ".netrc")
	}
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", err
	}
	if user, password, ok := netrc(string(data), host); ok {
		return user, password, nil
	}
	return "", "", fmt.Errorf("no user and password for %s: expected DOMJUDGE_USER and DOMJUDGE_PASSWORD, or a line "+
		"\"machine %s login USER password PASSWORD\" in %s", host, host, file)
}

// netrc returns the login and the password of a host in the text of a netrc file. An entry
// default matches all hosts.
func netrc(text, host string) (user, password string, ok bool) {
	words := strings.Fields(text)
	here := false
	for i := 0; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch words[i] {
		case "machine", "default":
			if user != "" && password != "" {
				return user, password, true
			}
			user, password = "", ""
			if here = words[i] == "default"; !here {
				here = value == host
				i++
			}
		case "login", "password", "account":
			if here && words[i] == "login" {
				user = value
			} else if here && words[i] == "password" {
				password = value
			}
			i++
		}
	}
	return user, password, user != "" && password != ""
}
