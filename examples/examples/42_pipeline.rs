//! A pipeline of two buffers: while a kernel works on one part of the data, the next part is copied to the other buffer
//! and the results of the part before are looked through, by threads of the library. Copies and launches of one buffer
//! happen in the order of the calls: nothing else keeps them apart.
//!
//! The work: the numbers below 4096 that take the most steps to 1, halved if even, else tripled and added to.

use tilewise::prelude::*;
use tilewise::{Completion, copy_async_from, copy_async_into};

/// Numbers of a part, and parts.
const PART: usize = 512;
const PARTS: usize = 8;

/// How many times `n` is halved, or tripled and added to, until it is 1.
#[amp]
fn steps(n: u32) -> u32 {
    let (mut n, mut count) = (n, 0);
    while n > 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
    count
}

/// The greatest count of a part, and its number.
fn longest(part: usize, counts: &[u32]) -> (u32, usize) {
    let numbers = part * PART..;
    // Of equal counts the least number.
    counts.iter().copied().zip(numbers).max_by(|(a, m), (b, n)| a.cmp(b).then(n.cmp(m))).unwrap_or_default()
}

/// Begins to copy a part to a buffer. The completion gives the memory of the part back.
fn send(part: usize, to: &Array<u32>) -> tilewise::Result<Completion<Vec<u32>>> {
    let numbers = (part * PART) as u32..((part + 1) * PART) as u32;
    copy_async_from(numbers.collect(), to)
}

fn main() -> tilewise::Result<()> {
    let buffers = [Array::<u32>::new(PART)?, Array::<u32>::new(PART)?];
    let mut results = Vec::new();
    let mut sent = send(0, &buffers[0])?;
    for part in 0..PARTS {
        let numbers = &buffers[part % 2];
        let next = match part + 1 {
            PARTS => Completion::ready(Vec::new()),
            following => send(following, &buffers[following % 2])?,
        };
        // It waits for the copy of this part, and not for that of the next one.
        parallel_for_each!(numbers.extent(), |i| numbers[i] = steps(numbers[i]))?;
        // The copy back begins after the kernel; `then` names work that begins after the copy.
        let counts = copy_async_into(numbers, sent.get()?)?;
        results.push(counts.then(move |counts| Ok(longest(part, &counts))));
        sent = next;
    }

    // The results in the order of the parts, whichever is there first.
    let mut found = Vec::new();
    for (part, result) in results.into_iter().enumerate() {
        let (count, number) = result.get()?;
        println!("{:4} .. {:4}: {number:4} takes {count:3} steps", part * PART, (part + 1) * PART);
        found.extend([number as u32, count]);
    }
    tilewise_examples::record("found", &found);
    Ok(())
}
