//! Operations of SPIR-V on ballots of subgroups, equality in a subgroup, rotations, and those of vectors of conditions and
//! of older extensions: by operations that naga reads. The first word of a ballot has all threads.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;
use crate::spirv::words::words;

impl SpirvRewriter<'_> {
    /// Writes such an operation out; returns whether it was one. The error says what of it is refused.
    pub(crate) fn ballot_or_older(&mut self, instruction: &[u32]) -> Result<bool, String> {
        let opcode = instruction[0] & 0xffff;
        if let Some(newer) = self.of_older_extension(instruction) {
            self.instruction(newer)?;
            return Ok(true);
        }
        if self.of_conditions(instruction)? {
            return Ok(true);
        }
        match (opcode, instruction) {
            (op::GROUP_ALL_EQUAL, &[_, ty, id, scope, value]) => self.all_equal(ty, id, scope, value)?,
            (op::GROUP_INVERSE_BALLOT, &[_, ty, id, scope, ballot]) => {
                let (_, lane) = self.lane(scope);
                self.bit_of_ballot(ty, id, ballot, lane);
            }
            (op::GROUP_BALLOT_BIT_EXTRACT, &[_, ty, id, _, ballot, index]) => {
                let index = self.as_number(index);
                self.bit_of_ballot(ty, id, ballot, index);
            }
            (op::GROUP_BALLOT_FIND_LSB | op::GROUP_BALLOT_FIND_MSB, &[_, ty, id, _, ballot]) => {
                let (number, one) = (self.writer.types.int(32, false), self.writer.types.number(1));
                let word = self.writer.add(op::COMPOSITE_EXTRACT, number, &[ballot, 0]);
                let ones = if opcode == op::GROUP_BALLOT_FIND_LSB {
                    // The bits below the lowest one that is set.
                    let zero = self.writer.types.null(number);
                    let negative = self.writer.add(op::I_SUB, number, &[zero, word]);
                    let lowest = self.writer.add(op::BITWISE_AND, number, &[word, negative]);
                    self.writer.add(op::I_SUB, number, &[lowest, one])
                } else {
                    // The bits below the highest one that is set.
                    let mut all = self.writer.add(op::SHIFT_RIGHT_LOGICAL, number, &[word, one]);
                    for distance in [1, 2, 4, 8, 16] {
                        let distance = self.writer.types.number(distance);
                        let shifted = self.writer.add(op::SHIFT_RIGHT_LOGICAL, number, &[all, distance]);
                        all = self.writer.add(op::BITWISE_OR, number, &[all, shifted]);
                    }
                    all
                };
                let count = self.writer.add(op::BIT_COUNT, number, &[ones]);
                self.writer.add_as(if number == ty { op::COPY_OBJECT } else { op::BITCAST }, ty, id, &[count]);
            }
            (op::GROUP_ROTATE, &[_, ty, id, scope, value, delta, ref size @ ..]) => {
                let size = match size.first() {
                    None => crate::subgroup::SUBGROUP_SIZE,
                    Some(&size) => self.cluster_size(size).ok_or("a rotation whose clusters have no constant size")?,
                };
                let (number, lane) = self.lane(scope);
                let delta = self.as_number(delta);
                let (inside, outside) = (self.writer.types.number(size - 1), self.writer.types.number(!(size - 1)));
                let sum = self.writer.add(op::I_ADD, number, &[lane, delta]);
                let place = self.writer.add(op::BITWISE_AND, number, &[sum, inside]);
                let first = self.writer.add(op::BITWISE_AND, number, &[lane, outside]);
                let from = self.writer.add(op::BITWISE_OR, number, &[first, place]);
                self.instruction(words(op::GROUP_SHUFFLE, &[ty, id, scope, value, from]))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// An instruction of the extensions before SPIR-V 1.3 as the one that has taken its place.
    fn of_older_extension(&mut self, instruction: &[u32]) -> Option<Vec<u32>> {
        let newer = match instruction[0] & 0xffff {
            op::SUBGROUP_BALLOT => op::GROUP_BALLOT,
            op::SUBGROUP_FIRST => op::GROUP_BROADCAST_FIRST,
            op::SUBGROUP_ALL => op::GROUP_ALL,
            op::SUBGROUP_ANY => op::GROUP_ANY,
            op::SUBGROUP_ALL_EQUAL => op::GROUP_ALL_EQUAL,
            op::SUBGROUP_READ => op::GROUP_SHUFFLE,
            _ => return None,
        };
        let &[_, ty, id, ref operands @ ..] = instruction else { return None };
        let scope = self.writer.types.number(spirv::Scope::Subgroup as u32);
        Some(words(newer, &[&[ty, id, scope], operands].concat()))
    }

    /// An operation on a vector of conditions, one component after the other.
    fn of_conditions(&mut self, instruction: &[u32]) -> Result<bool, String> {
        let opcode = instruction[0] & 0xffff;
        let at = match opcode {
            op::GROUP_LOGICAL_AND..=op::GROUP_LOGICAL_XOR => 5,
            op::GROUP_BROADCAST..=op::GROUP_BROADCAST_FIRST
            | op::GROUP_SHUFFLE..=op::GROUP_SHUFFLE_DOWN
            | op::GROUP_QUAD_BROADCAST..=op::GROUP_QUAD_SWAP => 4,
            _ => return Ok(false),
        };
        let (Some(&ty), Some(&id), Some(&value)) = (instruction.get(1), instruction.get(2), instruction.get(at)) else {
            return Ok(false);
        };
        let Some((PlainType::Bool, count @ 2..)) = self.writer.types.components(ty) else { return Ok(false) };
        let boolean = self.writer.types.type_id(PlainType::Bool);
        let mut parts = Vec::new();
        for i in 0..count.min(4) {
            let mut one = instruction.to_vec();
            (one[1], one[2]) = (boolean, self.writer.types.fresh());
            one[at] = self.writer.add(op::COMPOSITE_EXTRACT, boolean, &[value, i]);
            self.writer.types.values.insert(one[2], boolean);
            parts.push(one[2]);
            self.instruction(one)?;
        }
        self.writer.add_as(op::COMPOSITE_CONSTRUCT, ty, id, &parts);
        Ok(true)
    }

    /// Do all threads have the value of the first one?
    fn all_equal(&mut self, ty: u32, id: u32, scope: u32, value: u32) -> Result<(), String> {
        let Some((of, (scalar, count))) =
            self.writer.types.of(value).and_then(|of| Some((of, self.writer.types.components(of)?)))
        else {
            return Err("an `OpGroupNonUniformAllEqual` of a value that is no scalar and no vector".to_owned());
        };
        let first = self.writer.types.fresh();
        self.writer.types.values.insert(first, of);
        self.instruction(words(op::GROUP_BROADCAST_FIRST, &[of, first, scope, value]))?;
        let equal = match scalar {
            PlainType::Float { .. } => op::F_ORD_EQUAL,
            PlainType::Bool => op::LOGICAL_EQUAL,
            PlainType::Int { .. } | PlainType::Vector { .. } => op::I_EQUAL,
        };
        let (boolean, conditions) =
            (self.writer.types.type_id(PlainType::Bool), self.writer.types.with_component(of, PlainType::Bool));
        let same = self.writer.add(equal, conditions, &[value, first]);
        let mut all = same;
        for i in 0..if count == 1 { 0 } else { count.min(4) } {
            let part = self.writer.add(op::COMPOSITE_EXTRACT, boolean, &[same, i]);
            all = if i == 0 { part } else { self.writer.add(op::LOGICAL_AND, boolean, &[all, part]) };
        }
        self.writer.add_as(op::GROUP_ALL, ty, id, &[scope, all]);
        Ok(())
    }

    /// A bit of the first word of a ballot.
    fn bit_of_ballot(&mut self, ty: u32, id: u32, ballot: u32, index: u32) {
        let (number, one) = (self.writer.types.int(32, false), self.writer.types.number(1));
        let zero = self.writer.types.null(number);
        let word = self.writer.add(op::COMPOSITE_EXTRACT, number, &[ballot, 0]);
        let shifted = self.writer.add(op::SHIFT_RIGHT_LOGICAL, number, &[word, index]);
        let bit = self.writer.add(op::BITWISE_AND, number, &[shifted, one]);
        self.writer.add_as(op::I_NOT_EQUAL, ty, id, &[bit, zero]);
    }

    /// An integer as an unsigned one of 32 bits.
    fn as_number(&mut self, value: u32) -> u32 {
        let number = self.writer.types.int(32, false);
        match self.writer.types.of(value) {
            Some(ty) if ty != number => match self.writer.types.integer(ty) {
                Some((32, _)) => self.writer.add(op::BITCAST, number, &[value]),
                _ => value,
            },
            _ => value,
        }
    }
}
