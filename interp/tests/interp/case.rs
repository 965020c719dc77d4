//! A launch to be tried: kernel text, domain, arguments.

use tilewise_interp::{Options, ThreadOrder, run};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal, ViewArgument};
use tilewise_ir::text;

/// Fuel for every launch of these tests: far more than any of them needs.
const FUEL: u64 = 10_000_000;

/// A launch, built up step by step.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) kernel: Checked<Kernel>,
    pub(crate) domain: Domain,
    pub(crate) memory: LaunchMemory,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) options: Options,
}

impl Case {
    /// A kernel and a domain.
    pub(crate) fn new(source: &str, domain: &[i32]) -> Case {
        let kernel = text::parse("test.kir", source).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        Case {
            kernel,
            domain: Domain::new(domain),
            memory: LaunchMemory::default(),
            arguments: Vec::new(),
            options: Options { fuel: Some(FUEL), ..Options::default() },
        }
    }

    /// Adds an allocation of memory; gives its number.
    pub(crate) fn allocation(&mut self, bytes: Vec<u8>) -> usize {
        self.memory.allocations.push(bytes);
        self.memory.allocations.len() - 1
    }

    /// Binds the next parameter.
    pub(crate) fn bind(mut self, argument: Argument) -> Case {
        self.arguments.push(argument);
        self
    }

    /// Binds a dense view of rank 1 of these bytes.
    pub(crate) fn bytes(self, bytes: &[u8], count: i32) -> Case {
        self.shaped(bytes, &[count])
    }

    /// Binds a dense view of these bytes.
    pub(crate) fn shaped(mut self, bytes: &[u8], extent: &[i32]) -> Case {
        let allocation = self.allocation(bytes.to_vec());
        self.bind(Argument::View(ViewArgument::dense(allocation, extent)))
    }

    /// Binds a dense view of rank 1.
    pub(crate) fn ints(self, values: &[i32]) -> Case {
        self.bytes(&int_bytes(values), values.len() as i32)
    }

    /// Binds a dense view of rank 1 with so many zeros.
    pub(crate) fn zeros(self, count: i32) -> Case {
        self.ints(&vec![0; count as usize])
    }

    /// Binds a buffer of its own.
    pub(crate) fn buffer(mut self, bytes: &[u8]) -> Case {
        let allocation = self.allocation(bytes.to_vec());
        self.bind(Argument::Buffer { allocation, offset: 0, size: bytes.len() as u64 })
    }

    /// Runs in another order.
    pub(crate) fn order(mut self, order: ThreadOrder) -> Case {
        self.options.order = order;
        self
    }

    /// Runs, or says why not.
    pub(crate) fn try_run(&mut self) -> Result<Outcome, Refusal> {
        run(&self.kernel, &self.domain, &mut self.memory, &self.arguments, &self.options)
    }

    /// Runs.
    pub(crate) fn outcome(&mut self) -> Outcome {
        self.try_run().unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    /// Runs to the end, in several orders, which must agree. Leaves memory as the launch did.
    pub(crate) fn run(mut self) -> Case {
        let mut shuffled: Vec<Case> = [1, 2].map(|seed| self.clone().order(ThreadOrder::Shuffled(seed))).into();
        let outcome = self.outcome();
        assert_eq!(outcome.ending, Ending::Completed);
        for other in &mut shuffled {
            assert_eq!(other.outcome(), outcome);
            assert_eq!(other.memory, self.memory, "the order of threads shows");
        }
        self
    }

    /// An allocation of memory as 32-bit integers.
    pub(crate) fn as_ints(&self, allocation: usize) -> Vec<i32> {
        self.memory.allocations[allocation].chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    /// An allocation of memory as floats.
    pub(crate) fn as_floats(&self, allocation: usize) -> Vec<f32> {
        self.memory.allocations[allocation].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }
}

/// The bytes of integers.
pub(crate) fn int_bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// The bytes of floats.
pub(crate) fn float_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Runs one thread that fills `out: view<i32, 1, read_write>`, which is long enough for `expected`.
pub(crate) fn gives(body: &str, expected: &[i32]) {
    gives_with("", body, expected);
}

/// The same with declarations before the kernel.
pub(crate) fn gives_with(above: &str, body: &str, expected: &[i32]) {
    let source = format!("{above}\nkernel test(out: view<i32, 1, read_write>) rank(1) {{ {body} }}");
    let case = Case::new(&source, &[1]).zeros(expected.len() as i32).run();
    assert_eq!(case.as_ints(0), expected, "{source}");
}
