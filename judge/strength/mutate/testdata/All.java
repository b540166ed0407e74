import java.util.*;

public class All {
    static final int MAXN = 1000;
    static long[] memo = new long[MAXN];
    final int field;

    All(int f) { field = f; }

    static long fib(int n) {
        if (memo[n] != 0) return memo[n];
        if (n < 2) return n;
        return memo[n] = (fib(n - 1) + fib(n - 2)) % 1000000007;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        int m = in.nextInt();
        List<Integer> list = new ArrayList<>();
        Map<Integer, List<Integer>> map = new HashMap<>();
        int best = Integer.MAX_VALUE;
        long area = (long) n * m - 1;
        int late;
        late = 3;
        for (int i = 0; i < n; i++) {
            int x = in.nextInt();
            int count = 0;
            if (x < 0 || x >= m) {
                continue;
            }
            list.add(x);
            if (x < best) {
                best = x;
            } else {
                best = best + 1;
            }
            while (true) {
                count++;
                if (count > 5) break;
            }
        }
        Collections.sort(list, (a, b) -> a - b);
        list.sort(new Comparator<Integer>() {
            public int compare(Integer a, Integer b) {
                return a < b ? -1 : 1;
            }
        });
        int[][] grid = new int[3][3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) grid[i][j] = Math.abs(i - j);
        }
        System.out.println("a - b " + (n + m - 1) / m + " " + Math.max(area, fib(late)));
    }
}
