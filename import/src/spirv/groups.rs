//! Operations of SPIR-V between the threads of a subgroup that naga does not read, by those that it does. All threads of
//! a subgroup come to them, and it has 32 at most.

use spirv::GroupOperation;

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;
use crate::spirv::words::words;

/// Threads of a subgroup.
const MOST_THREADS: u32 = crate::subgroup::SUBGROUP_SIZE;

/// Why a cluster is refused.
const CLUSTER: &str = "a clustered reduction whose size is no constant that is a power of two";

impl SpirvRewriter<'_> {
    /// Writes such an operation out; returns whether it was one. The error says what of it is refused.
    pub(crate) fn group(&mut self, instruction: &[u32]) -> Result<bool, String> {
        const REDUCE: u32 = GroupOperation::Reduce as u32;
        const INCLUSIVE: u32 = GroupOperation::InclusiveScan as u32;
        const EXCLUSIVE: u32 = GroupOperation::ExclusiveScan as u32;
        const CLUSTERED: u32 = GroupOperation::ClusteredReduce as u32;
        let opcode = instruction[0] & 0xffff;
        match (opcode, instruction) {
            (op::GROUP_ELECT, &[_, ty, id, scope]) => {
                // The first thread has none before it.
                let (number, lane) = self.lane(scope);
                let zero = self.writer.types.null(number);
                self.writer.add_as(op::I_EQUAL, ty, id, &[lane, zero]);
            }
            (op::GROUP_BALLOT_BIT_COUNT, &[_, ty, id, scope, operation, ballot]) => {
                let number = self.writer.types.int(32, false);
                let word = self.writer.add(op::COMPOSITE_EXTRACT, number, &[ballot, 0]);
                let counted = match operation {
                    REDUCE => word,
                    INCLUSIVE | EXCLUSIVE => {
                        let mask = self.before(scope, operation == INCLUSIVE);
                        self.writer.add(op::BITWISE_AND, number, &[word, mask])
                    }
                    _ => return Err("an `OpGroupNonUniformBallotBitCount` of another kind".to_owned()),
                };
                let count = self.writer.add(op::BIT_COUNT, number, &[counted]);
                self.writer.add_as(if number == ty { op::COPY_OBJECT } else { op::BITCAST }, ty, id, &[count]);
            }
            (
                op::GROUP_LOGICAL_AND | op::GROUP_LOGICAL_OR | op::GROUP_LOGICAL_XOR,
                &[_, ty, id, scope, operation, value, ref size @ ..],
            ) => {
                let number = self.writer.types.int(32, false);
                let mask = match operation {
                    REDUCE => self.writer.types.number(u32::MAX),
                    INCLUSIVE | EXCLUSIVE => self.before(scope, operation == INCLUSIVE),
                    _ => {
                        let Some(size) = size.first().and_then(|&size| self.cluster_size(size)) else {
                            return Err(CLUSTER.to_owned());
                        };
                        let (_, lane) = self.lane(scope);
                        let to_first = self.writer.types.number(!(size - 1));
                        let first = self.writer.add(op::BITWISE_AND, number, &[lane, to_first]);
                        let ones = self.writer.types.number(if size >= 32 { u32::MAX } else { (1 << size) - 1 });
                        self.writer.add(op::SHIFT_LEFT_LOGICAL, number, &[ones, first])
                    }
                };
                let on = self.ballot(scope, value);
                let on = self.writer.add(op::BITWISE_AND, number, &[on, mask]);
                let zero = self.writer.types.null(number);
                match opcode {
                    op::GROUP_LOGICAL_AND => {
                        let boolean = self.writer.types.type_id(PlainType::Bool);
                        let yes = self.writer.types.constant(op::CONSTANT_TRUE, boolean, &[]);
                        let all = self.ballot(scope, yes);
                        let all = self.writer.add(op::BITWISE_AND, number, &[all, mask]);
                        self.writer.add_as(op::I_EQUAL, ty, id, &[on, all]);
                    }
                    op::GROUP_LOGICAL_OR => self.writer.add_as(op::I_NOT_EQUAL, ty, id, &[on, zero]),
                    _ => {
                        let (count, one) = (self.writer.add(op::BIT_COUNT, number, &[on]), self.writer.types.number(1));
                        let odd = self.writer.add(op::BITWISE_AND, number, &[count, one]);
                        self.writer.add_as(op::I_NOT_EQUAL, ty, id, &[odd, zero]);
                    }
                }
            }
            (op::GROUP_QUAD_ALL | op::GROUP_QUAD_ANY, &[_, ty, id, condition]) => {
                let combine = if opcode == op::GROUP_QUAD_ALL { op::LOGICAL_AND } else { op::LOGICAL_OR };
                let scope = self.writer.types.number(spirv::Scope::Subgroup as u32);
                let mut all = condition;
                // A thread that is not there has the value of the one that asks. Across, down, and both.
                for direction in 0..3 {
                    let direction = self.writer.types.number(direction);
                    let other = self.writer.add(op::GROUP_QUAD_SWAP, ty, &[scope, condition, direction]);
                    all = self.writer.add(combine, ty, &[all, other]);
                }
                self.writer.add_as(op::COPY_OBJECT, ty, id, &[all]);
            }
            (op::GROUP_I_ADD..=op::GROUP_BITWISE_XOR, &[_, ty, id, scope, CLUSTERED, value, size]) => {
                let Some(size) = self.cluster_size(size) else { return Err(CLUSTER.to_owned()) };
                self.clustered(opcode, ty, id, scope, value, size)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The type of unsigned numbers, and the number of the thread in its subgroup.
    pub(crate) fn lane(&mut self, scope: u32) -> (u32, u32) {
        let (number, one) = (self.writer.types.int(32, false), self.writer.types.number(1));
        let exclusive = GroupOperation::ExclusiveScan as u32;
        (number, self.writer.add(op::GROUP_I_ADD, number, &[scope, exclusive, one]))
    }

    /// A bit for each thread before this one, and one for itself.
    fn before(&mut self, scope: u32, with_itself: bool) -> u32 {
        let (number, lane) = self.lane(scope);
        let one = self.writer.types.number(1);
        let own = self.writer.add(op::SHIFT_LEFT_LOGICAL, number, &[one, lane]);
        let before = self.writer.add(op::I_SUB, number, &[own, one]);
        if with_itself { self.writer.add(op::BITWISE_OR, number, &[before, own]) } else { before }
    }

    /// A bit for each thread whose condition holds.
    fn ballot(&mut self, scope: u32, condition: u32) -> u32 {
        let number = self.writer.types.int(32, false);
        let four = self.writer.types.type_id(PlainType::Vector { component: number, count: 4 });
        let ballot = self.writer.add(op::GROUP_BALLOT, four, &[scope, condition]);
        self.writer.add(op::COMPOSITE_EXTRACT, number, &[ballot, 0])
    }

    pub(crate) fn cluster_size(&self, size: u32) -> Option<u32> {
        self.writer.types.numbers.get(&size).copied().filter(|size| size.is_power_of_two())
    }

    /// The values of the threads of a cluster, one after the other. Those that are not there count for nothing.
    fn clustered(&mut self, opcode: u32, ty: u32, id: u32, scope: u32, value: u32, size: u32) -> Result<(), String> {
        if size >= MOST_THREADS {
            let reduce = GroupOperation::Reduce as u32;
            return self.instruction(words(opcode, &[ty, id, scope, reduce, value]));
        }
        let Some(combine) = combination(opcode) else {
            return Err("a clustered reduction by an operation that is not known".to_owned());
        };
        let (number, lane) = self.lane(scope);
        let boolean = self.writer.types.type_id(PlainType::Bool);
        let one = self.writer.types.number(1);
        let count = self.writer.add(op::GROUP_I_ADD, number, &[scope, GroupOperation::Reduce as u32, one]);
        let mask = self.writer.types.number(!(size - 1));
        let first = self.writer.add(op::BITWISE_AND, number, &[lane, mask]);
        let mut all = self.writer.add(op::GROUP_SHUFFLE, ty, &[scope, value, first]);
        for i in 1..size {
            let distance = self.writer.types.number(i);
            let other = self.writer.add(op::I_ADD, number, &[first, distance]);
            let is_there = self.writer.add(op::U_LESS_THAN, boolean, &[other, count]);
            let next = self.writer.add(op::GROUP_SHUFFLE, ty, &[scope, value, other]);
            let with = match combine {
                Combination::Core(opcode) => self.writer.add(opcode, ty, &[all, next]),
                Combination::Glsl(number) => {
                    let Some(set) = self.glsl else {
                        return Err("a clustered minimum or maximum without the set GLSL.std.450".to_owned());
                    };
                    let both = self.writer.types.fresh();
                    self.writer.types.values.insert(both, ty);
                    self.instruction(words(op::EXT_INST, &[ty, both, set, number, all, next]))?;
                    both
                }
            };
            let chosen = self.writer.types.fresh();
            if !self.select(ty, chosen, [is_there, with, all])? {
                self.writer.add_as(op::SELECT, ty, chosen, &[is_there, with, all]);
            }
            all = chosen;
        }
        self.writer.add_as(op::COPY_OBJECT, ty, id, &[all]);
        Ok(())
    }
}

/// What puts two values together.
#[derive(Clone, Copy)]
enum Combination {
    Core(u32),
    /// An instruction of GLSL.std.450.
    Glsl(u32),
}

fn combination(opcode: u32) -> Option<Combination> {
    use spirv::Op;
    let is = |other: Op| opcode == other as u32;
    Some(match () {
        () if is(Op::GroupNonUniformIAdd) => Combination::Core(Op::IAdd as u32),
        () if is(Op::GroupNonUniformFAdd) => Combination::Core(Op::FAdd as u32),
        () if is(Op::GroupNonUniformIMul) => Combination::Core(Op::IMul as u32),
        () if is(Op::GroupNonUniformFMul) => Combination::Core(Op::FMul as u32),
        () if is(Op::GroupNonUniformBitwiseAnd) => Combination::Core(Op::BitwiseAnd as u32),
        () if is(Op::GroupNonUniformBitwiseOr) => Combination::Core(Op::BitwiseOr as u32),
        () if is(Op::GroupNonUniformBitwiseXor) => Combination::Core(Op::BitwiseXor as u32),
        () if is(Op::GroupNonUniformSMin) => Combination::Glsl(39),
        () if is(Op::GroupNonUniformUMin) => Combination::Glsl(38),
        () if is(Op::GroupNonUniformFMin) => Combination::Glsl(37),
        () if is(Op::GroupNonUniformSMax) => Combination::Glsl(42),
        () if is(Op::GroupNonUniformUMax) => Combination::Glsl(41),
        () if is(Op::GroupNonUniformFMax) => Combination::Glsl(40),
        () => return None,
    })
}
