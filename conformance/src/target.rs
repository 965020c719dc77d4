//! The targets: a closed list. A new one is a variant here, and every `match` that no longer compiles.

use std::fmt;

use tilewise_ir::check::Checked;
use tilewise_ir::interp::{self, Checks, Options, Order};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Memory, Outcome, Refusal};

/// What can run a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The interpreter, which defines what kernels mean.
    Reference,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 1] = [Target::Reference];

    /// The name, as command lines and headers say it.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Reference => "reference",
        }
    }

    /// The target called `name`.
    pub fn by_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The ways a test is run, which must all give the same.
    pub const fn ways(self) -> &'static [Way] {
        match self {
            Target::Reference => &[Way::Linear, Way::Shuffled(1), Way::Shuffled(2)],
        }
    }

    /// Can it look for races, accesses out of range and reads before a write?
    pub const fn checks(self) -> bool {
        match self {
            Target::Reference => true,
        }
    }

    /// Launches a kernel.
    pub fn launch(
        self,
        way: Way,
        kernel: &Checked<Kernel>,
        domain: &Domain,
        memory: &mut Memory,
        arguments: &[Argument],
        fuel: u64,
    ) -> Result<Outcome, Refusal> {
        self.launch_with(Checks::default(), way, kernel, domain, memory, arguments, fuel)
    }

    /// Launches a kernel and looks for what `checks` says, if the target [can](Target::checks).
    #[allow(clippy::too_many_arguments, reason = "those of `launch`, and the checks")]
    pub fn launch_with(
        self,
        checks: Checks,
        way: Way,
        kernel: &Checked<Kernel>,
        domain: &Domain,
        memory: &mut Memory,
        arguments: &[Argument],
        fuel: u64,
    ) -> Result<Outcome, Refusal> {
        match self {
            Target::Reference => {
                let order = match way {
                    Way::Linear => Order::Linear,
                    Way::Shuffled(seed) => Order::Shuffled(seed),
                };
                interp::run(kernel, domain, memory, arguments, &Options { order, fuel: Some(fuel), checks })
            }
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A way of running a kernel on a target that must not make a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Threads in the order of their index.
    Linear,
    /// Threads in an order drawn from a seed.
    Shuffled(u64),
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Linear => f.write_str("linear"),
            Way::Shuffled(seed) => write!(f, "shuffled:{seed}"),
        }
    }
}
