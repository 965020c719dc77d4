//! Values and their parts: taking apart, putting together, zeros and constants.

use super::state::{Lower, Way};
use super::value::{At, Held, Spot, Value};
use super::{Constant, Ty};
use crate::kernel::{Builtin, Const, InstKind, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Data, Scalar};

impl Lower {
    /// The one value that something is held in: a number, a vector, a view.
    pub(super) fn id(&mut self, value: &Value, pos: Pos) -> Way<ValueId> {
        match &value.held {
            Held::One(id) => Ok(*id),
            Held::Kept(place) if value.ty.data().is_some() => {
                let loaded = self.load_place(place, &value.ty, pos)?;
                self.id(&loaded, pos)
            }
            _ => self.broken(format!("`{}` where a number is needed", value.ty.show()), pos),
        }
    }

    /// Part `i` of a value.
    pub(super) fn part(&mut self, value: &Value, i: usize, pos: Pos) -> Way<Value> {
        let Some(ty) = value.ty.part(i) else {
            return self.broken(format!("`{}` has no part {i}", value.ty.show()), pos);
        };
        match &value.held {
            Held::Nothing => Ok(Value::nothing(&ty)),
            Held::Parts(parts) => match parts.get(i) {
                Some(part) => Ok(part.clone()),
                None => self.broken("a value without that part", pos),
            },
            Held::Repeat(element) => Ok(Value::clone(element)),
            Held::Kept(place) => {
                let whole = Spot { ty: value.ty.clone(), at: At::Memory(place.clone()) };
                let part = self.sub(&whole, i, pos)?;
                match &part.at {
                    At::Memory(place) if ty.data().is_none() => Ok(Value { ty, held: Held::Kept(place.clone()) }),
                    _ => self.load(&part, pos),
                }
            }
            Held::Thread(kind) => {
                let id = self.inst(InstKind::Builtin(kind(i as u32)), pos)?;
                Ok(Value::one(ty, id))
            }
            Held::TiledThread => {
                let kind = [Builtin::Global as fn(u32) -> Builtin, Builtin::Local, Builtin::Tile, Builtin::TileOrigin];
                Ok(match kind.get(i) {
                    Some(kind) => Value { ty, held: Held::Thread(*kind) },
                    None => Value::nothing(&ty),
                })
            }
            Held::One(_) | Held::Place(_) => self.broken(format!("a part of `{}`", value.ty.show()), pos),
        }
    }

    /// The same value part by part.
    pub(super) fn spread(&mut self, value: &Value, pos: Pos) -> Way<Value> {
        if matches!(value.held, Held::Parts(_)) {
            return Ok(value.clone());
        }
        let count = value.ty.count();
        self.spend(count as u64, pos)?;
        let parts = (0..count).map(|i| self.part(value, i, pos)).collect::<Way<Vec<_>>>()?;
        Ok(Value::parts(value.ty.clone(), parts))
    }

