//! Bitwise operations that one instruction computes.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::{Elem, LaneInst, LaneType, LaneValue, Test, WIDTHS, aligned, bytes, noise, pointer, run};

/// A tree of operations: how it is built, and what it is of three numbers.
#[derive(Clone, Debug)]
enum BitTree {
    Argument(usize),
    Not(Box<BitTree>),
    Both(Op, Box<[BitTree; 2]>),
}

impl BitTree {
    fn value(&self, arguments: [u64; 3]) -> u64 {
        match self {
            BitTree::Argument(i) => arguments[*i],
            BitTree::Not(tree) => !tree.value(arguments),
            BitTree::Both(op, trees) => {
                let [a, b] = [0, 1].map(|i| trees[i].value(arguments));
                if *op == Op::And {
                    a & b
                } else if *op == Op::Or {
                    a | b
                } else {
                    a ^ b
                }
            }
        }
    }

    fn build(&self, test: &mut Test, scalar: Scalar, arguments: [LaneValue; 3]) -> LaneValue {
        let (op, args): (Op, smallvec::SmallVec<_>) = match self {
            BitTree::Argument(i) => return arguments[*i],
            BitTree::Not(tree) => (Op::Not, [tree.build(test, scalar, arguments)].into_iter().collect()),
            BitTree::Both(op, trees) => (*op, trees.iter().map(|tree| tree.build(test, scalar, arguments)).collect()),
        };
        test.b.pure(LaneInst::Op { op, scalar, args }, LaneType::Lanes(Elem::of(scalar)))
    }
}

/// All trees of two operations on two of these arguments each, inverted or not, in both orders, and a third level of
/// some.
fn trees() -> Vec<BitTree> {
    let ops = [Op::And, Op::Or, Op::Xor];
    let not = |invert: bool, tree: BitTree| if invert { BitTree::Not(Box::new(tree)) } else { tree };
    let mut trees = Vec::new();
    for inner in ops {
        for outer in ops {
            for inverted in 0..16 {
                let invert = |i: u32| inverted >> i & 1 == 1;
                for [a, b, c] in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 1, 0], [1, 0, 0]] {
                    let [a, b, c] = [a, b, c].map(BitTree::Argument);
                    let pair = BitTree::Both(inner, Box::new([not(invert(0), a.clone()), not(invert(1), b)]));
                    let last = not(invert(2), c);
                    let pair = not(invert(3), pair);
                    trees.push(BitTree::Both(outer, Box::new([pair.clone(), last.clone()])));
                    trees.push(BitTree::Both(outer, Box::new([last.clone(), pair.clone()])));
                    // The choice of bits: (a & b) | (!a & c), and others like it.
                    let other = BitTree::Both(inner, Box::new([not(!invert(0), a), last]));
                    trees.push(BitTree::Both(outer, Box::new([pair, other])));
                }
            }
        }
    }
    trees
}

#[test]
fn trees_of_bitwise_operations_give_the_bits_of_their_operations() {
    let inputs = noise(7, 512);
    for (count, tree) in trees().into_iter().enumerate() {
        let width = WIDTHS[count % WIDTHS.len()];
        let (stored, scalar) = [(Stored::U32, Scalar::U32), (Stored::I64, Scalar::I64)][count / 2 % 2];
        let size = stored.size() as usize;
        let mut test = Test::new(width);
        let mut loaded = |displacement: i64| {
            let mut at = test.source(stored);
            at.displacement = displacement;
            test.b.load(at, None)
        };
        let arguments = [0, 128, 256].map(&mut loaded);
        let result = tree.build(&mut test, scalar, arguments);
        let to = test.target(stored);
        test.store(to, result, None);
        // An argument that is used again is not to be overwritten.
        if count % 3 == 0 {
            let mut to = test.target(stored);
            to.displacement = 128;
            test.store(to, arguments[count / 3 % 3], None);
        }
        let program = test.finish();
        let (input, output) = (aligned(&inputs), aligned(&[0; 256]));
        run(&program, &[pointer(&input), pointer(&output)]);
        for lane in 0..width as usize {
            let number = |from: &[u8]| {
                let mut word = [0; 8];
                word[..size].copy_from_slice(&from[lane * size..][..size]);
                u64::from_le_bytes(word)
            };
            let numbers = [0, 128, 256].map(|at| number(&inputs[at..]));
            let mask = u64::MAX >> (64 - 8 * size);
            assert_eq!(number(&bytes(&output)), tree.value(numbers) & mask, "{tree:?}, {program}");
            if count % 3 == 0 {
                assert_eq!(number(&bytes(&output)[128..]), numbers[count / 3 % 3], "{tree:?}, {program}");
            }
        }
    }
}

