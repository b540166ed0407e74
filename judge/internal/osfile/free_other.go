//go:build !linux && !darwin

package osfile

import "errors"

// Free returns how many bytes a user may still write to the file system of a folder.
func Free(string) (int64, error) { return 0, errors.ErrUnsupported }
