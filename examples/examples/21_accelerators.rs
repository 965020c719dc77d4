//! Several accelerators: one view on each in turn, on all at once with a section for each, and on all at once with
//! parts that each takes when it is free. The view knows which of them has the newest elements; the program does not
//! need to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tilewise::prelude::*;

/// Parts that accelerators take one by one, and numbers of a part.
const PARTS: usize = 12;
const PART: usize = 250;

#[amp]
fn is_prime(n: i32) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= n {
        if n % divisor == 0 {
            return false;
        }
        divisor += 1;
    }
    n >= 2
}

/// Runs `work` on each accelerator, from a thread of its own, and waits for all.
fn at_once(
    every: &[AcceleratorView],
    work: impl Fn(usize, &AcceleratorView) -> tilewise::Result<()> + Sync,
) -> tilewise::Result<()> {
    thread::scope(|scope| {
        let work = &work;
        let start = |(number, accelerator)| scope.spawn(move || work(number, accelerator));
        let workers: Vec<_> = every.iter().enumerate().map(start).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })
}

fn main() -> tilewise::Result<()> {
    let every: Vec<AcceleratorView> = Accelerator::all()
        .into_iter()
        .filter(|accelerator| accelerator.path() != Accelerator::CPU)
        .map(|accelerator| accelerator.default_view())
        .collect();

    // In turn: each adds one to all elements.
    let mut data = vec![0u32; 300];
    let view = ArrayView::of(&mut data);
    for accelerator in &every {
        parallel_for_each!(accelerator, view.extent(), |i| view[i] += 1)?;
    }
    view.close()?;
    assert!(data.iter().all(|&x| x == every.len() as u32));
    println!("in turn: each accelerator has added one");

    // At once: each has a section of its own.
    let all = ArrayView::from_vec((every.len(), 100), vec![1u32; every.len() * 100])?;
    at_once(&every, |row, accelerator| {
        let part = all.project::<1>(row);
        parallel_for_each!(accelerator, part.extent(), |i| part[i] *= 7)
    })?;
    assert!(all.host()?.iter().all(|&x| x == 7));
    println!("at once: each accelerator has done its section");

    // At once, as fast as each can: one that is done with a part takes the next. Nobody knows who does which, and
    // the result is the same.
    let flags = ArrayView::<u32>::without_source(PARTS * PART)?;
    let next = AtomicUsize::new(0);
    at_once(&every, |_, accelerator| {
        loop {
            let first = next.fetch_add(1, Ordering::Relaxed) * PART;
            if first >= PARTS * PART {
                return Ok(());
            }
            let part = flags.section(first, PART);
            parallel_for_each!(accelerator, part.extent(), |i| {
                part[i] = u32::from(is_prime(first as i32 + i[0]));
            })?;
            // A launch on a GPU is queued: without this its thread would take all parts at once.
            accelerator.wait()?;
        }
    })?;
    let flags = flags.into_vec()?;
    println!("in parts: {} primes below {}", flags.iter().sum::<u32>(), PARTS * PART);
    tilewise_examples::record("flags", &flags);
    Ok(())
}
