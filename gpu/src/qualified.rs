//! [`Qualified`]: the result of the [probe](crate::probe) for an adapter, as plain data.

use std::sync::{Mutex, OnceLock, PoisonError};

use tilewise_ir::types::Scalar;

use crate::exact::{Exact, NativeOp};

/// The result of the probe for an adapter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Qualified {
    /// The exact operations.
    pub exact: Exact,
    /// The operations that are not exact, each with a witness.
    pub faults: Vec<ProbeFault>,
}

/// An operation that is not exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbeFault {
    /// The operation.
    pub own: NativeOp,
    /// The float format.
    pub scalar: Scalar,
    /// Whether its replacement is wrong too, or missing.
    pub fatal: bool,
    /// An expression with its arguments, the device's result, and the expected one.
    pub witness: String,
}

impl Qualified {
    /// The operations that are replaced, each with a description of its replacement.
    pub fn replaced(&self) -> impl Iterator<Item = (&ProbeFault, &'static str)> {
        self.faults
            .iter()
            .filter(|fault| !fault.fatal && !fault.own.is_help())
            .map(|fault| (fault, self.instead(fault)))
    }

    fn instead(&self, fault: &ProbeFault) -> &'static str {
        let has = |own| self.exact.has(own, fault.scalar);
        match fault.own {
            NativeOp::Zeros => "hidden from the driver",
            NativeOp::Compare => "by differences and bits, where something may be denormal",
            NativeOp::Sqrt if has(NativeOp::RootByStep) => "by a fused step from the reciprocal root",
            NativeOp::Sqrt if has(NativeOp::StepNear) => {
                "by a fused step from the reciprocal root, and the nearest of its neighbours"
            }
            NativeOp::Div if has(NativeOp::DivBySteps) => "by fused steps from the reciprocal root",
            NativeOp::Sqrt if has(NativeOp::RootNear) => "by the nearest of its neighbours",
            _ => "by bits",
        }
    }

    /// The fault that excludes floats of this format from Strict, if any.
    pub fn lacks(&self, scalar: Scalar) -> Option<&ProbeFault> {
        self.faults.iter().find(|fault| fault.fatal && fault.scalar == scalar)
    }
}

/// The cached result of the probe for an adapter.
#[derive(Debug, Default)]
pub(crate) struct Probed {
    pub(crate) found: OnceLock<Qualified>,
    /// The reason of each failed attempt.
    failed: Mutex<Vec<String>>,
}

impl Probed {
    /// Maximum number of attempts: a failure may be temporary, as other programs may have used up
    /// the device's memory or caused its loss.
    const TIMES: usize = 3;

    pub(crate) fn get(&self, probe: impl FnOnce() -> Result<Qualified, String>) -> Result<&Qualified, String> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.found.get(), failed.last()) {
            (Some(found), _) => Ok(found),
            (None, Some(why)) if failed.len() >= Probed::TIMES => Err(why.clone()),
            (None, _) => match probe() {
                Ok(found) => Ok(self.found.get_or_init(|| found)),
                Err(why) => {
                    failed.push(why.clone());
                    Err(why)
                }
            },
        }
    }
}
