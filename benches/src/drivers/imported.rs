//! The kernels in WGSL as `jit` runs them: imported, and compiled like kernels of Rust. Beside the
//! column of `jit`, the column shows what a shader costs more or less than the same kernel in Rust.

use tilewise::{Accelerator, AcceleratorView, ArrayView, Shader, ShaderEntry};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::by_hand;
use super::plan::DriverPlan;

/// Where imported kernels run.
pub(super) struct ImportedDevice(AcceleratorView);

/// An imported kernel with its memory.
pub(super) struct ImportedWork {
    on: AcceleratorView,
    plan: DriverPlan,
    entry: ShaderEntry<'static>,
    views: Vec<ArrayView<'static, u32>>,
}

fn text(error: tilewise::Error) -> String {
    error.to_string()
}

impl ImportedDevice {
    pub(super) fn open() -> Result<ImportedDevice, String> {
        Ok(ImportedDevice(Accelerator::new(Accelerator::JIT).map_err(text)?.default_view()))
    }

    pub(super) fn prepare(&self, plan: DriverPlan) -> Result<ImportedWork, String> {
        let source = by_hand::wgsl(plan.name)?;
        let mut entry =
            Shader::from_wgsl("by_hand.wgsl", source).and_then(|shader| shader.entry("main")).map_err(text)?;
        if !plan.numbers.is_empty() {
            let mut numbers = [0u32; 4];
            numbers.iter_mut().zip(&plan.numbers).for_each(|(to, &number)| *to = number);
            let binding = plan.launches.first().map_or(0, Vec::len) as u32;
            entry = entry.value(0, binding, &numbers).map_err(text)?;
        }
        let views = plan.buffers.iter().map(|words| filled(words)).collect::<Result<_, _>>()?;
        Ok(ImportedWork { on: self.0.clone(), plan, entry, views })
    }
}

/// A view of memory of the library.
fn filled(words: &[u32]) -> Result<ArrayView<'static, u32>, String> {
    let count = i32::try_from(words.len()).map_err(|_| "a buffer is too large".to_owned())?;
    let view = ArrayView::without_source(count).map_err(text)?;
    view.host_mut().map_err(text)?.copy_from_slice(words);
    Ok(view)
}

impl PreparedWork for ImportedWork {
    fn restore(&mut self) -> Result<(), String> {
        self.plan.changed.iter().try_for_each(|&buffer| {
            self.views[buffer].host_mut().map_err(text)?.copy_from_slice(&self.plan.buffers[buffer]);
            Ok(())
        })
    }

    fn run(&mut self) -> Result<(), String> {
        let [x, y] = self.plan.tiles();
        for launch in &self.plan.launches {
            let mut bound: ShaderEntry<'_> = self.entry.clone();
            for (binding, &buffer) in (0..).zip(launch) {
                bound = bound.bind(0, binding, &self.views[buffer]).map_err(text)?;
            }
            bound.dispatch(&self.on, [x, y, 1]).map_err(text)?;
        }
        Ok(())
    }

    fn output(&self) -> Result<PeerOutput, String> {
        let mut all = Vec::new();
        for &buffer in &self.plan.output {
            all.extend(self.views[buffer].to_vec().map_err(text)?);
        }
        Ok(self.plan.result(all))
    }
}
