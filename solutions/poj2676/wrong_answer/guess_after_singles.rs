// Singles only, then a guess that is never taken back.
//
// Idea: fill in cells with one candidate and digits with one place in a row,
// column or box; when neither is left, put the least candidate into the first
// blank with the fewest, and go on. A blank without candidates gets a 1.
//
// Source: what remains of a solver whose author met only easy puzzles.
//
// Time: 81 rounds at most. Memory: 1 KB.
// Wrong: wherever the first guess is, which easy puzzles do not need.
use std::io::{self, Read, Write};

const ALL: u16 = 0x1ff;

fn unit(u: usize, k: usize) -> usize {
    match u / 9 {
        0 => 9 * u + k,
        1 => 9 * k + u - 9,
        _ => 27 * ((u - 18) / 3) + 3 * ((u - 18) % 3) + 9 * (k / 3) + k % 3,
    }
}

struct Board {
    digit: [u8; 81], // 0 while open
    lacks: [u16; 27],
}

impl Board {
    fn place(&mut self, cell: usize, bit: u16) {
        self.digit[cell] = bit.trailing_zeros() as u8 + 1;
        self.lacks[cell / 9] &= !bit;
        self.lacks[9 + cell % 9] &= !bit;
        self.lacks[18 + cell / 27 * 3 + cell % 9 / 3] &= !bit;
    }

    fn can(&self, cell: usize) -> u16 {
        if self.digit[cell] != 0 {
            return 0;
        }
        self.lacks[cell / 9] & self.lacks[9 + cell % 9] & self.lacks[18 + cell / 27 * 3 + cell % 9 / 3]
    }

    // next returns a cell and the digit to put there, or None when all is filled.
    fn next(&self) -> Option<(usize, u16)> {
        let can: Vec<u16> = (0..81).map(|c| self.can(c)).collect();
        let best = (0..81).filter(|&c| self.digit[c] == 0).min_by_key(|&c| can[c].count_ones())?;
        if can[best].count_ones() > 1 {
            for u in 0..27 {
                let (mut once, mut twice) = (0, 0);
                for k in 0..9 {
                    twice |= once & can[unit(u, k)];
                    once |= can[unit(u, k)];
                }
                let single = once & !twice;
                for k in 0..9 {
                    let hit = single & can[unit(u, k)];
                    if hit != 0 {
                        return Some((unit(u, k), hit & hit.wrapping_neg()));
                    }
                }
            }
        }
        Some((best, (can[best] & can[best].wrapping_neg()).max(1)))
    }
}

fn main() -> io::Result<()> {
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    let count = text.iter().position(|&c| c == b'\n').unwrap_or(text.len());
    text.drain(..count);
    text.retain(|c| !c.is_ascii_whitespace());
    let mut out = io::BufWriter::new(io::stdout());
    for cells in text.chunks_exact(81) {
        let mut b = Board { digit: [0; 81], lacks: [ALL; 27] };
        for (cell, &ch) in cells.iter().enumerate() {
            if ch != b'0' {
                b.place(cell, 1 << (ch - b'1'));
            }
        }
        while let Some((cell, bit)) = b.next() {
            b.place(cell, bit);
        }
        for row in b.digit.chunks(9) {
            let line: Vec<u8> = row.iter().map(|d| b'0' + d).collect();
            out.write_all(&line)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}
