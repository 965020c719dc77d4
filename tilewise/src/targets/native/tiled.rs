//! Kernels over tiles: tile after tile, on the [`TileScheduler`].

use std::sync::Arc;
use std::thread;

use super::running::{RunningThread, ThreadMark, TilePlace};
use super::scheduler::TileScheduler;
use super::{Closure, Interrupt, NativeEnding, Speech, call};
use crate::api::domain::{Domain, position};

/// Runs the closure for every index, tile by tile.
pub(super) fn run<D: Domain>(
    domain: D,
    tile: &[u32],
    kernel: Closure<'_, D::Index>,
    stack: usize,
    speech: &Speech,
    interrupt: &Interrupt,
) -> NativeEnding {
    let components = domain.components();
    let counts: Vec<i32> = components.iter().zip(tile).map(|(&e, &t)| e / t as i32).collect();
    let tile: Vec<i32> = tile.iter().map(|&t| t as i32).collect();
    let product = |extent: &[i32]| extent.iter().map(|&e| e as u64).product::<u64>();
    let floor = Arc::new(TileScheduler::new(product(&tile) as u32, product(&counts)));
    let work = |worker: usize, first: u32| {
        floor.work(worker, first, |turn| {
            let (of, local) = (position(turn.tile, &counts), position(u64::from(turn.local), &tile));
            let global: Vec<i32> = (0..tile.len()).map(|d| of[d] * tile[d] + local[d]).collect();
            let thread = global.iter().zip(&components).fold(0, |at, (&i, &e)| at * e as u64 + i as u64);
            let seat = TilePlace { floor: floor.clone(), worker, local: turn.local };
            let _mark = ThreadMark::set(RunningThread::new(thread, speech, interrupt, Some(seat)));
            call(kernel, domain.index(&global))
        });
    };
    let work = &work;
    thread::scope(|scope| {
        let hire = |worker: usize, first: u32| {
            let builder = thread::Builder::new().name(format!("tilewise native {worker}")).stack_size(stack);
            builder.spawn_scoped(scope, move || work(worker, first)).map(drop)
        };
        floor.oversee(hire, &**interrupt);
    });
    floor.ending()
}
