//! Contestants that run kernels by hand from their text: PoCL through OpenCL, Mesa's lavapipe
//! through Vulkan, and `jit` through the importer of WGSL.
//!
//! [`by_hand`] has the kernels; the drivers are looked for when the program runs. [`plan`] lists the
//! arguments of each kernel, [`opencl`], [`vulkan`] and [`imported`] launch it. Both drivers have
//! threads of their own, whose number they take from the environment when they start: [`threads`]
//! sets it for a program before its start.

mod by_hand;
mod imported;
mod opencl;
mod plan;
mod vulkan;

use std::env;
use std::process::Command;

use tilewise_peers::{PeerOutput, PeerWork, PreparedWork, Tolerance};

/// The kind of driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DriverKind {
    /// OpenCL.
    Pocl,
    /// WGSL, through Vulkan.
    Lavapipe,
    /// WGSL, imported, on `jit`.
    Imported,
}

/// A driver that is a contestant.
pub struct Driver {
    kind: DriverKind,
    api: Api,
}

enum Api {
    OpenCl(opencl::OpenClDevice),
    Vulkan(vulkan::VulkanDevice),
    Imported(imported::ImportedDevice),
}

impl DriverKind {
    /// All kinds.
    pub const ALL: [DriverKind; 3] = [DriverKind::Pocl, DriverKind::Lavapipe, DriverKind::Imported];

    /// Its name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            DriverKind::Pocl => "pocl",
            DriverKind::Lavapipe => "lavapipe",
            DriverKind::Imported => "jit-wgsl",
        }
    }

    /// What it is, in words.
    pub const fn about(self) -> &'static str {
        match self {
            DriverKind::Pocl => "kernels in OpenCL C by hand, on the processor by PoCL",
            DriverKind::Lavapipe => "kernels in WGSL by hand, on the processor by Mesa's Vulkan driver lavapipe",
            DriverKind::Imported => "the same kernels in WGSL by hand, imported by Tilewise, on `jit`",
        }
    }

    /// The environment variable with the number of its threads. `jit` has as many as this program has
    /// cores.
    const fn variable(self) -> Option<&'static str> {
        match self {
            DriverKind::Pocl => Some("POCL_MAX_PTHREAD_COUNT"),
            DriverKind::Lavapipe => Some("LP_NUM_THREADS"),
            DriverKind::Imported => None,
        }
    }
}

/// Sets the number of threads of the drivers for a program before its start.
pub fn threads(command: &mut Command, count: usize) {
    for variable in DriverKind::ALL.into_iter().filter_map(DriverKind::variable) {
        command.env(variable, count.to_string());
    }
    // Disables a layer of Mesa's that looks for displays, and complains where there are none.
    command.env("NODEVICE_SELECT", "1");
}

impl Driver {
    /// Looks for a driver that has this number of threads.
    ///
    /// # Errors
    /// The reason why it cannot take part.
    pub fn find(kind: DriverKind, threads: usize) -> Result<Driver, String> {
        if let Some(variable) = kind.variable().filter(|name| env::var(name).ok() != Some(threads.to_string())) {
            return Err(format!("{variable} is not {threads}, so it would have other threads"));
        }
        Driver::open(kind)
    }

    /// Looks for a driver, whatever the number of its threads.
    fn open(kind: DriverKind) -> Result<Driver, String> {
        let api = match kind {
            DriverKind::Pocl => Api::OpenCl(opencl::OpenClDevice::open()?),
            DriverKind::Lavapipe => Api::Vulkan(vulkan::VulkanDevice::open()?),
            DriverKind::Imported => Api::Imported(imported::ImportedDevice::open()?),
        };
        Ok(Driver { kind, api })
    }

    /// Its kind.
    pub fn kind(&self) -> DriverKind {
        self.kind
    }

