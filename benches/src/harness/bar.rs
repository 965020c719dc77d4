//! The bars: the peer of each kernel on the JIT, and the ratio to its time that the kernel may
//! take.
//!
//! The factors are from the first version, whose code has vectors of 128 bits.

use tilewise_peers::PeerWork;

/// The peer to compare with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    /// The fastest of all peers.
    Best,
    /// The peer of this name.
    Peer(&'static str),
}

/// The maximum of a time, as a multiple of a peer's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// The peer.
    pub against: Against,
    /// The multiple.
    pub factor: f64,
}

/// Whether the bar is met.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BarVerdict {
    /// The ratio, within the bar.
    Met(f64),
    /// The ratio, beyond it.
    Missed(f64),
    /// One of the two did not run.
    Unknown,
}

/// The bar for this work; second forms of work have none.
pub fn bar(work: PeerWork) -> Option<Bar> {
    let ispc = |factor| Some(Bar { against: Against::Peer("ispc-avx2"), factor });
    match work {
        PeerWork::VectorAdd | PeerWork::Saxpy => Some(Bar { against: Against::Best, factor: 1.10 }),
        PeerWork::Mandelbrot => ispc(1.0),
        PeerWork::NBody => ispc(2.5),
        PeerWork::BlackScholes => ispc(1.8),
        PeerWork::Histogram => ispc(1.2),
        PeerWork::Stencil | PeerWork::Matmul => ispc(1.5),
        // As fast as PoCL, which takes 1.39 times as long as this peer on a machine that ran both.
        PeerWork::Transpose => ispc(1.39),
        PeerWork::Reduce | PeerWork::Scan => ispc(2.0),
        PeerWork::MatmulTiled => ispc(1.1),
        PeerWork::NBodyPlain
        | PeerWork::NBodyMad
        | PeerWork::NBodyRelaxed
        | PeerWork::MatmulTiledMad
        | PeerWork::MatmulTiledRelaxed => None,
        PeerWork::KMeans
        | PeerWork::Stencil3d
        | PeerWork::Convolution
        | PeerWork::SparseProduct
        | PeerWork::ShortestPaths
        | PeerWork::BitonicSort
        | PeerWork::RadixPass
        | PeerWork::PrefixSum
        | PeerWork::Fourier
        | PeerWork::Life => Some(Bar { against: Against::Best, factor: 1.0 }),
    }
}

impl Bar {
    /// Compares a time with those of the peers.
    pub fn judge(&self, ours: Option<f64>, peers: &[(&str, f64)]) -> BarVerdict {
        let theirs = match self.against {
            Against::Best => peers.iter().map(|peer| peer.1).min_by(f64::total_cmp),
            Against::Peer(name) => peers.iter().find(|peer| peer.0 == name).map(|peer| peer.1),
        };
        match (ours, theirs) {
            (Some(ours), Some(theirs)) if ours <= self.factor * theirs => BarVerdict::Met(ours / theirs),
            (Some(ours), Some(theirs)) => BarVerdict::Missed(ours / theirs),
            _ => BarVerdict::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_judged_by_the_right_peer() {
        let peers = [("rust", 4.0), ("ispc-avx2", 5.0)];
        let best = Bar { against: Against::Best, factor: 1.5 };
        assert_eq!(best.judge(Some(6.0), &peers), BarVerdict::Met(1.5));
        let ispc = Bar { against: Against::Peer("ispc-avx2"), factor: 1.0 };
        assert_eq!(ispc.judge(Some(6.0), &peers), BarVerdict::Missed(1.2));
        assert_eq!(ispc.judge(None, &peers), BarVerdict::Unknown);
        assert_eq!(ispc.judge(Some(6.0), &peers[..1]), BarVerdict::Unknown);
    }
}
