//! Times the plain forms: a line `peer,kernel,median ms,min,max,runs,unchecked` for each work.
//!
//! `PEER` is the first word of each line; `ONLY` names one work; `THREADS` is the number of
//! workers, by default all cores. It does not check the results: the harness checks the same code
//! in its own process.
#![allow(clippy::print_stdout, reason = "lines on the standard output are what this program is for")]

use tilewise_peers::{PeerWork, plain, pool, time};

fn main() -> Result<(), String> {
    let peer = std::env::var("PEER").unwrap_or_else(|_| "rust".into());
    let works = match std::env::var("ONLY") {
        Ok(name) => vec![PeerWork::of_name(&name).ok_or_else(|| format!("ONLY names no work: {name}"))?],
        Err(_) => PeerWork::ALL.to_vec(),
    };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = std::env::var("THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(all);
    let pool = pool::pinned(threads);
    for work in works {
        let mut times = pool.install(|| -> Result<Vec<f64>, String> {
            let mut prepared = plain::prepare(work, work.full_size());
            time::repetitions(prepared.as_mut())
        })?;
        let median = time::median(&mut times);
        let (min, max) = (times.first().unwrap_or(&0.0), times.last().unwrap_or(&0.0));
        println!("{peer},{work},{median:.5},{min:.5},{max:.5},{},unchecked", times.len());
    }
    Ok(())
}
