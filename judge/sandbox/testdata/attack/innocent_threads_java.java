// limits: memory=1024M processes=200 cpu=20s
// least: process
// want: exit=0 exceeded=none output=0
// A JVM with 64 threads of the program's, besides its own.
// It prints nothing: not a warning that it could not lock its /tmp/hsperfdata.
import java.util.*;
import java.util.concurrent.*;

class Main {
	static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

	public static void main(String[] args) throws Exception {
		CountDownLatch all = new CountDownLatch(64);
		ExecutorService pool = Executors.newFixedThreadPool(64);
		List<Future<Integer>> results = new ArrayList<>();
		for (int i = 0; i < 64; i++) {
			int n = i;
			results.add(pool.submit(() -> {
				all.countDown();
				all.await(); // so that there are 64 indeed
				byte[][] garbage = new byte[16][];
				for (int j = 0; j < 1000; j++)
					garbage[j % 16] = new byte[10000];
				return n;
			}));
		}
		int sum = 0;
		for (Future<Integer> f : results)
			sum += f.get();
		pool.shutdown();
		int[] depth = new int[1];
		Thread t = new Thread(null, () -> depth[0] = deep(100000), "deep", 256L << 20);
		t.start();
		t.join();
		Process child = new ProcessBuilder("/bin/echo", "hello").start();
		String line = new Scanner(child.getInputStream()).nextLine();
		if (sum != 2016 || depth[0] != 100000 || !line.equals("hello") || child.waitFor() != 0)
			System.exit(1);
	}
}
