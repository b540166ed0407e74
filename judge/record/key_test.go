package record

import (
	"reflect"
	"testing"

	"crucible/judge"
	"crucible/judge/sandbox"
)

func someKey() *Key {
	return &Key{Key: judge.Key{
		Program: "p", Args: []string{"a", "b"}, Input: "i", Answer: "a", Validators: []judge.KeyValidator{{Program: "v", Flags: []string{"f"}}}, Passes: 1,
		Limits: sandbox.Limits{CPU: 1, Wall: 2, Memory: 3, Output: 4, Written: 5, Files: 6, FileSize: 7, Processes: 8}, Level: "process",
		Environment: []string{"LANG=C"}}, Judge: "1", Machine: Machine{OS: "linux", Cores: 2, NotEnforced: []string{"network"}},
	}
}

// changes changes each value below v, one at a time, and calls test after each change.
// It also appends an element to each list.
func changes(t *testing.T, at string, v reflect.Value, test func(at string)) {
	before := reflect.New(v.Type()).Elem()
	before.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			changes(t, at+"."+v.Type().Field(i).Name, v.Field(i), test)
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			changes(t, at+"[]", v.Index(i), test)
		}
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Interface: // Machine.SelfTest, see TestSelfTestIsNoPartOfTheKey
		return
	default:
		t.Fatalf("%s: a %s, which this test cannot change", at, v.Kind())
	}
	test(at)
	v.Set(before)
}

func TestEachFieldChangesTheKey(t *testing.T) {
	k := someKey()
	seen := map[string]string{k.Hash(): "the key"}
	n := 0
	changes(t, "Key", reflect.ValueOf(k).Elem(), func(at string) {
		n++
		h := k.Hash()
		if of := seen[h]; of != "" {
			t.Errorf("a change of %s has the hash of %s", at, of)
		}
		seen[h] = at
	})
	if again := k.Hash(); seen[again] != "the key" || n < 30 {
		t.Errorf("%d changes; the hash after them is that of %q", n, seen[again])
	}
}

func TestSelfTestIsNoPartOfTheKey(t *testing.T) {
	k := someKey()
	before := k.Hash()
	k.Machine.SelfTest = 1
	if got := k.Hash(); got != before || k.Machine.SelfTest == nil {
		t.Errorf("hash %s with a self-test, %s without; expected equal hashes, and an unchanged key", got, before)
	}
}

// Stored hashes must stay valid: a change that changes this hash must increase
// KeySchema.
func TestHashIsStable(t *testing.T) {
	if got, want := someKey().Hash(), "320d5848c1fb51f60fcb1cd03c64fc4e"; got != want {
		t.Errorf("hash %s of schema %d, expected %s", got, KeySchema, want)
	}
}
