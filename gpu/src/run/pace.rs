//! How long launches take, as far as that is known: short ones with a time limit go to the device
//! together.
//!
//! A launch under a time limit is submitted alone unless it is expected to be short, as a submission
//! costs the host and the device some 20 microseconds each. What is expected is what the last launch
//! of the pipeline took that was alone, as seen from the host, so at least what the device took. It is
//! expected of launches whose threads do as much: of kernels whose loops iterate a few times whatever
//! they are launched with, more of a larger domain; of kernels with other loops only of launches with
//! the same arguments; of kernels with loops that may not end, of none.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tilewise_ir::launch::{Argument, Domain};

use super::device::{DeviceShared, locked};
use crate::lower::LoopBounds;

/// The longest launch that goes to the device together with others. Twice as much goes there at once: the
/// cost of a submission is a hundredth of that.
const BRIEF: Duration = Duration::from_millis(1);
/// A submission that takes so many times what was expected was expected wrongly.
const FAR: u32 = 8;

/// What a launch does, as far as its time depends on that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LaunchWork {
    threads: u64,
    /// A hash of the arguments, if the time depends on them.
    arguments: u64,
}

impl LaunchWork {
    /// Of a launch with that argument block; nothing if a thread may not end.
    pub(super) fn of(loops: LoopBounds, domain: &Domain, words: &[u32], arguments: &[Argument]) -> Option<LaunchWork> {
        let arguments = match loops {
            LoopBounds::Few => 0,
            LoopBounds::Finite => {
                let mut hasher = DefaultHasher::new();
                words.hash(&mut hasher);
                for argument in arguments {
                    if let Argument::Uniform(bytes) = argument {
                        bytes.hash(&mut hasher);
                    }
                }
                hasher.finish()
            }
            LoopBounds::Open => return None,
        };
        Some(LaunchWork { threads: domain.threads().max(1), arguments })
    }
}

/// What launches of a pipeline take.
#[derive(Debug, Default)]
pub(super) struct LaunchPace(Mutex<Option<(LaunchWork, Duration)>>);

impl LaunchPace {
    /// What a launch is expected to take, if that is known.
    pub(super) fn expected(&self, work: &LaunchWork) -> Option<Duration> {
        let (known, took) = (*locked(&self.0)).filter(|(known, _)| known.arguments == work.arguments)?;
        let times = work.threads.div_ceil(known.threads);
        took.checked_mul(u32::try_from(times).ok()?)
    }
}

impl DeviceShared {
    /// Whether a launch that takes so long is short.
    pub(super) fn is_brief(&self, time: Duration) -> bool {
        time <= locked(&self.brief).unwrap_or(BRIEF)
    }
}

/// A launch of a submission, and what it was expected to take.
#[derive(Clone, Debug)]
pub(super) struct PacedLaunch {
    pub(super) pace: Arc<LaunchPace>,
    pub(super) work: LaunchWork,
    pub(super) expected: Option<Duration>,
}

/// Notes what a submission of these launches took.
pub(super) fn ended(launches: &[PacedLaunch], at_least: Duration, at_most: Duration) {
    if let [PacedLaunch { pace, work, expected: None }] = launches {
        *locked(&pace.0) = Some((*work, at_most));
        return;
    }
    let all: Duration = launches.iter().filter_map(|launch| launch.expected).sum();
    let is_far = at_least > BRIEF && at_least > all * FAR;
    for PacedLaunch { pace, work, expected } in launches {
        let Some(expected) = expected else { continue };
        let mut known = locked(&pace.0);
        if is_far {
            *known = None;
        } else if at_most < all
            && let Some((of, time)) = known.as_mut().filter(|(of, _)| of == work)
        {
            // The launch took its part of what all took.
            let part = expected.as_secs_f64() * (at_most.as_secs_f64() / all.as_secs_f64());
            (*of, *time) = (*work, (*time).min(Duration::from_secs_f64(part)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn work(loops: LoopBounds, threads: i32, words: &[u32]) -> LaunchWork {
        LaunchWork::of(loops, &Domain::new([threads]), words, &[]).expect("its threads end")
    }

    fn launch(pace: &Arc<LaunchPace>, work: LaunchWork) -> PacedLaunch {
        PacedLaunch { pace: Arc::clone(pace), work, expected: pace.expected(&work) }
    }

    #[test]
    fn what_a_launch_took_is_expected_of_the_next_that_does_as_much() {
        let pace = Arc::default();
        let small = work(LoopBounds::Few, 100, &[1]);
        assert_eq!(launch(&pace, small).expected, None);
        ended(&[launch(&pace, small)], MS / 2, MS);
        assert_eq!(launch(&pace, work(LoopBounds::Few, 1, &[2])).expected, Some(MS));
        assert_eq!(launch(&pace, work(LoopBounds::Few, 201, &[3])).expected, Some(3 * MS));
        let pace = Arc::default();
        let one = work(LoopBounds::Finite, 100, &[1]);
        ended(&[launch(&pace, one)], MS / 2, MS);
        assert_eq!(launch(&pace, one).expected, Some(MS));
        assert_eq!(launch(&pace, work(LoopBounds::Finite, 100, &[2])).expected, None, "with other arguments");
        let captured = LaunchWork::of(LoopBounds::Finite, &Domain::new([100]), &[1], &[Argument::Uniform(vec![7])]);
        assert_eq!(launch(&pace, captured.expect("its threads end")).expected, None, "with another captured value");
        assert_eq!(LaunchWork::of(LoopBounds::Open, &Domain::new([100]), &[1], &[]), None);
    }

    #[test]
    fn what_several_launches_took_together_corrects_what_is_expected() {
        let (a, b): (Arc<LaunchPace>, Arc<LaunchPace>) = Default::default();
        let work = work(LoopBounds::Few, 1, &[]);
        ended(&[launch(&a, work)], MS, MS);
        ended(&[launch(&b, work)], MS, 3 * MS);
        let both = || [launch(&a, work), launch(&b, work), launch(&a, work)];
        ended(&both(), 20 * MS, 20 * MS);
        assert_eq!((a.expected(&work), b.expected(&work)), (Some(MS), Some(3 * MS)), "others may have run meanwhile");
        ended(&both(), MS, 100 * MS);
        assert_eq!((a.expected(&work), b.expected(&work)), (Some(MS), Some(3 * MS)), "it was seen late");
        ended(&both(), MS / 2, MS);
        assert_eq!((a.expected(&work), b.expected(&work)), (Some(MS / 5), Some(3 * MS / 5)));
        ended(&both(), 9 * MS, 10 * MS);
        assert_eq!((a.expected(&work), b.expected(&work)), (None, None), "they are slower than they were");
    }
}
