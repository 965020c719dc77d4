//! The closed list of reasons why a kernel cannot take a route.

use std::fmt;

/// Why a kernel cannot take a route of the round trip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundTripGap {
    /// The launch itself is refused.
    RefusedLaunch,
    /// The launch does not end.
    Endless,
    /// The results depend on the order of threads.
    OrderDependent,
    /// What comes back takes more instructions than the limit.
    TooLong,
    /// What comes back has more instructions than a kernel may have: floats by bits are inlined.
    TooLarge,
    /// Its blocks are nested deeper than the parser of WGSL takes.
    TooDeep,
    /// The kernel has a fence that not all threads of a tile reach together.
    Fence,
    /// Relaxed shaders have no `precise_math`.
    Precise,
    /// A feature that no GPU target has.
    NoGpu,
}

impl RoundTripGap {
    /// The reason as a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            RoundTripGap::RefusedLaunch => "the launch is refused",
            RoundTripGap::Endless => "the launch does not end",
            RoundTripGap::OrderDependent => "the results depend on the order of threads",
            RoundTripGap::TooLong => "as a shader it takes too many instructions",
            RoundTripGap::TooLarge => "as a shader it has more instructions than a kernel may have",
            RoundTripGap::TooDeep => "its blocks are nested deeper than the parser of WGSL takes",
            RoundTripGap::Fence => "WGSL has no fence without a barrier",
            RoundTripGap::Precise => "Relaxed shaders have no functions of `precise_math`",
            RoundTripGap::NoGpu => "no GPU has a feature of the kernel",
        }
    }

    /// The gap of a kernel that is not lowered for this reason.
    pub(super) fn of_lowering(why: &str) -> Option<RoundTripGap> {
        if why.contains("no fence without a barrier") {
            Some(RoundTripGap::Fence)
        } else if why.contains("`precise_math`") {
            Some(RoundTripGap::Precise)
        } else if why.contains("missing") || why.contains("f64` atomics") {
            Some(RoundTripGap::NoGpu)
        } else {
            None
        }
    }

    /// The gap of a shader that is not imported for this reason.
    pub(super) fn of_import(report: &str) -> Option<RoundTripGap> {
        if report.contains("nesting limit reached") {
            return Some(RoundTripGap::TooDeep);
        }
        (report.contains("K0605") || report.contains("too large when its calls are inlined"))
            .then_some(RoundTripGap::TooLarge)
    }
}

impl fmt::Display for RoundTripGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
