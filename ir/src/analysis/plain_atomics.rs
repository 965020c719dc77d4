//! Atomic operations that a plain access of the same word can replace, as they do not read a word
//! *and* change it:
//! - one that leaves every word as it is is a load: `atomic_or(word, 0)`, to which a shader's
//!   `atomicLoad` is imported;
//! - an exchange whose result is not used is a store: a shader's `atomicStore`.
//!
//! Atomics are relaxed, so a load or a store of one thread may come before or behind those of any
//! other thread; within the thread, accesses of the same bytes keep their order, and fences order
//! both kinds.
//!
//! A target may do so where its plain accesses of a word are of one piece, and the word is aligned.
//! `jit` does for `tile_static` memory, which one worker uses at a time: at unit stride, one
//! instruction then serves all lanes.

use crate::fault::{self, Fault};
use crate::kernel::{AtomicOp, InstKind, Kernel, ValueId};
use crate::types::Scalar;

/// The access that suffices for an atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicAccess {
    /// It does not change memory.
    Load,
    /// Its result is not needed.
    Store,
    /// It reads and changes memory.
    Update,
}

/// Which values of a kernel something uses; empty for kernels without atomic operations.
#[derive(Clone, Debug)]
pub struct AtomicResults {
    used: Vec<bool>,
}

impl AtomicResults {
    /// Those of a kernel without calls.
    pub fn of(kernel: &Kernel) -> AtomicResults {
        let body = kernel.entry().body();
        let mut has_atomics = false;
        body.walk(&mut |inst| has_atomics |= matches!(inst.kind, InstKind::Atomic { .. }));
        if !has_atomics {
            return AtomicResults { used: Vec::new() };
        }
        let mut used = vec![false; kernel.entry().values().len()];
        let mut mark = |value: &ValueId| used[value.index()] = true;
        body.value.iter().for_each(&mut mark);
        body.walk(&mut |inst| {
            inst.kind.operands(&mut mark);
            inst.kind.each_block(&mut |block| block.value.iter().for_each(&mut mark));
        });
        AtomicResults { used }
    }

    /// Is it an exchange whose result is not used?
    pub fn stores(&self, result: Option<ValueId>, op: AtomicOp) -> bool {
        op == AtomicOp::Exchange && !self.is_used(result)
    }

    /// Is the result of an atomic operation used?
    pub fn is_used(&self, result: Option<ValueId>) -> bool {
        result.is_some_and(|result| self.used.get(result.index()) == Some(&true))
    }

    /// The access that suffices for an atomic operation on a scalar. `constant` has the bits of its
    /// operand, if they are known.
    pub fn access(&self, result: Option<ValueId>, op: AtomicOp, scalar: Scalar, constant: Option<u64>) -> AtomicAccess {
        match op {
            op if self.stores(result, op) => AtomicAccess::Store,
            op if constant.is_some_and(|bits| is_neutral(op, scalar, bits)) => AtomicAccess::Load,
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Min
            | AtomicOp::Max
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Inc
            | AtomicOp::Dec
            | AtomicOp::Exchange => AtomicAccess::Update,
        }
    }
}

/// Does an operand leave every word as it is, to the bit?
fn is_neutral(op: AtomicOp, scalar: Scalar, bits: u64) -> bool {
    let ones = match scalar {
        Scalar::I32 | Scalar::U32 => u64::from(u32::MAX),
        Scalar::I64 | Scalar::U64 => u64::MAX,
        // A sum gives a NaN of its own.
        Scalar::F32 | Scalar::F64 | Scalar::Bool => return false,
    };
    match op {
        AtomicOp::Add | AtomicOp::Sub | AtomicOp::Or | AtomicOp::Xor => bits & ones == 0,
        AtomicOp::And => bits & ones == fault::choose(Fault::AndWithZeroLoads, ones, 0),
        AtomicOp::Min | AtomicOp::Max | AtomicOp::Inc | AtomicOp::Dec | AtomicOp::Exchange => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::kernel::ValueDef;
    use crate::text::parse;

    /// The access that suffices for the only atomic operation in a body.
    fn access(body: &str) -> AtomicAccess {
        let text = format!(
            "kernel k(a: view<u32, 1, read_write>, s: view<i64, 1, read_write>, f: view<f32, 1, read_write>, n: u32)
            rank(1) {{ {body} }}"
        );
        let kernel = check(parse("k.kir", &text).expect("it parses")).unwrap_or_else(|why| panic!("{body}: {why}"));
        let kernel = kernel.inlined();
        let results = AtomicResults::of(kernel);
        let context = kernel.context(kernel.entry());
        let mut found = Vec::new();
        kernel.entry().body().walk(&mut |inst| {
            let InstKind::Atomic { op, place, value } = &inst.kind else { return };
            let scalar = context.place(place).and_then(|at| context.loaded(at)).expect("a scalar").scalar;
            let constant = value.and_then(|value| match kernel.entry().value(value).def {
                ValueDef::Const(constant) => Some(constant.bits),
                _ => None,
            });
            found.push(results.access(inst.result, *op, scalar, constant));
        });
        assert_eq!(found.len(), 1, "{body}");
        found[0]
    }

    #[test]
    fn what_leaves_a_word_as_it_is_loads() {
        for load in [
            "a[0] = atomic_or(a[1], 0u32);",
            "a[0] = atomic_add(a[1], 0u32);",
            "a[0] = atomic_sub(a[1], 0u32);",
            "a[0] = atomic_xor(a[1], 0u32);",
            "a[0] = atomic_and(a[1], 4294967295u32);",
            "s[0] = atomic_and(s[1], -1i64);",
        ] {
            assert_eq!(access(load), AtomicAccess::Load, "{load}");
        }
        for update in [
            "a[0] = atomic_or(a[1], 1u32);",
            "a[0] = atomic_and(a[1], 0u32);",
            "a[0] = atomic_add(a[1], n);",
            "a[0] = atomic_max(a[1], 0u32);",
            "s[0] = atomic_and(s[1], 4294967295i64);",
            "f[0] = atomic_add(f[1], 0.0);",
            "atomic_inc(a[1]);",
        ] {
            assert_eq!(access(update), AtomicAccess::Update, "{update}");
        }
    }

    #[test]
    fn an_exchange_stores_unless_its_result_is_used() {
        assert_eq!(access("atomic_exchange(a[0], 7u32);"), AtomicAccess::Store);
        assert_eq!(access("atomic_exchange(f[0], 7.0);"), AtomicAccess::Store);
        assert_eq!(access("a[0] = atomic_exchange(a[1], 7u32);"), AtomicAccess::Update);
        assert_eq!(
            access("let old = atomic_exchange(a[1], 0u32); if n > 1u32 { a[old] = 2u32; }"),
            AtomicAccess::Update
        );
    }
}
