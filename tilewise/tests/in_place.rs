//! Launches on the CPU work in the program's own memory: nothing of it is copied. A process of its own, as it looks at the memory that the process takes.

use std::process::Command;

use tilewise::{Accelerator, AcceleratorView, ArrayView, Checks, ReadView, Result, parallel_for_each};

/// The most bytes that the process ever had in memory, where the system tells. Linux counts the pages for each processor
/// and adds them up now and then, so that the most may be a few pages less than it was said to be before.
fn most() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The accelerators that work in host memory. With its checks the reference notes facts of each byte beside it; here there are none.
fn queues() -> Result<Vec<AcceleratorView>> {
    let reference = Accelerator::new(Accelerator::REFERENCE)?.view_builder().checks(Checks::NONE).create()?;
    Ok(vec![
        reference,
        Accelerator::new(Accelerator::JIT)?.default_view(),
        Accelerator::new(Accelerator::NATIVE)?.default_view(),
    ])
}

/// Elements of each slice: a GiB.
const MANY: usize = 1 << 28;

#[test]
fn large_slices_of_which_little_is_touched_take_no_memory() -> Result<()> {
    // The system gives zeros when they are touched, and not before.
    let (mut data, shared) = (vec![0u32; MANY], vec![0u32; MANY]);
    for av in queues()? {
        let run = |data: &mut [u32]| -> Result<()> {
            let view = ArrayView::new((1 << 14, 1 << 14), data)?;
            let (section, read) = (view.section((1, 0), (1 << 13, 1 << 14)), ReadView::read_only(MANY, &shared)?);
            parallel_for_each!(&av, tilewise::Extent([64]), |i| {
                section[(i[0] * 100, 5)] = read[i[0] * 4_000_000] + 7;
                view[(i[0] * 100 + 2, 5)] += 1;
            })?;
            view.close()
        };
        // What the accelerator itself needs is there after a launch.
        run(&mut data)?;
        let before = most();
        run(&mut data)?;
        let grown = most().zip(before).map(|(after, before)| after.saturating_sub(before));
        assert!(grown.is_none_or(|grown| grown < 32 << 20), "{grown:?} bytes more on {av:?}");
        assert_eq!((data[(1 << 14) + 5], data[(2 << 14) + 5], data[(101 << 14) + 5]), (7, 2, 7), "{av:?}");
        data.iter_mut().skip(5).step_by(1 << 14).for_each(|element| *element = 0);
    }
    Ok(())
}

#[test]
fn nor_where_kernels_are_interpreted_that_cannot_be_compiled() {
    // The variable is looked at once in a program, so this one is started again.
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "large_slices_of_which_little_is_touched_take_no_memory", "--nocapture"]);
    let output = again.env("TILEWISE_FALLBACK", "always").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{said}");
    assert_eq!(said.matches("is interpreted, as TILEWISE_FALLBACK is `always`").count(), 1, "{said}");
}
