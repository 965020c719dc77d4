//! The disk cache of probe results: a small text file per adapter, so that not every process runs
//! the probe.
//!
//! The files lie in the platform's cache folder, or in the folder that `TILEWISE_CACHE` names;
//! `off` disables the cache. A file begins with everything that the result depends on, and ends
//! with a hash of the rest: a file of another driver or version, truncated or damaged, counts as
//! missing. Failures to read or write are not errors. A file is written under a temporary name and
//! then renamed, so concurrent processes see only whole files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

use tilewise_ir::types::Scalar;

use super::{Hash, version};
use crate::exact::{Exact, NativeOp};
use crate::qualified::{ProbeFault, Qualified};
use crate::shader_form::FloatControls;

/// The version of wgpu and naga, which the workspace's manifest pins.
const WGPU: &str = "30.0.1";
/// The variable that names a folder, or is `off`.
const VARIABLE: &str = "TILEWISE_CACHE";

/// The folder, or `None` if there is none or the cache is off.
pub(super) fn folder() -> Option<PathBuf> {
    choose(|name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
}

fn choose(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(named) = variable(VARIABLE) {
        return (named.as_os_str() != "off").then_some(named);
    }
    let home = |rest: &str| variable("HOME").map(|home| home.join(rest));
    let caches = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home("Library/Caches")
    } else {
        // The XDG specification says to ignore relative paths.
        variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| home(".cache"))
    };
    caches.map(|caches| caches.join("tilewise"))
}

/// Everything that a result depends on, in lines.
pub(super) fn key(info: &wgpu::AdapterInfo, controls: FloatControls) -> String {
    let line = |text: &str| text.replace(char::is_control, " ");
    let mut out = String::from("tilewise: exact float operations\n");
    let on = |controls: crate::shader_form::Controls| {
        [controls.signed_zero, controls.denormals, controls.nearest].map(u8::from).map(|on| on.to_string()).join("")
    };
    // A software driver compiles for the processor, and machines may share a folder.
    let processor = if info.device_type == wgpu::DeviceType::Cpu { processor() } else { String::new() };
    // Writing to a `String` cannot fail.
    let _ = write!(
        out,
        "adapter {}\nvendor {:#x}\ndevice {:#x}\nbackend {}\ndriver {}\nversion {}\n{processor}controls {} {}\nwgpu {WGPU}\nprobe {:016x}\n",
        line(&info.name),
        info.vendor,
        info.device,
        info.backend,
        line(&info.driver),
        line(&info.driver_info),
        on(controls.single),
        on(controls.double),
        version(),
    );
    out
}

/// The processor features that affect floats: fused products and the width of vectors.
fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    let has = [
        ("avx", std::arch::is_x86_feature_detected!("avx")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("fma", std::arch::is_x86_feature_detected!("fma")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let has: [(&str, bool); 0] = [];
    let has: Vec<&str> = has.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    format!("processor {} {}\n", env::consts::ARCH, has.join(" "))
}

fn hash(text: &str) -> u64 {
    let mut hash = Hash::default();
    hash.add(text.as_bytes());
    hash.0
}

fn file(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("exact-{:016x}.txt", hash(key)))
}

/// Size limit of a file in bytes; a result takes about two thousand.
const LONGEST: u64 = 1 << 20;

/// The cached result, if there is one. Only regular files are read: a pipe would block.
pub(super) fn read(folder: &Path, key: &str) -> Option<Qualified> {
    let path = file(folder, key);
    fs::metadata(&path).ok().filter(|there| there.is_file() && there.len() <= LONGEST)?;
    parse(key, &fs::read_to_string(path).ok()?)
}

/// Caches a result.
pub(super) fn write(folder: &Path, key: &str, found: &Qualified) -> io::Result<()> {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(folder)?;
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    let path = file(folder, key);
    let beside = path.with_extension(format!("{}-{number}.tmp", process::id()));
    let written = fs::write(&beside, print(key, found)).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // A leftover file does no harm.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn name(scalar: Scalar) -> &'static str {
    if scalar == Scalar::F64 { "f64" } else { "f32" }
}

fn print(key: &str, found: &Qualified) -> String {
    let mut out = key.to_owned();
    for scalar in [Scalar::F32, Scalar::F64] {
        let list: Vec<&str> = found.exact.list(scalar, true).map(NativeOp::name).collect();
        let _ = writeln!(out, "exact {} {}", name(scalar), list.join(" "));
    }
    for fault in &found.faults {
        let kind = if fault.fatal { "fatal" } else { "fault" };
        let witness = fault.witness.replace(char::is_control, " ");
        let _ = writeln!(out, "{kind} {} {} {witness}", name(fault.scalar), fault.own.name());
    }
    let _ = writeln!(out, "end {:016x}", hash(&out));
    out
}

fn parse(key: &str, text: &str) -> Option<Qualified> {
    let (body, end) = text.strip_suffix('\n')?.rsplit_once("\nend ")?;
    let body = format!("{body}\n");
    if end != format!("{:016x}", hash(&body)) {
        return None;
    }
    let mut found = Qualified { exact: Exact::NONE, faults: Vec::new() };
    for line in body.strip_prefix(key)?.lines() {
        let mut words = line.splitn(3, ' ');
        let kind = words.next()?;
        let scalar = match words.next()? {
            "f32" => Scalar::F32,
            "f64" => Scalar::F64,
            _ => return None,
        };
        let rest = words.next()?;
        match kind {
            "exact" => {
                for own in rest.split_whitespace() {
                    found.exact = found.exact.with(NativeOp::named(own)?, scalar);
                }
            }
            "fault" | "fatal" => {
                let (own, witness) = rest.split_once(' ')?;
                let (own, witness) = (NativeOp::named(own)?, witness.to_owned());
                found.faults.push(ProbeFault { own, scalar, fatal: kind == "fatal", witness });
            }
            _ => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests;