#[test]
fn bits_of_two_values_in_sequence_are_those_of_shifts() {
    let inputs = noise(3, 256);
    for width in WIDTHS {
        for (stored, scalar) in [(Stored::U32, Scalar::U32), (Stored::I64, Scalar::U64), (Stored::I32, Scalar::I32)] {
            let bits = 8 * stored.size();
            for up in [0, 1, 7, 8, bits - 1, bits, bits + 3] {
                for (down, joined, same) in
                    [(bits - up % bits, Op::Or, false), (bits - up % bits, Op::Add, true), (bits - 1, Op::Xor, false)]
                {
                    let mut test = Test::new(width);
                    let high = test.source(stored);
                    let high = test.b.load(high, None);
                    let mut low = test.source(stored);
                    low.displacement = 128;
                    let low = if same { high } else { test.b.load(low, None) };
                    let ty = LaneType::Lanes(Elem::of(scalar));
                    let mut shifted = |op: Op, of: LaneValue, by: u32| {
                        let by = test.b.constant(Elem::of(scalar), by.into());
                        let by = test.b.pure(LaneInst::Splat(by), ty);
                        test.b.pure(LaneInst::Op { op, scalar, args: smallvec::smallvec![of, by] }, ty)
                    };
                    let (a, b) = (shifted(Op::Shl, high, up), shifted(Op::Shr, low, down));
                    let both = LaneInst::Op { op: joined, scalar, args: smallvec::smallvec![b, a] };
                    let both = test.b.pure(both, ty);
                    let to = test.target(stored);
                    test.store(to, both, None);
                    let program = test.finish();
                    let (input, output) = (aligned(&inputs), aligned(&[0; 128]));
                    run(&program, &[pointer(&input), pointer(&output)]);
                    for lane in 0..width as usize {
                        let number = |from: &[u8]| {
                            let mut word = [0; 8];
                            let size = stored.size() as usize;
                            word[..size].copy_from_slice(&from[lane * size..][..size]);
                            u64::from_le_bytes(word)
                        };
                        let mask = u64::MAX >> (64 - bits);
                        let high = number(&inputs);
                        let low = if same { high } else { number(&inputs[128..]) };
                        let (up, down) = (up % bits, down % bits);
                        let low = match scalar {
                            Scalar::I32 => (low as u32 as i32 >> down) as u32 as u64,
                            _ => low >> down,
                        };
                        let high = high << up & mask;
                        let expected = match joined {
                            Op::Or => high | low,
                            Op::Xor => high ^ low,
                            _ => high.wrapping_add(low),
                        };
                        assert_eq!(number(&bytes(&output)), expected & mask, "{up}, {down}, {program}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_test_of_common_bits_is_a_comparison_with_zero() {
    let inputs: Vec<u8> = noise(9, 256).iter().map(|byte| byte & noise(11, 1)[0]).collect();
    for width in WIDTHS {
        for (stored, scalar) in [(Stored::U32, Scalar::U32), (Stored::I64, Scalar::I64)] {
            for op in [Op::Eq, Op::Ne, Op::Lt] {
                let mut test = Test::new(width);
                let mut loaded = |displacement: i64| {
                    let mut at = test.source(stored);
                    at.displacement = displacement;
                    test.b.load(at, None)
                };
                let [a, b] = [0, 128].map(&mut loaded);
                let ty = LaneType::Lanes(Elem::of(scalar));
                let both = test.b.pure(LaneInst::Op { op: Op::And, scalar, args: smallvec::smallvec![a, b] }, ty);
                let zero = test.b.constant(Elem::of(scalar), 0);
                let zero = test.b.pure(LaneInst::Splat(zero), ty);
                let compared = LaneInst::Op { op, scalar, args: smallvec::smallvec![both, zero] };
                let mask = test.b.pure(compared, LaneType::Lanes(Elem::Bool));
                let to = test.target(Stored::Bool);
                test.store(to, mask, None);
                let program = test.finish();
                // The second half: values without a bit in common.
                let mut inputs = inputs.clone();
                for i in 0..128 {
                    if i / 8 % 2 == 0 {
                        inputs[128 + i] = !inputs[i];
                    }
                }
                let (input, output) = (aligned(&inputs), aligned(&[9; 64]));
                run(&program, &[pointer(&input), pointer(&output)]);
                let size = stored.size() as usize;
                for lane in 0..width as usize {
                    let both = (0..size).map(|i| inputs[lane * size + i] & inputs[128 + lane * size + i]);
                    let both: Vec<u8> = both.collect();
                    let expected = match op {
                        Op::Eq => both.iter().all(|&byte| byte == 0),
                        Op::Ne => both.iter().any(|&byte| byte != 0),
                        _ => scalar == Scalar::I64 && both[size - 1] >= 0x80,
                    };
                    assert_eq!(bytes(&output)[lane], u8::from(expected), "lane {lane}: {both:?}, {program}");
                }
            }
        }
    }
}
