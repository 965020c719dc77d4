//! Values and their parts: decomposition, composition, zeros and constants.

use super::state::{Lower, OrNoValue};
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{RustConstant, RustType};
use tilewise_ir::kernel::{Builtin, Const, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

impl Lower {
    /// The single kernel value that holds it: of a number, a vector, a view.
    pub(super) fn id(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<ValueId> {
        match &value.held {
            HeldAs::One(id) => Ok(*id),
            HeldAs::Kept(place) if value.ty.data().is_some() => {
                let loaded = self.load_place(place, &value.ty, pos)?;
                self.id(&loaded, pos)
            }
            _ => self.broken(format!("`{}` where a number is needed", value.ty.show()), pos),
        }
    }

    /// Part `i` of a value.
    pub(super) fn part(&mut self, value: &LoweredValue, i: usize, pos: Pos) -> OrNoValue<LoweredValue> {
        let Some(ty) = value.ty.part(i) else {
            return self.broken(format!("`{}` has no part {i}", value.ty.show()), pos);
        };
        match &value.held {
            HeldAs::Nothing => Ok(LoweredValue::nothing(&ty)),
            HeldAs::Parts(parts) => match parts.get(i) {
                Some(part) => Ok(part.clone()),
                None => self.broken("a value without that part", pos),
            },
            HeldAs::Repeat(element) => Ok(LoweredValue::clone(element)),
            HeldAs::Kept(place) => {
                let whole = RustPlace::new(value.ty.clone(), SpotRoot::Memory(place.clone()));
                let part = self.sub(&whole, i, pos)?;
                match &part.at {
                    SpotRoot::Memory(place) if ty.data().is_none() => {
                        Ok(LoweredValue { ty, held: HeldAs::Kept(place.clone()) })
                    }
                    _ => self.load(&part, pos),
                }
            }
            HeldAs::Thread(kind) => {
                let id = self.inst(InstKind::Builtin(kind(i as u32)), pos)?;
                Ok(LoweredValue::one(ty, id))
            }
            HeldAs::TiledThread => {
                let kind = [Builtin::Global as fn(u32) -> Builtin, Builtin::Local, Builtin::Tile, Builtin::TileOrigin];
                Ok(match kind.get(i) {
                    Some(kind) => LoweredValue { ty, held: HeldAs::Thread(*kind) },
                    None => LoweredValue::nothing(&ty),
                })
            }
            HeldAs::One(_) | HeldAs::Place(_) => self.broken(format!("a part of `{}`", value.ty.show()), pos),
        }
    }

    /// The same value part by part.
    pub(super) fn spread(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        if matches!(value.held, HeldAs::Parts(_)) {
            return Ok(value.clone());
        }
        let count = value.ty.count();
        self.spend(count as u64, pos)?;
        let parts = (0..count).map(|i| self.part(value, i, pos)).collect::<OrNoValue<Vec<_>>>()?;
        Ok(LoweredValue::parts(value.ty.clone(), parts))
    }

    /// The numbers of an index in any of its forms: an integer, a tuple, an array, an index.
    pub(super) fn numbers(&mut self, value: &LoweredValue, out: &mut Vec<ValueId>, pos: Pos) -> OrNoValue<()> {
        match &value.ty {
            RustType::TiledIndex(_) => {
                let global = self.part(value, 0, pos)?;
                self.numbers(&global, out, pos)
            }
            RustType::Tuple(_)
            | RustType::Array(..)
            | RustType::Index(_)
            | RustType::Extent(_)
            | RustType::TiledExtent(_) => {
                if value.ty.count() > tilewise_ir::limits::MAX_RANK as usize {
                    return self.broken("an index of more than 128 components", pos);
                }
                for i in 0..value.ty.count() {
                    let part = self.part(value, i, pos)?;
                    let id = self.id(&part, pos)?;
                    out.push(id);
                }
                Ok(())
            }
            _ => {
                let id = self.id(value, pos)?;
                out.push(id);
                Ok(())
            }
        }
    }

    /// The `count` numbers of an index, as `i32`s.
    pub(super) fn components(&mut self, value: &LoweredValue, count: u32, pos: Pos) -> OrNoValue<Vec<ValueId>> {
        let mut numbers = Vec::new();
        self.numbers(value, &mut numbers, pos)?;
        if numbers.len() != count as usize {
            return self.broken(format!("{} components where {count} are needed", numbers.len()), pos);
        }
        numbers.into_iter().map(|number| self.number_i32(number, pos)).collect()
    }

    /// An index number as an `i32` or `u32`. A number that fits neither is out of range, and stays
    /// so.
    pub(super) fn index_number(&mut self, number: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let Some(data) = self.b.value_type(number).data().filter(|data| data.scalar.is_integer() && !data.is_vector())
        else {
            return self.broken("an index that is no integer", pos);
        };
        if let Some(known) = self.known(number).and_then(Const::integer) {
            let fits = i32::try_from(known).ok().map(Const::i32);
            if let Some(constant) = fits {
                return Ok(self.b.constant(constant));
            }
        }
        match data.scalar {
            Scalar::I64 => {
                let lo = self.b.constant(Const::i64(i64::from(i32::MIN)));
                let hi = self.b.constant(Const::i64(i64::from(i32::MAX)));
                let near = self.op(Op::Clamp, &[number, lo, hi], pos)?;
                self.op(Op::ToI32, &[near], pos)
            }
            Scalar::U64 => {
                let hi = self.b.constant(Const::u64(i32::MAX as u64));
                let near = self.op(Op::Min, &[number, hi], pos)?;
                self.op(Op::ToI32, &[near], pos)
            }
            _ => Ok(number),
        }
    }

    /// An index number as an `i32`. A number that does not fit becomes negative or the largest.
    pub(super) fn number_i32(&mut self, number: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let number = self.index_number(number, pos)?;
        match self.b.value_type(number).data() {
            Some(Data::U32) => self.op(Op::ToI32, &[number], pos),
            _ => Ok(number),
        }
    }

    /// An index or extent from numbers.
    pub(super) fn of_numbers(&self, ty: RustType, numbers: impl IntoIterator<Item = ValueId>) -> LoweredValue {
        LoweredValue::parts(ty, numbers.into_iter().map(|id| LoweredValue::one(RustType::scalar(Scalar::I32), id)))
    }

    /// Zero in every part.
    pub(super) fn zero(&mut self, ty: &RustType, pos: Pos) -> OrNoValue<LoweredValue> {
        if let Some(Data { scalar, width }) = ty.data() {
            let zero = self.b.constant(Const { scalar, bits: 0 });
            let zero = if width > 1 { self.inst(InstKind::Splat { value: zero, width }, pos)? } else { zero };
            return Ok(LoweredValue::one(ty.clone(), zero));
        }
        match ty {
            RustType::Array(element, _) => {
                let element = self.zero(element, pos)?;
                Ok(LoweredValue { ty: ty.clone(), held: HeldAs::Repeat(element.into()) })
            }
            RustType::View { .. } | RustType::Atomic(_) | RustType::TileStatic(_) => {
                self.broken(format!("a zero `{}`", ty.show()), pos)
            }
            _ if ty.count() == 0 => Ok(LoweredValue::nothing(ty)),
            _ => {
                let parts = (0..ty.count()).filter_map(|i| ty.part(i)).collect::<Vec<_>>();
                let parts = parts.iter().map(|part| self.zero(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
                Ok(LoweredValue::parts(ty.clone(), parts))
            }
        }
    }

    /// The value of a constant. An array becomes a table.
    pub(super) fn constant_value(&mut self, constant: &RustConstant, pos: Pos) -> OrNoValue<LoweredValue> {
        if constant.ty.leaves() != constant.leaves.len() as u64 {
            let (found, wanted) = (constant.leaves.len(), constant.ty.leaves());
            return self.broken(format!("a constant `{}` of {found} numbers, not {wanted}", constant.ty.show()), pos);
        }
        self.of_leaves(&constant.ty, &mut &constant.leaves[..], pos)
    }

    fn of_leaves(&mut self, ty: &RustType, leaves: &mut &[u64], pos: Pos) -> OrNoValue<LoweredValue> {
        let mut take = |n: usize| {
            let (taken, rest) = leaves.split_at(n.min(leaves.len()));
            *leaves = rest;
            taken
        };
        if let Some(data) = ty.data() {
            let numbers: Vec<ValueId> = take(usize::from(data.width))
                .iter()
                .map(|&bits| self.b.constant(Const { scalar: data.scalar, bits: cut(data.scalar, bits) }))
                .collect();
            return match numbers[..] {
                [one] => Ok(LoweredValue::one(ty.clone(), one)),
                _ => {
                    let id = self.inst(InstKind::Compose(numbers), pos)?;
                    Ok(LoweredValue::one(ty.clone(), id))
                }
            };
        }
        match ty {
            RustType::Array(element, _) if element.in_memory() => {
                let leaves = take(ty.leaves() as usize).to_vec();
                self.table(ty, leaves, pos)
            }
            RustType::Array(..) => Ok(LoweredValue::nothing(ty)),
            RustType::View { .. } | RustType::Atomic(_) | RustType::TileStatic(_) => {
                self.broken("a constant that is no data", pos)
            }
            _ if ty.count() == 0 => Ok(LoweredValue::nothing(ty)),
            _ => {
                let mut parts = Vec::new();
                for part in (0..ty.count()).filter_map(|i| ty.part(i)) {
                    parts.push(self.of_leaves(&part, leaves, pos)?);
                }
                Ok(LoweredValue::parts(ty.clone(), parts))
            }
        }
    }
}

/// The bits that belong to a scalar.
pub(super) const fn cut(scalar: Scalar, bits: u64) -> u64 {
    match scalar.bits() {
        1 => (bits != 0) as u64,
        32 => bits as u32 as u64,
        _ => bits,
    }
}
