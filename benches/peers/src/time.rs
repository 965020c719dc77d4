//! Times one run of a contestant: a warm-up, then the median of a few repetitions.

use std::time::{Duration, Instant};

use crate::PreparedWork;

/// Repetitions of a run, as long as they fit [`ENOUGH`]; at least [`FEWEST`].
const MOST: usize = 9;
/// See [`MOST`].
const FEWEST: usize = 3;
/// See [`MOST`].
const ENOUGH: Duration = Duration::from_millis(1500);

/// Milliseconds of one run: the median of its repetitions.
///
/// # Errors
/// The error of the work.
pub fn one_run(work: &mut dyn PreparedWork) -> Result<f64, String> {
    Ok(median(&mut repetitions(work)?))
}

/// Milliseconds of each repetition of one run.
///
/// # Errors
/// The error of the work.
pub fn repetitions(work: &mut dyn PreparedWork) -> Result<Vec<f64>, String> {
    work.run()?;
    let mut times = Vec::with_capacity(MOST);
    let begin = Instant::now();
    while times.len() < FEWEST || (times.len() < MOST && begin.elapsed() < ENOUGH) {
        let start = Instant::now();
        work.run()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(times)
}

/// The median; the upper one of two. 0 of none.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 3.0);
        assert_eq!(median(&mut []), 0.0);
    }
}
