//! The values that instructions, addresses and effects use: each walk once for reading and once for changing.

use super::program::{Address, Along, Effect, Inst, Value};

macro_rules! walks {
    ($inst:ident $address:ident $effect:ident $access:ident; $iter:ident; $($mutable:tt)?) => {
        /// The values an instruction uses.
        pub(crate) fn $inst(inst: & $($mutable)? Inst, f: &mut dyn FnMut(& $($mutable)? Value)) {
            match inst {
                Inst::Const(_) | Inst::Input(_) | Inst::Arena(_) | Inst::Lane => {}
                Inst::Splat(value) | Inst::FirstLanes(value) | Inst::Any(value) | Inst::All(value) => f(value),
                Inst::Op { args, .. } | Inst::Whole { args, .. } => args.$iter().for_each(f),
                Inst::Select { mask, yes, no } => [mask, yes, no].into_iter().for_each(f),
                Inst::LowestLane { lanes, mask } => [lanes, mask].into_iter().for_each(f),
                Inst::Load { at, mask } => {
                    $address(at, f);
                    mask.$iter().for_each(f);
                }
                Inst::Atomic { at, operand, mask, .. } => {
                    $address(at, f);
                    operand.$iter().chain(mask.$iter()).for_each(f);
                }
                Inst::CompareExchange { at, expected, new, mask, .. } => {
                    $address(at, f);
                    [expected, new].into_iter().chain(mask.$iter()).for_each(f);
                }
            }
        }

        /// Where an instruction accesses memory, and for which lanes.
        pub(crate) fn $access(
            inst: & $($mutable)? Inst,
        ) -> Option<(& $($mutable)? Address, & $($mutable)? Option<Value>)> {
            match inst {
                Inst::Load { at, mask } | Inst::Atomic { at, mask, .. } | Inst::CompareExchange { at, mask, .. } => {
                    Some((at, mask))
                }
                Inst::Const(_)
                | Inst::Input(_)
                | Inst::Arena(_)
                | Inst::Lane
                | Inst::Splat(_)
                | Inst::Op { .. }
                | Inst::Whole { .. }
                | Inst::Select { .. }
                | Inst::FirstLanes(_)
                | Inst::Any(_)
                | Inst::All(_)
                | Inst::LowestLane { .. } => None,
            }
        }

        /// The values an address uses.
        pub(crate) fn $address(at: & $($mutable)? Address, f: &mut dyn FnMut(& $($mutable)? Value)) {
            f(& $($mutable)? at.base);
            at.offset.$iter().for_each(&mut *f);
            if let Along::Each(value) = & $($mutable)? at.along {
                f(value);
            }
        }

        /// The values an effect uses.
        pub(crate) fn $effect(effect: & $($mutable)? Effect, f: &mut dyn FnMut(& $($mutable)? Value)) {
            match effect {
                Effect::Store { at, value, mask } => {
                    $address(at, f);
                    f(value);
                    mask.$iter().for_each(f);
                }
                Effect::Copy { to, from, read, mask, .. } => {
                    $address(to, f);
                    $address(from, f);
                    read.$iter().chain(mask.$iter()).for_each(f);
                }
                Effect::Clear { from, .. } => f(from),
                Effect::Message { thread, values, mask, .. } => {
                    f(thread);
                    values.$iter().for_each(&mut *f);
                    f(mask);
                }
                Effect::Fence => {}
            }
        }
    };
}

walks!(operands address_operands effect_operands access; iter;);
walks!(operands_mut address_operands_mut effect_operands_mut access_mut; iter_mut; mut);

/// The addresses of an effect, to change them: where it writes, then where it reads.
pub(crate) fn effect_addresses_mut(effect: &mut Effect) -> [Option<&mut Address>; 2] {
    match effect {
        Effect::Store { at, .. } => [Some(at), None],
        Effect::Copy { to, from, .. } => [Some(to), Some(from)],
        // A part of the worker's memory from a pointer on, which is no address.
        Effect::Clear { .. } | Effect::Message { .. } | Effect::Fence => [None, None],
    }
}
