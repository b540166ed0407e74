#include <bits/stdc++.h>
using namespace std;
#define rep(i, a, b) for (int i = a; i < (b); ++i)
typedef long long ll;
const int MAXN = 200000;
const ll INF = 1e18;
vector<vector<int>> graph;
map<pair<int, int>, int> seen;
ll dp[MAXN];

ll solve(int k) {
    ll &r = dp[k];
    if (r != -1) return r;
    return r = max(solve(k - 1), solve(k / 2));
}

bool smaller(const pair<int, int> &a, const pair<int, int> &b) {
    return a.first < b.first;
}

int main() {
    int n, m, mod = 998244353;
    cin >> n >> m;
    graph.assign(n, vector<int>());
    rep(i, 0, m) {
        int u, v;
        cin >> u >> v;
        if (u == v) continue;
        graph[u - 1].push_back(v);
    }
    vector<pair<int, int>> order(n);
    sort(order.begin(), order.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    auto at = lower_bound(order.begin(), order.end(), make_pair(1, 2)) - order.begin();
    ll best = -INF, sum = 0;
    bool found = false;
    for (int i = 1; i <= n && !found; i++) {
        int count = 0;
        for (auto &x : graph[i - 1]) {
            if (x % 2 == 0 and x > 1) break;
            count += min(x, n);
            sum = (sum + 1LL * x * x) % mod;
        }
        if (count > best) {
            best = count;
            found = abs(at - i) < 3;
        } else {
            best--;
        }
    }
    int a[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a[i][j] = a[j][i] + i;
    cout << (best + 1) / 2 << " < " << max(sum, solve(n)) << '\n';
}
