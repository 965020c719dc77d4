//! Fuses a product that is exact with the sum or difference that takes it: one operation in place of
//! two, and the same bits, as the product rounds nothing either way.
//!
//! Exact are products of an integer of few bits, such as a byte of a texel, as an `f32`, and of a
//! constant with few significant bits: together no more than the 24 of an `f32`. So a byte becomes
//! a fraction of 255 with one operation less. Others are exact because the math library that
//! computes them [promises](Promise::ExactProduct) it.

use smallvec::smallvec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::math::promise::Promise;
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::divergent_loops::KnownMasks;
use super::program::{Args, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node};
use crate::hash::HashMap;

/// Bits of the significand of an `f32`.
const SIGNIFICANT: u32 = 24;

/// Fuses exact products with sums; returns whether there were any.
pub fn fuse_exact(program: &mut LaneProgram) -> bool {
    let mut body = std::mem::take(&mut program.body);
    let known = KnownMasks::of(&body);
    let mut types = std::mem::take(&mut program.types);
    let (bits, products) = (HashMap::default(), HashMap::default());
    let mut fuse = ExactFuse { known, bits, products, types: &mut types, program, found: false };
    fuse.block(&mut body);
    let found = fuse.found;
    program.types = types;
    program.body = body;
    found
}

struct ExactFuse<'p> {
    known: KnownMasks,
    /// Integers that are not negative, and floats that are such integers: their significant bits.
    bits: HashMap<LaneValue, u32>,
    /// The factors of exact products: those that have a single use, and those that are promised.
    products: HashMap<LaneValue, (LaneValue, LaneValue)>,
    types: &'p mut Vec<LaneType>,
    /// Without its code and types.
    program: &'p LaneProgram,
    found: bool,
}

impl ExactFuse<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            match &mut node {
                Node::Let { value, inst, pos } => {
                    if let Some((args, negated)) = self.fused(inst) {
                        nodes.extend(negated.map(|(value, inst)| Node::Let { value, inst, pos: *pos }));
                        *inst = LaneInst::Op { op: Op::Fma, scalar: Scalar::F32, args };
                        self.found = true;
                    }
                    let promised = self.program.promise_at(*pos) == Some(Promise::ExactProduct)
                        || fault::planted(Fault::ExactProductUnpromised);
                    self.note(*value, inst, promised);
                }
                Node::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            nodes.push(node);
        }
        block.nodes = nodes;
    }

    /// The arguments of the one operation that a sum or difference with an exact product becomes,
    /// and the negation of one of them.
    fn fused(&mut self, inst: &LaneInst) -> Option<(Args, Option<(LaneValue, LaneInst)>)> {
        let LaneInst::Op { op, scalar: Scalar::F32, args } = inst else { return None };
        let &[a, b] = args.as_slice() else { return None };
        let (of_a, of_b) = (self.products.get(&a).copied(), self.products.get(&b).copied());
        if *op == Op::Add {
            let ((x, y), other) = of_a.map(|factors| (factors, b)).or_else(|| Some((of_b?, a)))?;
            return Some((smallvec![x, y, other], None));
        }
        if *op != Op::Sub {
            return None;
        }
        if let Some((x, y)) = of_b {
            let negated = self.opposite(x);
            return Some((smallvec![negated.0, y, a], Some(negated)));
        }
        let (x, y) = of_a?;
        let negated = self.opposite(b);
        Some((smallvec![x, y, negated.0], Some(negated)))
    }

    /// The negation of a value, which the machine folds into the fused operation.
    fn opposite(&mut self, value: LaneValue) -> (LaneValue, LaneInst) {
        self.types.push(self.types[value.index()]);
        let inst = LaneInst::Op { op: Op::Neg, scalar: Scalar::F32, args: smallvec![value] };
        (LaneValue(self.types.len() as u32 - 1), inst)
    }

    /// Notes how many bits a value has, or that it is an exact product.
    fn note(&mut self, value: LaneValue, inst: &LaneInst, promised: bool) {
        if let Some(bits) = self.bits_of(inst) {
            self.bits.insert(value, bits);
        }
        if let LaneInst::Op { op: Op::Mul, scalar: Scalar::F32, args } = inst
            && let &[a, b] = args.as_slice()
            && (promised || self.known.once(value) && (self.is_exact(a, b) || self.is_exact(b, a)))
        {
            self.products.insert(value, (a, b));
        }
    }

    /// The significant bits of the result, if it is an integer of few.
    fn bits_of(&self, inst: &LaneInst) -> Option<u32> {
        if let LaneInst::Load { at, .. } = inst {
            return matches!(at.stored, Stored::U8 | Stored::U16).then(|| 8 * at.stored.size());
        }
        let LaneInst::Op { op, scalar, args } = inst else { return None };
        let is_word = matches!(scalar, Scalar::I32 | Scalar::U32);
        if *op == Op::And && is_word {
            args.iter().filter_map(|&arg| mask_bits(self.known.constant(arg)? as u32)).min()
        } else if *op == Op::Shr && *scalar == Scalar::U32 {
            let by = self.known.constant(*args.get(1)?)?;
            (1..=31).contains(&by).then(|| 32 - by as u32)
        } else if *op == Op::ToF32 && is_word {
            self.bits.get(args.first()?).copied().filter(|&bits| bits <= SIGNIFICANT)
        } else {
            None
        }
    }

    /// Is the product of a float of few bits and a constant exact? The integer is below 2^32, so the
    /// product is neither too large nor too small for an `f32`.
    fn is_exact(&self, float: LaneValue, constant: LaneValue) -> bool {
        let Some(bits) = self.bits.get(&float) else { return false };
        let Some(constant) = self.known.constant(constant) else { return false };
        let constant = f32::from_bits(constant as u32);
        let moderate = (2e-24..2e24).contains(&constant.abs());
        let most = SIGNIFICANT + 8 * u32::from(fault::planted(Fault::ExactProductTooLong));
        moderate && bits + significant_bits(constant) <= most
    }
}

