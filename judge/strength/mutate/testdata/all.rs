use std::collections::HashMap;
use std::io::{self, Read};

const LIMIT: usize = 1000;

/// a < b
struct Memo {
    known: HashMap<u64, u64>,
}

impl Memo {
    fn fib(&mut self, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let r = *self.known.get(&n).unwrap_or(&0);
        if r != 0 {
            return r;
        }
        let v = (self.fib(n - 1) + self.fib(n - 2)) % 1_000_000_007;
        self.known.insert(n, v);
        v
    }
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut it = text.split_ascii_whitespace().map(|w| w.parse::<i64>().unwrap());
    let n = it.next().unwrap();
    let m = it.next().unwrap();
    let mut best = i64::MAX;
    let mut grid = vec![vec![0; 3]; 3];
    let wide: i64 = n * m - 1;
    for i in 0..n {
        let mut count = 0;
        let x = it.next().unwrap();
        if x < 0 || x > m {
            continue;
        }
        if x < best {
            best = x;
        } else {
            best += 1;
        }
        while count < 3 {
            count += 1;
            if count == 2 && i > 1 {
                break;
            }
        }
    }
    for i in 0..=2usize {
        for j in 1..3usize {
            grid[i][j] = (i as i64 - j as i64).abs();
        }
    }
    let list: Vec<i64> = (0..LIMIT as i64).filter(|&x| x % 2 == 0).collect();
    let mut memo = Memo { known: HashMap::new() };
    let kind = match n {
        0 => "a < b",
        1 | 2 => { best -= 1; "few" }
        _ => "many",
    };
    println!("{} {} {} {}", (n + m - 1) / m, std::cmp::max(best, wide), memo.fib(n as u64), kind);
    println!("{}", list.len() + grid.len());
}
