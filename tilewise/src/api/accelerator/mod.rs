//! Devices: [`Accelerator`], its queues ([`AcceleratorView`]), and the default device.
//!
//! Targets are a closed set, [`DeviceKind`], matched exhaustively. The GPUs are enumerated when
//! they are first needed.
//!
//! - `default`: the default device
//! - `facts`: facts about GPUs that are available before one is opened
//! - `injected`: fault injection for tests
//! - `limits`: time limit and cancellation of a launch
//! - `options`: options of queues and launches
//! - `view`: queues

mod default;
mod facts;
mod injected;
mod limits;
mod options;
mod view;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

pub(crate) use facts::{GPUS, GpuFacts};
pub(crate) use limits::LaunchLimits;
pub use options::{AccessType, Checks, FloatMode, QueuingMode};
pub(crate) use view::marker;
pub use view::{AcceleratorView, AcceleratorViewBuilder};

use crate::{Error, Result, targets::gpu};

/// A float operation that a GPU's driver computes wrongly.
///
/// ```
/// use tilewise::Accelerator;
/// for accelerator in Accelerator::all() {
///     for replaced in accelerator.replaced_floats() {
///         println!("{accelerator}: {} by {}", replaced.operation, replaced.how);
///     }
/// }
/// let jit = Accelerator::new("jit")?;
/// assert_eq!(jit.replaced_floats(), [], "no driver comes between");
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplacedFloats {
    /// The operation and its type.
    pub operation: String,
    /// How it is computed instead.
    pub how: String,
    /// A case in which the driver's own result is wrong.
    pub witness: String,
}

/// The kind of a device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum DeviceKind {
    /// Host memory.
    Cpu,
    /// Runs the closures themselves.
    Native,
    /// The interpreter.
    Reference,
    /// Compiled code on all cores.
    Jit,
    /// A GPU, by its number.
    Gpu(u8),
}

/// The devices that every machine has.
const ALWAYS: [DeviceKind; 4] = [DeviceKind::Cpu, DeviceKind::Native, DeviceKind::Reference, DeviceKind::Jit];
/// Most devices that a machine can have.
const DEVICES: usize = ALWAYS.len() + GPUS;

impl DeviceKind {
    /// All devices of this machine.
    fn all() -> impl Iterator<Item = DeviceKind> {
        ALWAYS.into_iter().chain((0..gpu::count()).map(|number| DeviceKind::Gpu(number as u8)))
    }

    /// Its index in tables of all devices.
    fn slot(self) -> usize {
        match self {
            DeviceKind::Cpu => 0,
            DeviceKind::Native => 1,
            DeviceKind::Reference => 2,
            DeviceKind::Jit => 3,
            DeviceKind::Gpu(number) => ALWAYS.len() + usize::from(number),
        }
    }

    fn path(self) -> &'static str {
        const GPU: [&str; GPUS] = [
            "gpu/0", "gpu/1", "gpu/2", "gpu/3", "gpu/4", "gpu/5", "gpu/6", "gpu/7", "gpu/8", "gpu/9", "gpu/10",
            "gpu/11", "gpu/12", "gpu/13", "gpu/14", "gpu/15",
        ];
        match self {
            DeviceKind::Cpu => Accelerator::CPU,
            DeviceKind::Native => Accelerator::NATIVE,
            DeviceKind::Reference => Accelerator::REFERENCE,
            DeviceKind::Jit => Accelerator::JIT,
            DeviceKind::Gpu(number) => GPU[usize::from(number)],
        }
    }
}

/// A device: `cpu` (memory only), `native`, `reference`, `jit`, and the GPUs `gpu/0`, `gpu/1`, and
/// so on. A handle; two are equal if they denote the same device. `Display` gives the path, and
/// `FromStr` parses it.
///
/// ```
/// use tilewise::Accelerator;
/// let reference = Accelerator::new(Accelerator::REFERENCE)?;
/// assert!(reference.is_emulated() && reference.is_debug());
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "accelerator")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Accelerator(DeviceKind);

impl Accelerator {
    /// Host memory: it stores data; nothing can be launched on it.
    #[doc(alias = "cpu_accelerator")]
    pub const CPU: &'static str = "cpu";
    /// The interpreter, with every check on; it defines the meaning of kernels.
    #[doc(alias = "direct3d_ref")]
    pub const REFERENCE: &'static str = "reference";
    /// The closure itself, one thread at a time in index order: for debuggers.
    pub const NATIVE: &'static str = "native";
    /// Compiled code on all cores.
    #[doc(alias = "direct3d_warp")]
    pub const JIT: &'static str = "jit";
    /// The device that `default()` returns: the best real GPU, else `jit`, and never a GPU's
    /// software driver, unless the program or the environment variable
    /// `TILEWISE_DEFAULT_ACCELERATOR` chooses another.
    #[doc(alias = "default_accelerator")]
    pub const DEFAULT: &'static str = "default";

