//! Decodes barrier divergence: the votes that a program leaves in its arena become a report for the
//! host.

use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Arrival, Divergence, Domain, SideCollector};
use tilewise_ir::pos::Pos;

use super::program::LaneProgram;

/// Decodes [`ArenaPart::Report`](super::ArenaPart::Report) and
/// [`ArenaPart::Votes`](super::ArenaPart::Votes) of a program that ended with
/// [`ExitStatus::Diverged`](super::ExitStatus::Diverged).
pub fn divergence(program: &LaneProgram, kernel: &Kernel, domain: &Domain, report: &[u8], votes: &[u8]) -> Divergence {
    let tile = kernel.tile().unwrap_or(&[]);
    let number = report.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
    let row = tile.last().copied().unwrap_or(1).max(1);
    let padded = row.next_multiple_of(program.width);
    let threads: u32 = tile.iter().product();
    let words = program.vote_words as usize;
    let word = |thread: u32, i: usize| {
        let slot = (thread / row * padded + thread % row) as usize;
        let bytes = votes.get((slot * words + i) * 4..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |&bytes| u32::from_le_bytes(bytes))
    };
    let mut sides = SideCollector::default();
    for thread in 0..threads {
        let stop = word(thread, 0);
        if stop == u32::MAX {
            continue;
        }
        let place = stop.checked_sub(1).and_then(|stop| program.stops.get(stop as usize));
        let did = match place.and_then(|place| place.loops) {
            Some(loops) => {
                Arrival::Barrier { rounds: (0..loops as usize).map(|i| u64::from(word(thread, 1 + i))).collect() }
            }
            None => Arrival::Returned,
        };
        sides.add(thread, (stop, did, place.map_or(Pos::NONE, |place| place.pos)));
    }
    sides.divergence(domain.tile_position(tile, number), |(_, did, pos)| (did, pos))
}

#[cfg(test)]
mod tests {
    use super::super::{ArenaSizes, LaneBuilder, program::ThreadStop};
    use super::*;
    use tilewise_ir::launch::DivergentSide;
    use tilewise_ir::text::parse;

    #[test]
    fn threads_that_stopped_alike_are_one_side_and_those_that_ended_are_on_none() {
        let text = "kernel k() tile(2, 3) { barrier; }";
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let mut program = LaneBuilder::new(4).finish("k".into(), ArenaSizes::default());
        program.stops = vec![ThreadStop { pos: Pos::NONE, loops: Some(1) }, ThreadStop { pos: Pos::NONE, loops: None }];
        program.vote_words = 2;
        // Two rows of three threads, each padded to four.
        let votes: [u32; 16] = [1, 7, 1, 8, 2, 0, 9, 9, 1, 7, u32::MAX, 0, 0, 0, 9, 9];
        let votes: Vec<u8> = votes.iter().flat_map(|word| word.to_le_bytes()).collect();
        let divergence = divergence(&program, &kernel, &Domain::new([4, 9]), &4u64.to_le_bytes(), &votes);
        let barrier = |round, threads: &[u32]| DivergentSide {
            did: Arrival::Barrier { rounds: vec![round] },
            pos: Pos::NONE,
            threads: threads.to_vec(),
        };
        let returned =
            |threads: &[u32]| DivergentSide { did: Arrival::Returned, pos: Pos::NONE, threads: threads.to_vec() };
        assert_eq!(divergence.tile, [1, 1]);
        assert_eq!(divergence.sides, [barrier(7, &[0, 3]), barrier(8, &[1]), returned(&[2]), returned(&[5])]);
    }
}