    /// Prepares work.
    ///
    /// # Errors
    /// The error of the driver.
    pub fn prepare(&self, work: PeerWork, size: usize) -> Result<Box<dyn PreparedWork>, String> {
        let plan = plan::plan(work, size)?;
        match &self.api {
            Api::OpenCl(device) => Ok(Box::new(device.prepare(plan)?)),
            Api::Vulkan(device) => Ok(Box::new(device.prepare(plan)?)),
            Api::Imported(device) => Ok(Box::new(device.prepare(plan)?)),
        }
    }
}

/// The maximum share of the whole numbers of [`PeerWork::Mandelbrot`] that may differ: a driver that
/// rounds products and sums once may count a point just outside as just inside.
const OTHERS: f64 = 0.002;

/// Whether this is the expected result, as far as a driver can reproduce it.
///
/// # Errors
/// The difference.
pub fn compare(work: PeerWork, found: &PeerOutput, expected: &PeerOutput) -> Result<(), String> {
    if let (PeerWork::Mandelbrot, PeerOutput::Words(found), PeerOutput::Words(expected)) = (work, found, expected) {
        let differ = found.iter().zip(expected).filter(|(x, y)| x != y).count();
        let most = (expected.len() as f64 * OTHERS) as usize;
        if found.len() == expected.len() && differ <= most {
            return Ok(());
        }
        return Err(format!("{differ} of {} elements differ, {most} may", expected.len()));
    }
    let tolerance = Tolerance {
        relative: 1e-4,
        absolute: 1e-3,
        why: "drivers round products and sums once where they can, and have functions of their own",
    };
    found.compare(expected, Some(tolerance)).map_err(|mismatch| mismatch.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    /// Whole tiles of every kernel.
    const fn size(work: PeerWork) -> usize {
        match work {
            PeerWork::VectorAdd
            | PeerWork::Saxpy
            | PeerWork::BlackScholes
            | PeerWork::Histogram
            | PeerWork::Reduce
            | PeerWork::Scan => 1 << 17,
            PeerWork::NBody => 512,
            _ => 64,
        }
    }

    #[test]
    fn a_driver_gives_the_right_results_or_says_why_it_does_not_take_part() {
        for kind in DriverKind::ALL {
            let driver = match Driver::open(kind) {
                Ok(driver) => driver,
                Err(reason) => {
                    assert!(!reason.is_empty());
                    continue;
                }
            };
            for work in PeerWork::ALL.into_iter().filter(|work| work.of_others() == Some(*work)) {
                let size = size(work);
                let mut prepared = driver.prepare(work, size).unwrap_or_else(|why| panic!("{work}: {why}"));
                let expected = kernels::expected(work, size).unwrap_or_else(|why| panic!("{work}: {why}"));
                // The second iteration tests `restore`.
                for _ in 0..2 {
                    prepared.restore().and_then(|()| prepared.run()).unwrap_or_else(|why| panic!("{work}: {why}"));
                    let output = prepared.output().unwrap_or_else(|why| panic!("{work}: {why}"));
                    compare(work, &output, &expected)
                        .unwrap_or_else(|why| panic!("{} {work}: {why}", driver.kind().name()));
                }
            }
        }
    }

    #[test]
    fn few_points_of_a_picture_may_differ_and_no_count_of_bins() {
        let expected = PeerOutput::Words(vec![7; 1000]);
        let mut found = vec![7; 1000];
        found[3] = 8;
        assert!(compare(PeerWork::Mandelbrot, &PeerOutput::Words(found.clone()), &expected).is_ok());
        assert!(compare(PeerWork::Histogram, &PeerOutput::Words(found), &expected).is_err());
        assert!(compare(PeerWork::Mandelbrot, &PeerOutput::Words(vec![8; 1000]), &expected).is_err());
        assert!(compare(PeerWork::Mandelbrot, &PeerOutput::Words(vec![7; 999]), &expected).is_err());
    }

    #[test]
    fn a_program_is_told_how_many_threads_its_drivers_have() {
        let mut command = Command::new("nothing");
        threads(&mut command, 3);
        let told: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
        for variable in DriverKind::ALL.into_iter().filter_map(DriverKind::variable) {
            assert!(told.contains(&(variable.into(), Some("3".into()))), "{told:?}");
        }
    }
}