    pub(crate) const fn of(device: DeviceKind) -> Accelerator {
        Accelerator(device)
    }

    /// A static handle of a device.
    fn known(device: DeviceKind) -> &'static Accelerator {
        static KNOWN: [OnceLock<Accelerator>; DEVICES] = [const { OnceLock::new() }; DEVICES];
        KNOWN[device.slot()].get_or_init(|| Accelerator(device))
    }

    pub(crate) fn device(&self) -> DeviceKind {
        self.0
    }

    /// The device with that path.
    pub fn new(path: &str) -> Result<Self> {
        if path == Accelerator::DEFAULT {
            return Ok(Accelerator(default::look()?));
        }
        find(path).map(Accelerator)
    }

    /// Every device of this machine, including the emulated ones.
    #[doc(alias = "get_all")]
    pub fn all() -> Vec<Accelerator> {
        DeviceKind::all().map(Accelerator).collect()
    }

    /// Chooses the default. Returns false if it was already chosen or used by a launch.
    pub fn set_default(path: &str) -> Result<bool> {
        Ok(default::choose(Accelerator::new(path)?.0))
    }

    /// A view that selects a queue at each launch.
    #[doc(alias = "get_auto_selection_view")]
    pub fn auto_selection_view() -> AcceleratorView {
        view::auto_selection()
    }

    /// The path of the device, as `new` takes it.
    #[doc(alias = "get_device_path")]
    #[doc(alias = "device_path")]
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// A description for people. That of `cpu` is the one in AMP's error texts.
    #[doc(alias = "get_description")]
    pub fn description(&self) -> &str {
        match self.0 {
            DeviceKind::Cpu => "CPU accelerator",
            DeviceKind::Native => "The closures themselves, one thread at a time, for debuggers",
            DeviceKind::Reference => "Interpreter with every check",
            DeviceKind::Jit => "Compiled code on all cores of the CPU",
            DeviceKind::Gpu(number) => &gpu::facts(number).description,
        }
    }

    /// The version, major and minor.
    #[doc(alias = "get_version")]
    pub fn version(&self) -> (u16, u16) {
        let number = |text: &str| text.parse().unwrap_or(0);
        (number(env!("CARGO_PKG_VERSION_MAJOR")), number(env!("CARGO_PKG_VERSION_MINOR")))
    }

    /// Whether it is not a real GPU.
    #[doc(alias = "get_is_emulated")]
    pub fn is_emulated(&self) -> bool {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => true,
            DeviceKind::Gpu(number) => gpu::facts(number).is_software,
        }
    }

    /// Whether it runs with validation; true for `reference` only.
    #[doc(alias = "get_is_debug")]
    pub fn is_debug(&self) -> bool {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Jit | DeviceKind::Gpu(_) => false,
            DeviceKind::Reference => true,
        }
    }

    /// Whether it drives a display. Always false, as drivers are not queried: a kernel has no use
    /// for it.
    #[doc(alias = "get_has_display")]
    pub fn has_display(&self) -> bool {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit | DeviceKind::Gpu(_) => {
                false
            }
        }
    }

    /// Whether it supports f64 in full; `supports_limited_double_precision` is the lesser form.
    #[doc(alias = "get_supports_double_precision")]
    pub fn supports_double_precision(&self) -> bool {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => true,
            DeviceKind::Gpu(number) => gpu::facts(number).has_double,
        }
    }

    /// Whether it supports f64 without division and `precise_math`.
    #[doc(alias = "get_supports_limited_double_precision")]
    pub fn supports_limited_double_precision(&self) -> bool {
        self.supports_double_precision()
    }

    /// Whether host and device can share memory.
    #[doc(alias = "get_supports_cpu_shared_memory")]
    pub fn supports_cpu_shared_memory(&self) -> bool {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => true,
            DeviceKind::Gpu(number) => gpu::facts(number).shares_memory,
        }
    }

    /// Dedicated memory of the device, in bytes (AMP: KB); 0 for devices that use host memory.
    #[doc(alias = "get_dedicated_memory")]
    pub fn dedicated_memory(&self) -> u64 {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => 0,
            DeviceKind::Gpu(number) => gpu::facts(number).memory,
        }
    }

    /// The meaning of `Auto` for arrays on this device.
    #[doc(alias = "get_default_cpu_access_type")]
    pub fn default_cpu_access_type(&self) -> AccessType {
        match CPU_ACCESS[self.0.slot()].load(Ordering::Relaxed) {
            1 => AccessType::None,
            2 => AccessType::Read,
            3 => AccessType::Write,
            0 | BY_DEVICE if !self.supports_cpu_shared_memory() => AccessType::None,
            _ => AccessType::ReadWrite,
        }
    }

    /// The meaning of `Auto` for an array that is made now: it does not change any more.
    pub(crate) fn used_cpu_access_type(&self) -> AccessType {
        _ = CPU_ACCESS[self.0.slot()].compare_exchange(0, BY_DEVICE, Ordering::Relaxed, Ordering::Relaxed);
        self.default_cpu_access_type()
    }

    /// Sets the default access type, before an array is made with it. Returns false, and changes nothing, after that
    /// or after the first call.
    pub fn set_default_cpu_access_type(&self, access: AccessType) -> bool {
        let code = match access {
            AccessType::None => 1,
            AccessType::Read => 2,
            AccessType::Write => 3,
            AccessType::ReadWrite | AccessType::Auto => 4,
        };
        CPU_ACCESS[self.0.slot()].compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The strictest float mode that it supports.
    pub fn float_mode(&self) -> FloatMode {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => FloatMode::Strict,
            DeviceKind::Gpu(number) if gpu::strict(number).is_ok() => FloatMode::Strict,
            DeviceKind::Gpu(_) => FloatMode::Relaxed,
        }
    }

    /// Succeeds if it computes floats as the language defines, with the same bits everywhere; else
    /// an error that names the failing operation. A GPU is probed, once per driver.
    pub fn strict_floats(&self) -> Result<()> {
        match self.0 {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => Ok(()),
            DeviceKind::Gpu(number) => gpu::strict(number).map_err(|why| Error::UnsupportedFeature(why.into())),
        }
    }

    /// The native float operations that its driver computes wrongly, and that strict launches
    /// replace. Empty for a device that computes exactly by itself, and for one that does not
    /// support strict floats.
    pub fn replaced_floats(&self) -> Vec<ReplacedFloats> {
        let DeviceKind::Gpu(number) = self.0 else { return Vec::new() };
        let made = |[operation, how, witness]: [String; 3]| ReplacedFloats { operation, how, witness };
        gpu::replaced(number).into_iter().map(made).collect()
    }

    /// Its default view, with automatic queuing. Always the same one, except that a lost device
    /// gets a new one.
    #[doc(alias = "get_default_view")]
    pub fn default_view(&self) -> AcceleratorView {
        static VIEWS: [RwLock<Option<AcceleratorView>>; DEVICES] = [const { RwLock::new(None) }; DEVICES];
        let slot = &VIEWS[self.0.slot()];
        let usable = |view: &&AcceleratorView| !view.is_lost();
        if let Some(view) = slot.read().unwrap_or_else(PoisonError::into_inner).as_ref().filter(usable) {
            return view.clone();
        }
        let mut slot = slot.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = slot.as_ref().filter(usable) {
            return view.clone();
        }
        let new = view::plain(self.0);
        let old = slot.replace(new.clone());
        drop(slot);
        // Errors of its launches that nobody has read are reported here.
        drop(old);
        new
    }

    /// A new queue with this queuing mode and default options otherwise.
    pub fn create_view(&self, mode: QueuingMode) -> Result<AcceleratorView> {
        self.view_builder().queuing_mode(mode).create()
    }

    /// A builder of a new queue.
    pub fn view_builder(&self) -> AcceleratorViewBuilder {
        AcceleratorViewBuilder::new(self.0)
    }
}

