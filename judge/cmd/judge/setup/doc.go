// Package setup has the commands of the judge that write the files that users begin
// with: problems, workflows of CI, tasks of editors, and manual pages.
package setup