    /// The numbers of an index, whatever it is given as: an integer, a tuple, an array, an index.
    pub(super) fn numbers(&mut self, value: &Value, out: &mut Vec<ValueId>, pos: Pos) -> Way<()> {
        match &value.ty {
            Ty::TiledIndex(_) => {
                let global = self.part(value, 0, pos)?;
                self.numbers(&global, out, pos)
            }
            Ty::Tuple(_) | Ty::Array(..) | Ty::Index(_) | Ty::Extent(_) | Ty::TiledExtent(_) => {
                if value.ty.count() > crate::limits::MAX_RANK as usize {
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

    /// The numbers of an index as `i32`s, which must be so many.
    pub(super) fn components(&mut self, value: &Value, count: u32, pos: Pos) -> Way<Vec<ValueId>> {
        let mut numbers = Vec::new();
        self.numbers(value, &mut numbers, pos)?;
        if numbers.len() != count as usize {
            return self.broken(format!("{} components where {count} are needed", numbers.len()), pos);
        }
        numbers.into_iter().map(|number| self.number_i32(number, pos)).collect()
    }

    /// An `i32` or `u32` of what an index is. Beyond these types it is out of range, and stays so.
    pub(super) fn index_number(&mut self, number: ValueId, pos: Pos) -> Way<ValueId> {
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

    /// An `i32` of what an index is; what lies beyond is negative or the largest.
    pub(super) fn number_i32(&mut self, number: ValueId, pos: Pos) -> Way<ValueId> {
        let number = self.index_number(number, pos)?;
        match self.b.value_type(number).data() {
            Some(Data::U32) => self.op(Op::ToI32, &[number], pos),
            _ => Ok(number),
        }
    }

    /// An index or extent out of numbers.
    pub(super) fn of_numbers(&self, ty: Ty, numbers: impl IntoIterator<Item = ValueId>) -> Value {
        Value::parts(ty, numbers.into_iter().map(|id| Value::one(Ty::scalar(Scalar::I32), id)))
    }

    /// Zero in every part.
    pub(super) fn zero(&mut self, ty: &Ty, pos: Pos) -> Way<Value> {
        if let Some(Data { scalar, width }) = ty.data() {
            let zero = self.b.constant(Const { scalar, bits: 0 });
            let zero = if width > 1 { self.inst(InstKind::Splat { value: zero, width }, pos)? } else { zero };
            return Ok(Value::one(ty.clone(), zero));
        }
        match ty {
            Ty::Array(element, _) => {
                let element = self.zero(element, pos)?;
                Ok(Value { ty: ty.clone(), held: Held::Repeat(element.into()) })
            }
            Ty::View { .. } | Ty::Atomic(_) | Ty::TileStatic(_) => self.broken(format!("a zero `{}`", ty.show()), pos),
            _ if ty.count() == 0 => Ok(Value::nothing(ty)),
            _ => {
                let parts = (0..ty.count()).filter_map(|i| ty.part(i)).collect::<Vec<_>>();
                let parts = parts.iter().map(|part| self.zero(part, pos)).collect::<Way<Vec<_>>>()?;
                Ok(Value::parts(ty.clone(), parts))
            }
        }
    }

    /// The value of a constant. An array becomes a table.
    pub(super) fn constant_value(&mut self, constant: &Constant, pos: Pos) -> Way<Value> {
        if constant.ty.leaves() != constant.leaves.len() as u64 {
            let (found, wanted) = (constant.leaves.len(), constant.ty.leaves());
            return self.broken(format!("a constant `{}` of {found} numbers, not {wanted}", constant.ty.show()), pos);
        }
        self.of_leaves(&constant.ty, &mut &constant.leaves[..], pos)
    }

    fn of_leaves(&mut self, ty: &Ty, leaves: &mut &[u64], pos: Pos) -> Way<Value> {
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
                [one] => Ok(Value::one(ty.clone(), one)),
                _ => {
                    let id = self.inst(InstKind::Compose(numbers), pos)?;
                    Ok(Value::one(ty.clone(), id))
                }
            };
        }
        match ty {
            Ty::Array(element, _) if element.in_memory() => {
                let leaves = take(ty.leaves() as usize).to_vec();
                self.table(ty, leaves, pos)
            }
            Ty::Array(..) => Ok(Value::nothing(ty)),
            Ty::View { .. } | Ty::Atomic(_) | Ty::TileStatic(_) => self.broken("a constant that is no data", pos),
            _ if ty.count() == 0 => Ok(Value::nothing(ty)),
            _ => {
                let mut parts = Vec::new();
                for part in (0..ty.count()).filter_map(|i| ty.part(i)) {
                    parts.push(self.of_leaves(&part, leaves, pos)?);
                }
                Ok(Value::parts(ty.clone(), parts))
            }
        }
    }
}

/// The bits that a scalar has.
pub(super) const fn cut(scalar: Scalar, bits: u64) -> u64 {
    match scalar.bits() {
        1 => (bits != 0) as u64,
        32 => bits as u32 as u64,
        _ => bits,
    }
}
