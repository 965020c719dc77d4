//! The workers: one for each core that this process may use, pinned to it.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The cores that this process may use, by number.
pub fn cores() -> Vec<usize> {
    core_affinity::get_core_ids().unwrap_or_default().into_iter().map(|core| core.id).collect()
}

/// A pool with this number of workers. They are pinned only where there is a core for each, as a
/// worker that shares its core waits for the other.
///
/// # Panics
/// If the system cannot start threads.
pub fn pinned(threads: usize) -> ThreadPool {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let builder = ThreadPoolBuilder::new().num_threads(threads).start_handler(move |worker| {
        if let Some(core) = cores.get(worker).filter(|_| cores.len() >= threads) {
            core_affinity::set_for_current(*core);
        }
    });
    builder.build().unwrap_or_else(|error| panic!("no threads: {error}"))
}