/// The code of an access type that nobody has chosen, and that arrays were made with.
const BY_DEVICE: u8 = 5;

/// The chosen access type of each device; 0 for none.
static CPU_ACCESS: [AtomicU8; DEVICES] = [const { AtomicU8::new(0) }; DEVICES];

/// The device with a path other than `default`.
fn find(path: &str) -> Result<DeviceKind> {
    let always = || ALWAYS.into_iter().find(|device| device.path() == path);
    // GPUs are enumerated only if the path may name one.
    always().or_else(|| DeviceKind::all().find(|device| device.path() == path)).ok_or_else(|| {
        let paths: Vec<String> = DeviceKind::all().map(|device| format!("`{}`", device.path())).collect();
        let paths = paths.join(", ");
        let without_gpus = path.starts_with("gpu/") && cfg!(not(feature = "gpu"));
        let help = if without_gpus { ": the feature `gpu` of the package `tilewise` is off" } else { "" };
        let text = format!("there is no accelerator `{path}`{help}; this machine has {paths}, and `default`");
        Error::Accelerator(text.into())
    })
}

impl Default for Accelerator {
    /// The default device. Reading it does not fix the choice; the first launch that uses it does.
    ///
    /// # Panics
    /// If the environment variable `TILEWISE_DEFAULT_ACCELERATOR` names no device;
    /// `Accelerator::new("default")` returns that as an error.
    fn default() -> Self {
        Accelerator::new(Accelerator::DEFAULT).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl fmt::Display for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path())
    }
}

impl FromStr for Accelerator {
    type Err = Error;

    fn from_str(path: &str) -> Result<Self> {
        Accelerator::new(path)
    }
}
