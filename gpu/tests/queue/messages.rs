//! What a launch says beside its prints, when these fill the log: how it ended must not be lost.

use libtest_mimic::Failed as Fault;
use tilewise_gpu::run::{Adapter, GpuLaunchOptions};
use tilewise_ir::launch::{Arrival, Domain, Ending, MAX_PRINTED, Outcome};

use crate::{equal, prepared, view};

/// Prints more than the log holds.
const FILL: &str = "let me = v[global[0]]; var i: i32 = 0; while i < 2000 { \
                    print(\"{} {} {} {} {} {} {} {}\", i, me, i, me, i, me, i, me); i = i + 1; }";

/// Runs a kernel of tiles of 64 threads (of no tiles, if `!tiled`) over a view that counts from 0.
fn run(adapter: &Adapter, threads: i32, tiled: bool, body: &str) -> Result<Outcome, Fault> {
    let shape = if tiled { "tile(64)" } else { "rank(1)" };
    let kernel = prepared(&format!("kernel k(v: view<i32, 1, read_write>) {shape} {{ {body} }}"))?;
    let device = adapter.open()?;
    let queue = device.queue();
    let buffer = device.allocate(threads as u64 * 4, false)?;
    let bytes: Vec<u8> = (0..threads).flat_map(i32::to_le_bytes).collect();
    queue.upload(&buffer, &[(0, &bytes)])?;
    let options = GpuLaunchOptions { time_limit: None, ..GpuLaunchOptions::default() };
    Ok(queue.launch(&kernel, &Domain::new([threads]), &[buffer], &[view(0, threads)], &options)?.outcome()?)
}

/// The tile that a divergence names, and the threads of its sides: at a barrier, and returned.
type TileSides = (Vec<i32>, Vec<u32>, Vec<u32>);

/// The sides of the divergence that ended a launch.
fn sides(outcome: &Outcome) -> Result<TileSides, Fault> {
    let Ending::BarrierDivergence(divergence) = &outcome.ending else {
        return Err(format!("the launch ended as {:?}", outcome.ending).into());
    };
    let mut found = (divergence.tile.clone(), Vec::new(), Vec::new());
    for side in &divergence.sides {
        match side.did {
            Arrival::Barrier { .. } => found.1.extend(&side.threads),
            Arrival::Returned => found.2.extend(&side.threads),
        }
    }
    Ok(found)
}

pub(crate) fn a_full_log_hides_no_divergence(adapter: &Adapter) -> Result<(), Fault> {
    let body = format!("{FILL} if me < 32 {{ barrier; }} v[global[0]] = me + 100;");
    let outcome = run(adapter, 64, true, &body)?;
    equal(outcome.lost > 0, true)?;
    equal(sides(&outcome)?, (vec![0], (0..32).collect(), (32..64).collect()))
}

pub(crate) fn lines_of_tiles_behind_a_divergence_are_not_kept(adapter: &Adapter) -> Result<(), Fault> {
    let body = "let me = v[global[0]]; print(\"line {} {} {} {}\", me, me, me, me); \
                if me >= 6400 && me % 64 < 32 { barrier; } print(\"again {} {} {} {}\", me, me, me, me);";
    let outcome = run(adapter, 64 * 2000, true, body)?;
    equal(sides(&outcome)?, (vec![100], (0..32).collect(), (32..64).collect()))?;
    // The log was full, and of what it had no room for only the number of bytes is known.
    equal(outcome.lost > 0, true)?;
    equal(outcome.printed.is_empty(), false)?;
    equal(outcome.printed.iter().find(|line| line.thread >= 6464), None)?;
    equal(outcome.printed.iter().map(|line| line.text.len() + 1).sum::<usize>() <= MAX_PRINTED, true)?;
    for line in &outcome.printed {
        let number = format!(" {0} {0} {0} {0}", line.thread);
        equal(line.text == format!("line{number}") || line.text == format!("again{number}"), true)?;
    }
    equal(outcome.printed.is_sorted_by_key(|line| line.thread), true)
}

pub(crate) fn a_full_log_hides_no_error(adapter: &Adapter) -> Result<(), Fault> {
    let outcome = run(adapter, 64, false, &format!("{FILL} if me == 63 {{ error(\"index {{}} is bad\", me); }}"))?;
    equal(outcome.lost > 0, true)?;
    let Ending::Failed { thread: 63, message: Some(text), pos, others: 0 } = &outcome.ending else {
        return Err(format!("the launch ended as {:?}", outcome.ending).into());
    };
    equal((text.as_str(), pos.is_known()), ("index 63 is bad", true))
}

pub(crate) fn many_divergent_tiles_leave_room_for_the_lowest(adapter: &Adapter) -> Result<(), Fault> {
    // The tiles before it are in order, so the lowest that is not runs late.
    let body = format!(
        "let me = v[global[0]]; if me >= 64 * 100 {{ if me % 64 < 32 {{ barrier; }} }} else {{ {FILL_ONE} }}",
        FILL_ONE = "print(\"{}\", me);"
    );
    let outcome = run(adapter, 64 * 6000, true, &body)?;
    equal(sides(&outcome)?, (vec![100], (0..32).collect(), (32..64).collect()))?;
    equal((outcome.printed.len(), outcome.lost), (6400, 0))
}

pub(crate) fn many_errors_leave_room_for_the_lowest(adapter: &Adapter) -> Result<(), Fault> {
    let body = format!("{FILL} error(\"thread {{}} of {{}}\", me, 64);");
    let outcome = run(adapter, 64, false, &body)?;
    let Ending::Failed { thread: 0, message: Some(text), pos, others: 63 } = &outcome.ending else {
        return Err(format!("the launch ended as {:?}", outcome.ending).into());
    };
    equal((text.as_str(), pos.is_known()), ("thread 0 of 64", true))
}
