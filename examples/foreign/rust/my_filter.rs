// A Bloom filter for bloomlab in Rust, with its standard library alone, by binary frames:
//     rustc --edition 2021 -O my_filter.rs, and "command": ["./my_filter"]
use std::io::{self, Read, Write};

struct MyFilter {
    m: u64,
    k: u64,
    seed: u64,
    bits: Vec<u64>,
}

/// The mixer of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D049BB133111EB);
    x ^ (x >> 31)
}

impl MyFilter {
    /// From "N BITS_PER_KEY FPR SEED OPTIONS".
    fn new(text: &str) -> MyFilter {
        let words: Vec<&str> = text.splitn(5, ' ').collect();
        let n: f64 = words[0].parse().unwrap();
        let bits_per_key: f64 = words[1].parse().unwrap();
        let m = (n * bits_per_key).ceil().max(1.0) as u64;
        let k = (std::f64::consts::LN_2 * bits_per_key).round().max(1.0) as u64;
        let seed = mixed(words[3].parse::<u64>().unwrap().wrapping_add(1));
        MyFilter { m, k, seed, bits: vec![0; m as usize / 64 + 1] }
    }

    fn positions<'a>(&'a self, key: &[u8]) -> impl Iterator<Item = u64> + 'a {
        let start = 0xCBF29CE484222325 ^ self.seed;
        let hash = key.iter().fold(start, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100000001B3));
        let first = mixed(hash ^ key.len() as u64);
        let step = mixed(first) | 1;
        (0..self.k).map(move |i| first.wrapping_add(i.wrapping_mul(step)) % self.m)
    }

    fn insert(&mut self, key: &[u8]) {
        let positions: Vec<u64> = self.positions(key).collect();
        for i in positions {
            self.bits[i as usize / 64] |= 1 << (i % 64);
        }
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.positions(key).all(|i| self.bits[i as usize / 64] >> (i % 64) & 1 == 1)
    }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The keys of a frame: of one length, or behind count + 1 offsets where that is 0.
fn keys(key_bytes: usize, count: usize, payload: &[u8]) -> Vec<&[u8]> {
    if key_bytes > 0 {
        return payload.chunks(key_bytes).collect();
    }
    let bytes = &payload[(count + 1) * 8..];
    let offset = |i: usize| number(payload, i * 8) as usize;
    (0..count).map(|i| &bytes[offset(i)..offset(i + 1)]).collect()
}

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    output.write_all(b"bloomlab-filter 1 binary name=my_filter\n")?;
    output.flush()?;
    let mut filter = MyFilter::new("1 1 0 0 {}");
    loop {
        let mut header = [0u8; 24]; // operation, key_bytes; count; bytes that follow
        if input.read_exact(&mut header).is_err() {
            return Ok(());
        }
        let operation = u32::from_le_bytes(header[0..4].try_into().unwrap());
        let key_bytes = u32::from_le_bytes(header[4..8].try_into().unwrap()) as usize;
        let count = number(&header, 8) as usize;
        let mut payload = vec![0; number(&header, 16) as usize];
        input.read_exact(&mut payload)?;
        let mut status = 0u32;
        let mut answer = Vec::new();
        match operation {
            1 => filter = MyFilter::new(std::str::from_utf8(&payload).unwrap()),
            2 => keys(key_bytes, count, &payload).iter().for_each(|key| filter.insert(key)),
            3 => answer.extend(
                keys(key_bytes, count, &payload).iter().map(|key| u8::from(filter.contains(key))),
            ),
            4 => answer.extend(filter.m.to_le_bytes()),
            _ => status = 2, // unsupported
        }
        output.write_all(&status.to_le_bytes())?;
        output.write_all(&0u32.to_le_bytes())?;
        output.write_all(&(answer.len() as u64).to_le_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
}
