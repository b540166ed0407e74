// Package units formats sizes, durations, counts, ratios and scores for people.
package units
