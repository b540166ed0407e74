'use strict';
const lines = require('fs').readFileSync(0, 'utf8').split('\n');
const MAXN = 1000;
const memo = new Array(MAXN).fill(0);
// a < b
function fib(n) {
  if (memo[n] !== 0) return memo[n];
  if (n < 2) return n;
  memo[n] = (fib(n - 1) + fib(n - 2)) % 1000000007;
  return memo[n];
}
const [n, m] = lines.shift().split(' ').map(Number);
let best = Infinity;
const found = [];
for (let i = 0; i < n; i++) {
  const x = Number(lines.shift());
  let count = 0;
  if (x < 0 || x >= m) continue;
  if (x < best) {
    best = x
  } else {
    count += 1;
  }
  for (const y of found) {
    if (y === x) break;
    count++;
  }
  found.push(count);
}
const grid = [[0, 0], [0, 0]];
for (let i = 0; i < 2; i++)
  for (let j = 0; j < 2; j++) grid[i][j] = Math.abs(i - j);
found.sort((a, b) => a - b);
const each = (x) => {
  if (x > 1) {
    return x / 2;
  }
  return `${x < 2} a < b`;
};
console.log(Math.floor((n + m - 1) / m), Math.min(best, fib(n)), found.map(each), /a-b/.test('a < b'));
