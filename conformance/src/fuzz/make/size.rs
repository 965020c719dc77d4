//! How large a generated kernel and its launch are.

/// The size of a generated case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelBudget {
    /// The approximate number of instructions.
    pub instructions: u32,
    /// The maximum number of threads.
    pub threads: u32,
}

impl KernelBudget {
    /// A few instructions and threads.
    pub const TINY: KernelBudget = KernelBudget { instructions: 12, threads: 16 };
    /// A page.
    pub const SMALL: KernelBudget = KernelBudget { instructions: 60, threads: 64 };
    /// Several pages.
    pub const MEDIUM: KernelBudget = KernelBudget { instructions: 160, threads: 96 };
    /// Hundreds of instructions.
    pub const LARGE: KernelBudget = KernelBudget { instructions: 450, threads: 256 };
    /// As many threads as a tile may have.
    pub const WIDE: KernelBudget = KernelBudget { instructions: 100, threads: 1024 };

    /// The default budget of a seed: mostly small, sometimes large.
    pub fn of_seed(seed: u64) -> KernelBudget {
        match seed % 8 {
            _ if seed % 32 == 13 => KernelBudget::WIDE,
            0 | 4 => KernelBudget::TINY,
            1 | 2 | 5 => KernelBudget::SMALL,
            3 | 6 => KernelBudget::MEDIUM,
            _ => KernelBudget::LARGE,
        }
    }
}

/// The sizes of the kernels of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum KernelSize {
    /// All sizes, by [`KernelBudget::of_seed`].
    #[default]
    Mixed,
    /// Few are larger than a page: for targets that take long to compile a kernel. Launches are as
    /// large as those of `Mixed`, and kernels have the same features.
    Small,
}

impl KernelSize {
    /// Both sizes.
    pub const ALL: [KernelSize; 2] = [KernelSize::Mixed, KernelSize::Small];

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            KernelSize::Mixed => "mixed",
            KernelSize::Small => "small",
        }
    }

    /// The size called `name`.
    pub fn by_name(name: &str) -> Option<KernelSize> {
        KernelSize::ALL.into_iter().find(|size| size.name() == name)
    }

    /// The budget of a seed.
    pub fn budget(self, seed: u64) -> KernelBudget {
        let budget = KernelBudget::of_seed(seed);
        match self {
            KernelSize::Mixed => budget,
            // Constructs that take room, such as loops in loops of functions, occur in one kernel
            // of 64.
            KernelSize::Small if seed % 64 == 7 => budget,
            KernelSize::Small => KernelBudget { instructions: budget.instructions.min(FEW), ..budget },
        }
    }
}

/// Instructions of a small kernel, besides those that compute a thread's position: enough that
/// functions are made, and called.
const FEW: u32 = 34;
