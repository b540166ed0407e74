# limits: processes=32 memory=512M
# cmd: scratch
# least: process
# except: guarded
# want: exit=0 exceeded=none
# Four workers. Their queues need semaphores with names, so a box.
import multiprocessing
import threading
import time


def square(n):
    return n * n


if __name__ == "__main__":
    for method in "fork", "spawn", "forkserver":
        with multiprocessing.get_context(method).Pool(4) as pool:
            assert pool.map(square, range(100)) == [n * n for n in range(100)]
    q = multiprocessing.Queue()
    p = multiprocessing.Process(target=q.put, args=(42,))
    p.start()
    assert q.get() == 42
    p.join()
    lock = threading.Lock()
    threads = [threading.Thread(target=lambda: lock.acquire() and lock.release()) for _ in range(16)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    time.sleep(0.001)
