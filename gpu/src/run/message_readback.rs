//! Decodes the message buffer: printed lines, ended threads, and threads that did not meet at a
//! barrier.

use tilewise_ir::kernel::{Kernel, Message};
use tilewise_ir::launch::{Arrival, Divergence, Domain, Ending, Outcome, OutputCollector, SideCollector};
use tilewise_ir::pos::Pos;
use tilewise_ir::print;
use tilewise_ir::types::Data;

use super::launched::LOG_WORDS;
use crate::lower::{MessageKind, MessageSite, messages as at};

/// An entry of the log.
struct LogEntry<'w> {
    site: u32,
    thread: u64,
    values: &'w [u32],
}

/// Splits the used part of a region into entries, and returns how many words they take. An entry
/// that did not fit leaves the end of the region unused, which reads as zero.
fn entries<'w>(region: &'w [u32], used: u32) -> (Vec<LogEntry<'w>>, usize) {
    let region = &region[..(used as usize).min(region.len())];
    let mut out = Vec::new();
    let mut rest = region;
    while let Some((&size, _)) = rest.split_first() {
        let Some(&[_, site, thread, ref values @ ..]) = rest.get(..size as usize) else { break };
        out.push(LogEntry { site, thread: thread.into(), values });
        rest = &rest[size as usize..];
    }
    (out, region.len() - rest.len())
}

/// Makes an outcome from the words of the buffer: all of them, or the used part of its log.
pub(super) fn outcome(words: &[u32], sites: &[MessageSite], kernel: &Kernel, domain: &Domain) -> Outcome {
    let head = |word: u32| words.get(word as usize).copied().unwrap_or(0);
    let mut output: OutputCollector = OutputCollector::default();
    let log = words.get(at::LOG as usize..).unwrap_or(&[]);
    let full = head(at::USED) > LOG_WORDS;
    let (log, reserve) = log.split_at_checked(LOG_WORDS as usize).unwrap_or((log, &[]));
    let (mut said, kept) = entries(log, head(at::USED));
    let (reserved, _) = entries(reserve, head(at::RESERVE_USED));
    said.extend(reserved);
    let lowest = head(at::LOWEST);
    let mut apart: Vec<&[u32]> = Vec::new();
    let mut failed = false;
    let status = head(at::STATUS);
    // As if tiles had run one after the other: those behind one with a divergence print nothing.
    let last = (status & at::DIVERGED != 0).then(|| u64::from(head(at::LOWEST_TILE)));
    let tile = kernel.tile().unwrap_or(&[]);
    let is_behind = |thread: u64| last.is_some_and(|last| domain.tile_number(tile, thread) > last);
    for LogEntry { site, thread, values } in said {
        if site == at::AT_END {
            apart.push(values);
            continue;
        }
        let Some(site) = sites.get(site as usize) else { continue };
        match &site.kind {
            MessageKind::Print(..) if is_behind(thread) => {}
            MessageKind::Print(message, types) => output.print(thread, text(message, types, values)),
            MessageKind::Error(..) | MessageKind::Abort if thread != u64::from(lowest) || failed => {}
            MessageKind::Error(message, types) => {
                failed = true;
                output.fail(thread, Some(text(message, types, values)), site.pos);
            }
            MessageKind::Abort => {
                failed = true;
                output.fail(thread, None, site.pos);
            }
            MessageKind::Barrier(_) | MessageKind::Return => {}
        }
    }
    let ended = head(at::ENDED);
    if ended > 0 {
        if !failed {
            output.fail(u64::from(lowest), None, Pos::default());
        }
        output.others_fail(u64::from(ended - 1));
    }
    let ending = if status & at::TIRED != 0 {
        Ending::Interrupted
    } else if status & at::DIVERGED != 0 {
        // The status bit decides, whatever the log holds.
        Ending::BarrierDivergence(divergence(head(at::LOWEST_TILE), &apart, sites, kernel, domain))
    } else {
        Ending::Completed
    };
    let mut outcome = output.outcome(ending, 0);
    if full {
        // Of entries that found the log full only the number of words is known, at four bytes each.
        // Entries that were stored in the reserve instead are not lost.
        let elsewhere = u64::from(head(at::RESERVE_USED).min(at::RESERVE));
        outcome.lost += u64::from(head(at::USED)).saturating_sub(kept as u64 + elsewhere) * 4;
    }
    outcome
}

/// The text of a message.
fn text(message: &Message, types: &[Data], words: &[u32]) -> String {
    let mut words = words.iter().copied();
    let mut word = || u64::from(words.next().unwrap_or(0));
    let values = types.iter().map(|&data| {
        let lanes: Vec<u64> = (0..data.width)
            .map(|_| match data.scalar.bits() {
                64 => {
                    let low = word();
                    low | word() << 32
                }
                _ => word(),
            })
            .collect();
        (data, lanes)
    });
    let values: Vec<(Data, Vec<u64>)> = values.collect();
    print::message(message, values.into_iter())
}

/// The divergence of the lowest tile whose threads did not meet, as far as the log has its entries.
/// An entry holds the tile, the thread in it, its site, and the iteration counts of the loops
/// around it.
fn divergence(lowest: u32, apart: &[&[u32]], sites: &[MessageSite], kernel: &Kernel, domain: &Domain) -> Divergence {
    let mut threads: Vec<&[u32]> = apart.iter().copied().filter(|entry| entry.first() == Some(&lowest)).collect();
    threads.sort_by_key(|entry| entry.get(1).copied());
    let mut sides = SideCollector::default();
    for entry in threads {
        let &[_, thread, number, ref rounds @ ..] = entry else { continue };
        let (did, pos) = match sites.get(number as usize) {
            Some(MessageSite { pos, kind: MessageKind::Barrier(depth) }) => {
                let rounds = rounds.iter().take(*depth as usize).map(|&round| u64::from(round)).collect();
                (Arrival::Barrier { rounds }, *pos)
            }
            Some(site) => (Arrival::Returned, site.pos),
            None => (Arrival::Returned, Pos::default()),
        };
        sides.add(thread, (number, did, pos));
    }
    let tile = domain.tile_position(kernel.tile().unwrap_or(&[]), lowest.into());
    sides.divergence(tile, |(_, did, pos)| (did, pos))
}
