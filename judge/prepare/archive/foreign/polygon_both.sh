#!/bin/sh
# Runs the interactor and, if it accepts, the checker on what the interactor wrote to tout.
# The arguments are INPUT ANSWER FEEDBACK_FOLDER, with a slash at the end.
folder=$(dirname "$0")
"$folder/interactor.bin" "$@"
status=$?
[ $status -eq 42 ] || exit $status
rm -f "$3/score.txt" "$3/judgemessage.txt"
exec "$folder/checker.bin" "$@" <"$3/tout.txt" >/dev/null
