//! Loads and stores that together cover whole rows ([`row_groups`]), as whole vectors of memory; and
//! loads of parts of longer rows, of each lane as many elements as a vector has lanes.
//!
//! The lanes are moved by interleaving vectors in pairs, a step for each factor of two in the number
//! of rows (one value of a row for each member); an odd factor by picking lanes one vector after the
//! other.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, LoweredValue, WideLowering};
use super::strides::StridedVector;
use super::vcode::{RegisterView, VECTOR, VectorLength};
use super::vectors::{WideValue, is_wide, sized};
use super::writer::{CodeWriter, InstOperand, at_length, vector};
use crate::emit::{EmitError, moves_rows};
use crate::hash::HashMap;
use crate::lanes::{AddressStep, Effect, Elem, GroupRole, LaneBlock, LaneInst, LaneValue, MovedRows, Node, row_groups};

impl<'p> WideLowering<'p> {
    /// The groups of a block.
    pub(super) fn groups_of(&self, block: &LaneBlock) -> HashMap<usize, GroupRole> {
        let machine = self.code.machine;
        let width = self.width();
        let long_enough =
            |elem| width > 1 && (machine.has_masks || machine.part_length(elem, width) == machine.longest);
        let part = |elem| if long_enough(elem) { machine.part_lanes(elem, width) as usize } else { 0 };
        let fits = |elem: Elem, count: usize| long_enough(elem) && moves_rows(machine.form, count);
        row_groups(block, &MovedRows { fits: &fits, parts: [part(Elem::I32), part(Elem::I64)] })
    }

    /// Loads the rows of a group.
    pub(super) fn load_rows(&mut self, block: &'p LaneBlock, nodes: &[Option<usize>]) -> Lowered<()> {
        let mut members: Vec<Option<LaneValue>> = Vec::new();
        let mut start = None;
        for &node in nodes {
            let mut member = None;
            if let Some(node) = node
                && let Node::Let { value, inst: LaneInst::Load { at, .. }, pos } = &block.nodes[node]
            {
                if start.is_none() {
                    self.code.pos = *pos;
                    start = Some(at);
                }
                member = Some(*value);
            }
            members.push(member);
        }
        let Some(at) = start else { return Err(EmitError("a group of loads has no first".into())) };
        let (elem, width) = (Elem::of(at.stored.value()), self.width());
        let (lanes, size) = (self.code.machine.part_lanes(elem, width), i64::from(at.stored.size()));
        let first = self.memory(at, 0)?;
        let mut values: Vec<SmallVec<[VReg; 8]>> = vec![SmallVec::new(); members.len()];
        let needed: Vec<bool> = members.iter().map(Option::is_some).collect();
        // The vectors of memory follow each other, or, if they are parts of longer rows, are one of each
        // lane.
        let apart = match at.along {
            AddressStep::Step(step) if step != members.len() as i64 * size => step,
            AddressStep::Step(_) | AddressStep::Uniform | AddressStep::Each(_) => i64::from(lanes) * size,
        };
        for part in 0..self.code.machine.part_count(elem, width) {
            let length = VectorLength::of_bytes(lanes * if is_wide(elem) { 8 } else { 4 });
            let rows = (0..members.len())
                .map(|row| {
                    let vectors_before = (part * members.len() + row) as i64;
                    let from = self.code.further(first, vectors_before * apart);
                    self.code.whole(length, InstOperand::Mem(from))
                })
                .collect();
            let found = self.code.take_apart(elem, lanes, rows, &needed);
            values.iter_mut().zip(found).for_each(|(value, register)| value.extend(register));
        }
        for (member, registers) in members.into_iter().zip(values) {
            if let Some(value) = member {
                self.set(value, LoweredValue::Lanes(WideValue::of(elem, width, registers)));
            }
        }
        Ok(())
    }

    /// Stores the rows of a group.
    pub(super) fn store_rows(&mut self, block: &'p LaneBlock, nodes: &[usize]) -> Lowered<()> {
        let mut values = Vec::new();
        let mut start = None;
        for &node in nodes {
            if let Node::Do { effect: Effect::Store { at, value, .. }, pos } = &block.nodes[node] {
                if start.is_none() {
                    self.code.pos = *pos;
                    start = Some(at);
                }
                values.push(self.lanes(*value)?);
            }
        }
        let Some(at) = start else { return Err(EmitError("a group of stores has no first".into())) };
        let elem = values[0].elem;
        let (lanes, size) = (self.code.machine.part_lanes(elem, self.width()), i64::from(at.stored.size()));
        let first = self.memory(at, 0)?;
        let code = sized(elem, Code::EVEX_Vmovups_xmmm128_k1z_xmm, Code::EVEX_Vmovupd_xmmm128_k1z_xmm);
        for part in 0..values[0].parts.len() {
            let registers = values.iter().map(|value| self.code.in_register(value, part)).collect();
            let length = values[0].length();
            for (row, register) in self.code.put_together(elem, lanes, registers).into_iter().enumerate() {
                let vectors_before = (part * values.len() + row) as i64;
                let to = InstOperand::Mem(self.code.further(first, vectors_before * i64::from(lanes) * size));
                self.code.effect(at_length(code, length), &[to, vector(register, length)], None);
            }
        }
        Ok(())
    }
}

