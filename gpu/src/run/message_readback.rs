//! The message buffer, read: what threads printed, which ended, and who did not meet at a barrier.

use tilewise_ir::kernel::{Kernel, Message};
use tilewise_ir::launch::{Arrival, Divergence, Domain, Ending, Outcome, OutputCollector, SideCollector};
use tilewise_ir::pos::Pos;
use tilewise_ir::print;
use tilewise_ir::types::Data;

use crate::lower::{MessageKind, MessageSite, messages as at};

/// Makes the outcome of the words.
pub(super) fn outcome(words: &[u32], sites: &[MessageSite], kernel: &Kernel, domain: &Domain) -> Outcome {
    let head = |word: u32| words.get(word as usize).copied().unwrap_or(0);
    let mut output: OutputCollector = OutputCollector::default();
    let log = words.get(at::LOG as usize..).unwrap_or(&[]);
    let used = (head(at::USED) as usize).min(log.len());
    let lowest = head(at::LOWEST);
    let mut apart: Vec<&[u32]> = Vec::new();
    let mut rest = &log[..used];
    let mut failed = false;
    let full = head(at::USED) as usize > log.len();
    while let Some((&size, _)) = rest.split_first() {
        let Some(entry) = rest.get(..size as usize).filter(|entry| entry.len() >= 3) else { break };
        rest = &rest[size as usize..];
        let (site, thread, values) = (entry[1], u64::from(entry[2]), &entry[3..]);
        if site == at::AT_END {
            apart.push(values);
            continue;
        }
        let Some(site) = sites.get(site as usize) else { continue };
        match &site.kind {
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
    let status = head(at::STATUS);
    let ending = if status & at::TIRED != 0 {
        Some(Ending::Interrupted)
    } else {
        divergence(&apart, sites, kernel, domain).map(Ending::BarrierDivergence)
    };
    let mut outcome = output.outcome(ending.unwrap_or(Ending::Completed), 0);
    if full {
        // What found the log full is known by its words only, which count four bytes each.
        let kept = used - rest.len();
        outcome.lost += (u64::from(head(at::USED)) - kept as u64) * 4;
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
    print::message(&message.pieces, values.into_iter())
}

/// Who stands where in the lowest tile whose threads did not meet. Each entry is: the tile, the thread in it, its site, rounds.
fn divergence(apart: &[&[u32]], sites: &[MessageSite], kernel: &Kernel, domain: &Domain) -> Option<Divergence> {
    let lowest = *apart.iter().filter_map(|entry| entry.first()).min()?;
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
    Some(sides.divergence(tile, |(_, did, pos)| (did, pos)))
}
