//! `--accuracy`: how exact the built-in functions of the GPUs are, beside the suite.

use super::html::ReportSection;
use crate::VerifyArgs;
use crate::console::{CommandError, Console};

/// What was measured, if it was asked for.
pub(super) struct MeasuredDevices {
    /// Does each device keep what is promised?
    pub(super) is_kept: bool,
    /// The section of the page.
    pub(super) section: Option<ReportSection>,
    /// The part of the report for programs.
    pub(super) record: Option<serde_json::Value>,
}

impl MeasuredDevices {
    const NOT_ASKED: MeasuredDevices = MeasuredDevices { is_kept: true, section: None, record: None };

    /// Measures, if the command line says so.
    #[cfg(feature = "accuracy")]
    pub(super) fn of(args: &VerifyArgs, console: &mut Console) -> Result<MeasuredDevices, CommandError> {
        use crate::device_accuracy::{DeviceChoice, DevicesJson, measure};

        if !args.accuracy {
            return Ok(MeasuredDevices::NOT_ASKED);
        }
        let table = tilewise_conformance::device_accuracy::builtins();
        let (devices, is_kept) = measure(&table, DeviceChoice::All, args.level.level, console)?;
        let section = Some(super::html::accuracy_section(&devices));
        Ok(MeasuredDevices { is_kept, section, record: Some(DevicesJson::of(&devices).value()?) })
    }

    /// Without the feature `accuracy` there is nothing to measure with, and no option that asks for it.
    #[cfg(not(feature = "accuracy"))]
    pub(super) const fn of(_: &VerifyArgs, _: &Console) -> Result<MeasuredDevices, CommandError> {
        Ok(MeasuredDevices::NOT_ASKED)
    }
}
