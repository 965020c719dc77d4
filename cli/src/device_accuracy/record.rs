//! The report of measured devices for programs. Its form has a version.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tilewise_conformance::device_accuracy::{MeasuredBuiltin, MeasuredDevice, MeasuredError, PromiseBreach};
use tilewise_conformance::input_file;

use crate::console::CommandError;
use crate::report_file::reads_version;

/// Version of the form.
const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
pub(crate) struct DevicesJson {
    schema: u32,
    devices: Vec<DeviceJson>,
}

#[derive(Serialize, Deserialize)]
struct DeviceJson {
    name: String,
    driver: String,
    level: String,
    builtins: Vec<BuiltinJson>,
}

#[derive(Serialize, Deserialize)]
struct BuiltinJson {
    name: String,
    tried: u64,
    /// In units of the last place.
    largest: ErrorJson,
    absolute: ErrorJson,
    elsewhere: ErrorJson,
    used_of_wgsl: Option<f64>,
    used_of_vulkan: Option<f64>,
    beyond_wgsl: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worst_wgsl: Option<ErrorJson>,
    beyond_vulkan: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worst_vulkan: Option<ErrorJson>,
    flushed: u64,
    special: u64,
    special_wrong: u64,
}

#[derive(Serialize, Deserialize)]
struct ErrorJson {
    /// Nothing stands for an infinite error: JSON has no infinities.
    size: Option<f64>,
    /// The words of the arguments.
    given: Vec<u32>,
    component: usize,
    exact: f64,
    /// The word that the device gave.
    got: u32,
}

impl ErrorJson {
    fn of(error: &MeasuredError) -> ErrorJson {
        let MeasuredError { size, given, component, exact, got } = error;
        let size = size.is_finite().then_some(*size);
        ErrorJson { size, given: given.clone(), component: *component, exact: *exact, got: *got }
    }

    fn error(self) -> MeasuredError {
        let ErrorJson { size, given, component, exact, got } = self;
        MeasuredError { size: size.unwrap_or(f64::INFINITY), given, component, exact, got }
    }
}

impl BuiltinJson {
    fn of(name: &str, found: &MeasuredBuiltin) -> BuiltinJson {
        let worst = |breach: &PromiseBreach| (breach.count > 0).then(|| ErrorJson::of(&breach.worst));
        BuiltinJson {
            name: name.to_owned(),
            tried: found.tried,
            largest: ErrorJson::of(&found.largest),
            absolute: ErrorJson::of(&found.absolute),
            elsewhere: ErrorJson::of(&found.elsewhere),
            used_of_wgsl: found.used_of_wgsl.is_finite().then_some(found.used_of_wgsl),
            used_of_vulkan: found.used_of_vulkan.is_finite().then_some(found.used_of_vulkan),
            beyond_wgsl: found.wgsl.count,
            worst_wgsl: worst(&found.wgsl),
            beyond_vulkan: found.vulkan.count,
            worst_vulkan: worst(&found.vulkan),
            flushed: found.flushed,
            special: found.special,
            special_wrong: found.special_wrong,
        }
    }

    fn found(self) -> (String, MeasuredBuiltin) {
        let breach = |count, worst: Option<ErrorJson>| PromiseBreach {
            count,
            worst: worst.map(ErrorJson::error).unwrap_or_default(),
        };
        let found = MeasuredBuiltin {
            tried: self.tried,
            largest: self.largest.error(),
            absolute: self.absolute.error(),
            elsewhere: self.elsewhere.error(),
            used_of_wgsl: self.used_of_wgsl.unwrap_or(f64::INFINITY),
            used_of_vulkan: self.used_of_vulkan.unwrap_or(f64::INFINITY),
            wgsl: breach(self.beyond_wgsl, self.worst_wgsl),
            vulkan: breach(self.beyond_vulkan, self.worst_vulkan),
            flushed: self.flushed,
            special: self.special,
            special_wrong: self.special_wrong,
        };
        (self.name, found)
    }
}

impl DevicesJson {
    pub(crate) fn of(devices: &[MeasuredDevice]) -> DevicesJson {
        let device = |device: &MeasuredDevice| DeviceJson {
            name: device.name.clone(),
            driver: device.driver.clone(),
            level: device.level.clone(),
            builtins: device.builtins.iter().map(|(name, found)| BuiltinJson::of(name, found)).collect(),
        };
        DevicesJson { schema: SCHEMA, devices: devices.iter().map(device).collect() }
    }

    pub(crate) fn text(&self) -> Result<String, CommandError> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|error| unwritable(&error))
    }

    /// The report as a part of another.
    pub(crate) fn value(&self) -> Result<serde_json::Value, CommandError> {
        serde_json::to_value(self).map_err(|error| unwritable(&error))
    }

    /// The devices of a report, which a file has.
    pub(crate) fn devices(self, path: &Path) -> Result<Vec<MeasuredDevice>, CommandError> {
        reads_version(path, self.schema, SCHEMA)?;
        let device = |device: DeviceJson| MeasuredDevice {
            name: device.name,
            driver: device.driver,
            level: device.level,
            builtins: device.builtins.into_iter().map(BuiltinJson::found).collect(),
        };
        Ok(self.devices.into_iter().map(device).collect())
    }
}

fn unwritable(error: &serde_json::Error) -> CommandError {
    let help = "this is a bug of Tilewise; leave `--json` out";
    CommandError::new(format!("the JSON report cannot be written: {error}"), help)
}

/// The devices of a report in a file.
pub(crate) fn read_devices(path: &Path) -> Result<Vec<MeasuredDevice>, CommandError> {
    let text = input_file::text(path).map_err(|error| {
        CommandError::new(format!("cannot read `{}`: {error}", path.display()), "name a file that exists")
    })?;
    let report: DevicesJson = serde_json::from_str(&text).map_err(|error| {
        let message = format!("`{}` is no report of measured devices: {error}", path.display());
        CommandError::new(message, "name a file that `tilewise accuracy --device --json FILE` wrote")
    })?;
    report.devices(path)
}
