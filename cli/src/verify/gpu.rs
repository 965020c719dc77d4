//! The GPU that cases ran on, for reports: its name, and the way it computes floats.

use serde::Serialize;
use tilewise::Accelerator;
use tilewise_conformance::suite::JudgedCase;
use tilewise_conformance::target::SuiteTarget;

use crate::devices::Replaced;

/// The first GPU, which is the one that the suite runs on.
#[derive(Serialize)]
pub(super) struct FirstGpu {
    description: String,
    strict_floats: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced_floats: Vec<Replaced>,
}

impl FirstGpu {
    /// The first GPU, if a case ran there.
    pub(super) fn of(judged: &[JudgedCase]) -> Option<FirstGpu> {
        let on_gpu = |target| matches!(target, SuiteTarget::GpuWgsl | SuiteTarget::GpuModule | SuiteTarget::GpuStrict);
        judged.iter().find(|judged| on_gpu(judged.case.target))?;
        let accelerator = Accelerator::all().into_iter().find(|accelerator| accelerator.path() == "gpu/0")?;
        let lacks = accelerator.strict_floats().err().map(|error| error.to_string());
        Some(FirstGpu {
            description: accelerator.description().to_owned(),
            strict_floats: lacks.is_none(),
            lacks,
            replaced_floats: Replaced::of(&accelerator),
        })
    }

    /// Lines for people.
    pub(super) fn lines(&self) -> Vec<String> {
        let floats = match &self.lacks {
            None => "strict floats".to_owned(),
            Some(why) => format!("relaxed floats only: {why}"),
        };
        let mut lines = vec![format!("GPU: {}, {floats}", self.description)];
        lines.extend(self.replaced_floats.iter().map(|replaced| format!("  {}", replaced.line())));
        lines
    }
}
