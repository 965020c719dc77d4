//! The page `docs/device-accuracy.md`: a table of built-ins and devices.

use std::fmt::Write as _;

use super::builtin::{DeviceBuiltin, WordKind};
use super::measure::{MeasuredBuiltin, MeasuredError};
use super::range::FloatWidth;

/// What was measured of a device.
#[derive(Clone, PartialEq, Debug)]
pub struct MeasuredDevice {
    /// Its name.
    pub name: String,
    /// Name and version of its driver.
    pub driver: String,
    /// The level of the measurement: `quick`, `std` or `full`.
    pub level: String,
    /// Built-ins by their names.
    pub builtins: Vec<(String, MeasuredBuiltin)>,
}

const HEAD: &str = "\
# Accuracy of devices

Written by `tilewise accuracy --device --page docs/device-accuracy.md`; do not edit.

What the drivers of some devices make of the built-in functions and operators of WGSL, without our libraries, beside
what the specifications promise: WGSL in \"Floating Point Accuracy\", Vulkan in \"Precision of Individual Operations\".
Shaders read their arguments from memory, so that no compiler knows them. A *quick* measurement takes 2^14 rows of
arguments of each built-in, *std* 2^20: half in the usual range, the rest edge values and any bits. *Full* takes all
2^32 words of one argument, and 2^26 rows of more. Of one `f16`, each measurement takes all 2^16. Built-ins of `f16`
stand behind those of `f32`.

The *error* is the largest where WGSL promises an accuracy, in units of the last place (ulp) of the exact result;
behind it the arguments, and their bits. A result within 0.5 is the nearest number. Where a promise is absolute
throughout, the largest absolute error is named too. *Used* says how much of the error that WGSL allows the device
needs at most.
*Elsewhere* is the largest error where nothing is promised, such as sines of large angles. *Beyond* counts results that
a device which keeps the promise cannot give. *Flushed* counts subnormal results that became zero, which is allowed.
Where a result would be infinite or NaN, nothing is promised; *special* counts such results that IEEE 754 has otherwise,
of how many.

An accuracy that is inherited from a formula is that formula on ranges: each step may round either way, take a subnormal
number for zero, and be as far off as its own promise allows. Sums of products may be taken in any order, and fused.
";

/// The text of the page.
pub fn page(builtins: &[DeviceBuiltin], devices: &[MeasuredDevice]) -> String {
    let mut out = HEAD.to_owned();
    for device in devices {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## {}\nDriver: {}. Level: {}. ", device.name, device.driver, device.level);
        if device.builtins.len() < builtins.len() {
            let _ = write!(out, "{} of {} built-ins were measured. ", device.builtins.len(), builtins.len());
        }
        let broken: Vec<String> =
            device.builtins.iter().filter(|(_, found)| !found.is_kept()).map(|(name, _)| format!("`{name}`")).collect();
        let _ = match broken.as_slice() {
            [] if device.builtins.is_empty() => writeln!(out, "Nothing is known of its promises."),
            [] => writeln!(out, "It keeps all promises."),
            broken => writeln!(out, "It breaks promises of {}.", broken.join(", ")),
        };
        out += "\n| built-in | WGSL promises | Vulkan promises | error | at | used | elsewhere | beyond WGSL, Vulkan | flushed | special |\n";
        out += "|---|---|---|---|---|---|---|---|---|---|\n";
        for builtin in builtins {
            let Some((_, found)) = device.builtins.iter().find(|(name, _)| *name == builtin.label()) else { continue };
            let vulkan = if builtin.vulkan.rule == builtin.wgsl.rule { "the same" } else { builtin.vulkan.rule };
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                builtin.label(),
                builtin.wgsl.rule.replace('|', "\\|"),
                vulkan.replace('|', "\\|"),
                error(builtin, found),
                if found.largest.size > 0.0 { arguments_text(builtin, &found.largest) } else { String::new() },
                if builtin.wgsl.allowed.is_some() { percent(found.used_of_wgsl) } else { String::new() },
                if found.elsewhere.size > 0.0 { number(found.elsewhere.size) } else { String::new() },
                beyond(builtin, found),
                found.flushed,
                if found.special > 0 { format!("{} of {}", found.special_wrong, found.special) } else { String::new() },
            );
        }
    }
    out
}

/// A part as a percentage.
pub fn percent(part: f64) -> String {
    if part > 9.99 { "more than 999 %".to_owned() } else { format!("{:.0} %", part * 100.0) }
}

/// An error as a number that is short and large enough to read.
pub fn number(size: f64) -> String {
    if size == 0.0 {
        "0".to_owned()
    } else if (0.001..1e6).contains(&size) {
        let places = if size < 1.0 { 3 } else { usize::from(size < 1000.0) * 2 };
        format!("{size:.places$}")
    } else {
        format!("{size:.2e}")
    }
}

fn error(builtin: &DeviceBuiltin, found: &MeasuredBuiltin) -> String {
    let rule = builtin.wgsl.rule;
    // Of a promise that is absolute in a part only, the largest absolute error may lie in another.
    let absolute = rule.contains("absolute") && !rule.contains("elsewhere") && found.absolute.size > 0.0;
    let also = if absolute { format!(", absolute {}", number(found.absolute.size)) } else { String::new() };
    number(found.largest.size) + &also
}

fn beyond(builtin: &DeviceBuiltin, found: &MeasuredBuiltin) -> String {
    if found.is_kept() {
        return "0".to_owned();
    }
    let worst = if found.wgsl.count > 0 { &found.wgsl.worst } else { &found.vulkan.worst };
    let (wgsl, vulkan) = (found.wgsl.count, found.vulkan.count);
    let (given, got) = (arguments_text(builtin, worst), result_text(builtin, worst));
    format!("**{wgsl}, {vulkan}**: {given} gives {got} for {:e}", worst.exact)
}

/// The result of a device as a number.
pub fn result_text(builtin: &DeviceBuiltin, error: &MeasuredError) -> String {
    match builtin.results.get(error.component) {
        Some(WordKind::Float) | None => float_text(builtin.width, error.got),
        Some(WordKind::Int) => (error.got as i32).to_string(),
        Some(WordKind::Uint) => error.got.to_string(),
    }
}

/// A float, with as many digits as tell it from others of its format.
fn float_text(width: FloatWidth, word: u32) -> String {
    match width {
        FloatWidth::Single => format!("{:e}", f32::from_bits(word)),
        FloatWidth::Half => format!("{:e}", half::f16::from_bits(word as u16).to_f32()),
    }
}

fn bits_text(width: FloatWidth, word: u32) -> String {
    match width {
        FloatWidth::Single => format!("{word:#010x}"),
        FloatWidth::Half => format!("{word:#06x}"),
    }
}

/// Arguments as numbers, and their bits.
pub fn arguments_text(builtin: &DeviceBuiltin, error: &MeasuredError) -> String {
    let one = |(kind, &word): (&WordKind, &u32)| match kind {
        WordKind::Float => format!("{} ({})", float_text(builtin.width, word), bits_text(builtin.width, word)),
        WordKind::Int => (word as i32).to_string(),
        WordKind::Uint => format!("{word:#010x}"),
    };
    builtin.arguments.iter().zip(&error.given).map(one).collect::<Vec<_>>().join(", ")
}