impl CodeWriter {
    /// The lanes of each value, from vectors in which values take turns; those that are needed.
    fn take_apart(&mut self, elem: Elem, lanes: u32, rows: Vec<VReg>, needed: &[bool]) -> Vec<Option<VReg>> {
        let count = rows.len();
        if !needed.iter().any(|&needed| needed) {
            return vec![None; count];
        }
        if count == 1 {
            return vec![Some(rows[0])];
        }
        if !count.is_multiple_of(2) {
            return (0..count)
                .map(|place| {
                    needed[place]
                        .then(|| self.picked(elem, &StridedVector::every(count as u32, place as u32, lanes), &rows))
                })
                .collect();
        }
        let needed_of = |odd: usize| needed.iter().copied().skip(odd).step_by(2).collect::<Vec<bool>>();
        let mut halves = [0, 1].map(|odd| {
            let needed = needed_of(odd);
            let rows = if needed.contains(&true) {
                rows.chunks_exact(2).map(|pair| self.every_other(elem, lanes, [pair[0], pair[1]], odd == 1)).collect()
            } else {
                rows[..count / 2].to_vec()
            };
            self.take_apart(elem, lanes, rows, &needed).into_iter()
        });
        (0..count).map(|place| halves[place % 2].next().flatten()).collect()
    }

    /// Vectors in which values take turns, from the lanes of each value.
    fn put_together(&mut self, elem: Elem, lanes: u32, values: Vec<VReg>) -> Vec<VReg> {
        let count = values.len();
        if count == 1 {
            return values;
        }
        if !count.is_multiple_of(2) {
            return (0..count as u32)
                .map(|row| self.picked(elem, &StridedVector::turns(count as u32, row, lanes), &values))
                .collect();
        }
        let half = |odd: usize| values.iter().copied().skip(odd).step_by(2).collect::<Vec<VReg>>();
        let even = self.put_together(elem, lanes, half(0));
        let odd = self.put_together(elem, lanes, half(1));
        even.into_iter().zip(odd).flat_map(|(even, odd)| self.interleaved(elem, lanes, [even, odd])).collect()
    }

    /// Every other lane of two vectors, from lane 0 or 1 on.
    fn every_other(&mut self, elem: Elem, lanes: u32, [low, high]: [VReg; 2], odd: bool) -> VReg {
        let length = VectorLength::of_bytes(lanes * if is_wide(elem) { 8 } else { 4 });
        if self.machine.has_masks {
            return self.permuted_pair(elem, low, vector(high, length), lanes, &|lane| 2 * lane + u32::from(odd));
        }
        let view = RegisterView::Vector(length);
        let both = [vector(low, length), vector(high, length)];
        let halves = match (is_wide(elem), odd) {
            (true, false) => self.def(Code::VEX_Vunpcklpd_ymm_ymm_ymmm256, VECTOR, view, &both),
            (true, true) => self.def(Code::VEX_Vunpckhpd_ymm_ymm_ymmm256, VECTOR, view, &both),
            (false, odd) => {
                let chosen = InstOperand::Imm8(if odd { 0b11_01_11_01 } else { 0b10_00_10_00 });
                self.def(Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8, VECTOR, view, &[both[0], both[1], chosen])
            }
        };
        // The halves of both are in pairs of 64 bits: of the first, of the second, twice.
        let order = [vector(halves, length), InstOperand::Imm8(0b11_01_10_00)];
        self.def(Code::VEX_Vpermpd_ymm_ymmm256_imm8, VECTOR, view, &order)
    }

    /// The lanes of two vectors in turns, as two vectors.
    fn interleaved(&mut self, elem: Elem, lanes: u32, [even, odd]: [VReg; 2]) -> [VReg; 2] {
        let length = VectorLength::of_bytes(lanes * if is_wide(elem) { 8 } else { 4 });
        if self.machine.has_masks {
            return [0, lanes / 2].map(|first| {
                let element = |lane| first + lane / 2 + if lane % 2 == 1 { lanes } else { 0 };
                self.permuted_pair(elem, even, vector(odd, length), lanes, &element)
            });
        }
        let view = RegisterView::Vector(length);
        let both = [vector(even, length), vector(odd, length)];
        let (low, high) = if is_wide(elem) {
            (Code::VEX_Vunpcklpd_ymm_ymm_ymmm256, Code::VEX_Vunpckhpd_ymm_ymm_ymmm256)
        } else {
            (Code::VEX_Vunpcklps_ymm_ymm_ymmm256, Code::VEX_Vunpckhps_ymm_ymm_ymmm256)
        };
        let quarters = [low, high].map(|code| vector(self.def(code, VECTOR, view, &both), length));
        [0x20, 0x31].map(|halves| {
            let sources = [quarters[0], quarters[1], InstOperand::Imm8(halves)];
            self.def(Code::VEX_Vperm2f128_ymm_ymm_ymmm256_imm8, VECTOR, view, &sources)
        })
    }

    /// A vector from lanes of several vectors. Only with AVX-512.
    fn picked(&mut self, elem: Elem, strided: &StridedVector, from: &[VReg]) -> VReg {
        let lanes = strided.places.len() as u32;
        let length = VectorLength::of_bytes(lanes * if is_wide(elem) { 8 } else { 4 });
        let mut result = from[0];
        for (at, &next) in from.iter().enumerate().skip(1) {
            let element = |lane: u32| match strided.places[lane as usize] {
                (source, element) if source == at => lanes + element,
                (0, element) if at == 1 => element,
                (_, _) => lane,
            };
            result = self.permuted_pair(elem, result, vector(next, length), lanes, &element);
        }
        result
    }
}
