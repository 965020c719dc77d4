//! Visitors over the operands of instructions, addresses and effects, each in an immutable and a
//! mutable form.

use super::program::{AddressStep, Effect, LaneAddress, LaneInst, LaneValue};

macro_rules! walks {
    ($inst:ident $address:ident $effect:ident $access:ident $addresses:ident; $iter:ident; $($mutable:tt)?) => {
        /// Visits the operands of an instruction.
        pub(crate) fn $inst(inst: & $($mutable)? LaneInst, f: &mut dyn FnMut(& $($mutable)? LaneValue)) {
            match inst {
                LaneInst::Const(_) | LaneInst::Input(_) | LaneInst::Arena(_) | LaneInst::Lane => {}
                LaneInst::Splat(value) | LaneInst::FirstLanes(value) | LaneInst::Any(value) | LaneInst::All(value) | LaneInst::ReciprocalRoot(value) => f(value),
                LaneInst::Op { args, .. } | LaneInst::Whole { args, .. } => args.$iter().for_each(f),
                LaneInst::Select { mask, yes, no } => [mask, yes, no].into_iter().for_each(f),
                LaneInst::LowestLane { lanes, mask } => [lanes, mask].into_iter().for_each(f),
                LaneInst::Slide { low, high, .. } => [low, high].into_iter().for_each(f),
                LaneInst::Load { at, mask } => {
                    $address(at, f);
                    mask.$iter().for_each(f);
                }
                LaneInst::Atomic { at, operand, mask, .. } => {
                    $address(at, f);
                    operand.$iter().chain(mask.$iter()).for_each(f);
                }
                LaneInst::CompareExchange { at, expected, new, mask, .. } => {
                    $address(at, f);
                    [expected, new].into_iter().chain(mask.$iter()).for_each(f);
                }
            }
        }

        /// The address and the mask of an instruction's memory access.
        pub(crate) fn $access(
            inst: & $($mutable)? LaneInst,
        ) -> Option<(& $($mutable)? LaneAddress, & $($mutable)? Option<LaneValue>)> {
            match inst {
                LaneInst::Load { at, mask } | LaneInst::Atomic { at, mask, .. } | LaneInst::CompareExchange { at, mask, .. } => {
                    Some((at, mask))
                }
                LaneInst::Const(_)
                | LaneInst::Input(_)
                | LaneInst::Arena(_)
                | LaneInst::Lane
                | LaneInst::Splat(_)
                | LaneInst::Op { .. }
                | LaneInst::Whole { .. }
                | LaneInst::Select { .. }
                | LaneInst::FirstLanes(_)
                | LaneInst::Any(_)
                | LaneInst::All(_)
                | LaneInst::LowestLane { .. }
                | LaneInst::ReciprocalRoot(_)
                | LaneInst::Slide { .. } => None,
            }
        }

        /// Visits the operands of an address.
        pub(crate) fn $address(at: & $($mutable)? LaneAddress, f: &mut dyn FnMut(& $($mutable)? LaneValue)) {
            f(& $($mutable)? at.base);
            at.offset.$iter().for_each(&mut *f);
            if let AddressStep::Each(value) = & $($mutable)? at.along {
                f(value);
            }
        }

        /// Visits the operands of an effect.
        pub(crate) fn $effect(effect: & $($mutable)? Effect, f: &mut dyn FnMut(& $($mutable)? LaneValue)) {
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
                Effect::Prefetch { at } => $address(at, f),
                Effect::Fence => {}
            }
        }

        /// The addresses of an effect: the destination, then the source.
        pub(crate) fn $addresses(effect: & $($mutable)? Effect) -> [Option<& $($mutable)? LaneAddress>; 2] {
            match effect {
                Effect::Store { at, .. } | Effect::Prefetch { at } => [Some(at), None],
                Effect::Copy { to, from, .. } => [Some(to), Some(from)],
                // `Clear` takes a part of the worker's memory by a pointer, not by an address.
                Effect::Clear { .. } | Effect::Message { .. } | Effect::Fence => [None, None],
            }
        }
    };
}

walks!(operands address_operands effect_operands access effect_addresses; iter;);
walks!(operands_mut address_operands_mut effect_operands_mut access_mut effect_addresses_mut; iter_mut; mut);
