//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock restricts the files that a process may access. A launcher creates one
// ruleset per view, and every program applies it to itself before it begins. (The
// go-landlock package restricts the calling process, and here the process to
// restrict is another one, so this file uses the system calls.)

// Access rights, by the version of Landlock that introduced them.
const (
	canRead  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	canWrite = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	canRefer    = unix.LANDLOCK_ACCESS_FS_REFER     // 2
	canTruncate = unix.LANDLOCK_ACCESS_FS_TRUNCATE  // 3
	canControl  = unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // 5
	onFiles     = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE | canTruncate | canControl
)

// landlockVersion returns the kernel's version of Landlock, or 0 if it has none.
func landlockVersion() int {
	v, _, e := syscall.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(v)
}

// A grant gives programs access rights to a file, or to a folder and everything
// below it.
type grant struct {
	path   string
	access uint64
}

// ruleset creates a ruleset of grants. Grants of paths that do not exist are
// ignored.
func ruleset(version int, grants []grant) (fd int, err error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: canRead | canWrite}
	if version >= 2 {
		attr.Handled_access_fs |= canRefer
	}
	if version >= 3 {
		attr.Handled_access_fs |= canTruncate
	}
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 5 {
		attr.Handled_access_fs |= canControl
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	made, _, e := syscall.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr),
		0)
	if e != 0 {
		return -1, fmt.Errorf("make a Landlock ruleset: %w", e)
	}
	fd = int(made)
	unix.CloseOnExec(fd)
	for _, g := range grants {
		parent, err := unix.Open(g.path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		rule := unix.LandlockPathBeneathAttr{Allowed_access: g.access & attr.Handled_access_fs, Parent_fd: int32(parent)}
		var stat unix.Stat_t
		if unix.Fstat(parent, &stat) == nil && stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			rule.Allowed_access &= onFiles
		}
		_, _, e := syscall.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, made, unix.LANDLOCK_RULE_PATH_BENEATH,
			uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
		unix.Close(parent)
		if e != 0 {
			unix.Close(fd)
			return -1, fmt.Errorf("add %s to a Landlock ruleset: %w", g.path, e)
		}
	}
	return fd, nil
}

// devices are the devices that programs may write to.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

const canAll = canRead | canWrite | canRefer | canTruncate | canControl

// machineGrants returns the grants of every program without a box. It computes them
// once: to compute them for each view would produce too much garbage.
var machineGrants = sync.OnceValue(func() (list []grant) {
	for _, folder := range systemFolders {
		list = append(list, grant{folder, canRead})
	}
	for _, file := range append([]string{"passwd", "group", "ssl/openssl.cnf"}, systemFiles...) {
		names, _ := filepath.Glob("/etc/" + file)
		for _, name := range names {
			list = append(list, grant{name, canRead})
		}
	}
	// Landlock itself denies the program access to other processes in /proc.
	return append(list, grant{"/proc", canRead}, grant{"/sys", canRead})
})

// grants returns the grants of a program. In a box, everything else does not exist.
func (v view) grants(box bool) (list []grant) {
	if box {
		list = append(list, grant{"/", canRead}, grant{"/tmp", canAll}, grant{"/dev/shm", canAll})
	} else {
		list = slices.Clip(machineGrants())
	}
	for _, device := range devices {
		list = append(list, grant{device, unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
			canTruncate | canControl})
	}
	for _, p := range v {
		if p.kind == readable {
			list = append(list, grant{p.path, canRead})
		} else {
			list = append(list, grant{p.path, canAll})
		}
	}
	return list
}
