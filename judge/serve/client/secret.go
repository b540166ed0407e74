package client

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// StateDir is the folder in which a server of this user keeps its data.
func StateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "crucible", "server"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "crucible", "server"), err
}

// TokenFile is the file in the folder of a server with the token of its own machine.
const TokenFile = "token"

// Secret returns the token of this user for servers, see [New]: that in the file, if one is
// named, in the environment, or of a server of this user on this machine.
func Secret(server, file string) (string, error) {
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		return word(file, string(data))
	}
	if secret := os.Getenv("CRUCIBLE_TOKEN"); secret != "" {
		return word("$CRUCIBLE_TOKEN", secret)
	}
	all, err := addresses(server)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(all, func(u *url.URL) bool { return !isLoopback(u) }) {
		dir, err := StateDir()
		if err != nil {
			return "", err
		}
		name := filepath.Join(dir, TokenFile)
		if data, err := os.ReadFile(name); err == nil {
			return word(name, string(data))
		}
	}
	return "", fmt.Errorf("%s needs a token: expected $CRUCIBLE_TOKEN or --token-file; judged serve prints one", server)
}

// word returns a token from somewhere without the spaces around it.
func word(from, token string) (string, error) {
	token = strings.TrimSpace(token)
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s: expected a token, which is one word of ASCII, found a text of %d bytes", from, len(token))
	}
	return token, nil
}
