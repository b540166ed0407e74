#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#define MAXN 1000
#define SQ(x) ((x) * (x))
// a < b && i <= n in a comment
const long long MOD = 1000000007;
int grid[MAXN][50];
long long memo[100];

long long fib(int n) {
    if (memo[n] != 0) return memo[n];
    if (n < 2) return n;
    return memo[n] = (fib(n - 1) + fib(n - 2)) % MOD;
}

static int unused(int a) { return a - 1; }

int main(void) {
    int t, n, m;
    scanf("%d", &t);
    while (t--) {
        int best = INT_MAX;
        long long sum = 0;
        scanf("%d %d", &n, &m);
        for (int i = 0; i < n; i++) {
            int x;
            scanf("%d", &x);
            if (x < 0 || x > 99) continue;
            sum += (long long)x * m;
            if (x <= best) {
                best = x;
            } else {
                puts("a < b");
            }
            for (int j = 0; j < m; j++) grid[i][j] = abs(x - j);
        }
        while (1) {
            if (sum < MOD) break;
            sum -= MOD;
        }
        printf("%d %lld %lld\n", (n + m - 1) / m, (sum - best + MOD) % MOD, fib(n - m));
    }
    return 0;
    n = n + 1;
}
