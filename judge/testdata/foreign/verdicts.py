"""Takes verdicts together with BAPCtools' own code: python3 verdicts.py CHECKOUT

Each line of standard input is what the cases of a package came to, as in
graders.py: {"runs": [{"secret/1": ["AC", null], "secret/2": ["WA", null]}]}
A line of output has, for each of the runs, the verdict of every folder:
[{"": ["WA", null], "secret": ["WA", null]}]
"""

import json
import sys

import absent

absent.replace('colorama', 'ruamel', 'questionary', 'argcomplete', 'dateutil', 'requests')
sys.path.insert(0, sys.argv[1])

from bapctools.verdicts import RunUntil, Verdicts  # noqa: E402


class Case(str):
    """A test case as far as Verdicts looks at it: its name."""

    @property
    def name(self):
        return str(self)


def verdicts(runs):
    v = Verdicts([Case(name) for name in runs], timeout=2, run_until=RunUntil.ALL)
    for name, (verdict, _) in runs.items():
        v.set(name, verdict, 1)
    return {'' if group == '.' else group: [v[group].short(), None] for group in v.children}


for line in sys.stdin:
    sys.stdout.write(json.dumps([verdicts(runs) for runs in json.loads(line)['runs']]) + '\n')
    sys.stdout.flush()
