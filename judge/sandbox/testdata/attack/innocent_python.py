# limits: processes=32 memory=512M
# cmd: scratch
# least: process
# want: exit=0 exceeded=none
# A usual library, children, deep recursion, temporary files, a database in a file.
import asyncio
import concurrent.futures
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading

with tempfile.TemporaryDirectory() as d:
    with open(os.path.join(d, "x"), "w") as f:
        f.write("text")
    with sqlite3.connect(os.path.join(d, "base")) as base:
        base.execute("create table t (n)")
        base.execute("insert into t values (42)")
        assert base.execute("select n from t").fetchall() == [(42,)]
    base.close()
assert subprocess.run(["/bin/sh", "-c", "echo $((6*7))"], capture_output=True, check=True).stdout == b"42\n"
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    assert sum(pool.map(lambda n: n, range(100))) == 4950


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


sys.setrecursionlimit(200_000)
threading.stack_size(256 << 20)
result = []
t = threading.Thread(target=lambda: result.append(deep(100_000)))
t.start()
t.join()
assert result == [100_000]


async def main():
    reader = await asyncio.create_subprocess_exec("/bin/echo", "hello", stdout=asyncio.subprocess.PIPE)
    out, _ = await reader.communicate()
    assert out == b"hello\n"


asyncio.run(main())
assert len(os.urandom(16)) == 16 and random.random() < 1
assert sys.stdin.read() == "input\n"