/// The significant bits of integers under a mask, if they are not negative.
fn mask_bits(mask: u32) -> Option<u32> {
    (mask != 0 && mask >> 31 == 0).then(|| 32 - mask.leading_zeros() - mask.trailing_zeros())
}

/// The significant bits of a normal float.
fn significant_bits(float: f32) -> u32 {
    SIGNIFICANT - (float.to_bits() | 1 << (SIGNIFICANT - 1)).trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{AddressStep, Elem, LaneAddress, LaneType, MemorySpace};
    use crate::lanes::{ArenaSizes, ArgumentWord, Effect, LaneBuilder};
    use tilewise_ir::pos::Pos;

    /// `(x as f32) * high + (x as f32) * low`, of a word under a mask; returns whether it is fused.
    fn is_fused(mask: u32, high: f32) -> bool {
        let mut b = LaneBuilder::new(8);
        let base = b.input(ArgumentWord::ViewBase(0));
        let at = |stored| LaneAddress {
            space: MemorySpace::Buffer(0),
            base,
            offset: None,
            displacement: 0,
            along: AddressStep::Step(4),
            stored,
        };
        let splat = |b: &mut LaneBuilder, elem, bits: u32| {
            let scalar = b.constant(elem, bits.into());
            b.pure(LaneInst::Splat(scalar), LaneType::Lanes(elem))
        };
        let word = b.load(at(Stored::U32), None);
        let (mask, high) = (splat(&mut b, Elem::I32, mask), splat(&mut b, Elem::F32, high.to_bits()));
        let low = splat(&mut b, Elem::F32, 5.983_839e-8_f32.to_bits());
        let few = b.op(Op::And, Scalar::U32, &[word, mask]);
        let float = b.op(Op::ToF32, Scalar::I32, &[few]);
        let (high, low) = (b.op(Op::Mul, Scalar::F32, &[float, high]), b.op(Op::Mul, Scalar::F32, &[float, low]));
        let sum = b.op(Op::Add, Scalar::F32, &[high, low]);
        b.effect(Effect::Store { at: at(Stored::F32), value: sum, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        let fused = fuse_exact(&mut program);
        assert_eq!(format!("{program}").contains("fma.f32"), fused, "{program}");
        fused
    }

    #[test]
    fn products_are_fused_where_they_have_at_most_24_bits() {
        // 257 / 2^16, nine bits.
        let high = 0.003_921_509;
        assert!(is_fused(0xff, high) && is_fused(0xff00, high) && is_fused(0x7fff, high));
        assert!(!is_fused(0xffff, high), "16 bits and 9");
        assert!(!is_fused(0x8000_0001, high), "negative numbers have other bits");
        assert!(!is_fused(0xff, 1.0 / 255.0) && !is_fused(0xff, 0.0) && !is_fused(0xff, 1e-30));
        assert!(is_fused(0xffff, 1.0 / 65536.0) && is_fused(0xff, -3.0));
    }

    /// `x - y * z` and `y * z - x` of loads; the operations of the results, if the product is promised.
    fn differences(promised: bool) -> String {
        let mut b = LaneBuilder::new(8);
        let base = b.input(ArgumentWord::ViewBase(0));
        let at = |displacement| LaneAddress {
            space: MemorySpace::Buffer(0),
            base,
            offset: None,
            displacement,
            along: AddressStep::Step(4),
            stored: Stored::F32,
        };
        let [x, y, z] = [0, 32, 64].map(|displacement| b.load(at(displacement), None));
        let pos = Pos { source: 1, line: 2, column: 3, length: 4 };
        b.at(pos);
        let product = b.op(Op::Mul, Scalar::F32, &[y, z]);
        let less = b.op(Op::Sub, Scalar::F32, &[x, product]);
        let more = b.op(Op::Sub, Scalar::F32, &[product, x]);
        b.effect(Effect::Store { at: at(0), value: less, mask: None });
        b.effect(Effect::Store { at: at(32), value: more, mask: None });
        let mut program = b.finish("test".into(), ArenaSizes::default());
        program.writable = vec![true];
        if promised {
            program.promises.insert(pos.key(), Promise::ExactProduct);
        }
        assert_eq!(fuse_exact(&mut program), promised, "{program}");
        crate::lanes::verify(&program).unwrap_or_else(|wrong| panic!("{wrong}\n{program}"));
        program.to_string()
    }

    #[test]
    fn promised_products_are_fused_with_each_difference() {
        let text = differences(true);
        assert!(text.matches("fma.f32").count() == 2 && !text.contains("sub.f32"), "{text}");
        let text = differences(false);
        assert!(text.matches("sub.f32").count() == 2, "{text}");
    }

    #[test]
    fn fused_products_have_the_bits_of_two_operations() {
        let (high, low) = (0.003_921_509_f32, 5.983_839e-8_f32);
        for byte in (0..=255).map(|byte| byte as f32) {
            assert_eq!(byte.mul_add(high, byte * low).to_bits(), (byte * high + byte * low).to_bits(), "{byte}");
        }
    }
}
