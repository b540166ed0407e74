// Package units formats sizes, durations and scores for people.
package units
