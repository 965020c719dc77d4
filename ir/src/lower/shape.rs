//! Built-in functions of indices, extents, tiles and views.

use super::state::{Lower, Way};
use super::value::{Held, Value};
use super::{Builtin, Ty};
use crate::kernel::{Const, InstKind, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Access, Data, Scalar};

/// One of these functions.
pub(super) fn builtin(lower: &mut Lower, builtin: &Builtin, args: Vec<Value>, pos: Pos) -> Way<Value> {
    match builtin {
        Builtin::ToIndex(rank) => lower.with_rank(Ty::Index(*rank), args, pos),
        Builtin::ToExtent(rank) => lower.with_rank(Ty::Extent(*rank), args, pos),
        Builtin::ToArray => {
            let [value] = lower.exactly(args, pos)?;
            if let Some(data) = value.ty.data() {
                return lower.vector_to_array(&value, data, pos);
            }
            let rank = value.ty.count() as u32;
            let numbers = lower.components(&value, rank, pos)?;
            Ok(lower.of_numbers(Ty::Array(Ty::scalar(Scalar::I32).into(), rank), numbers))
        }
        Builtin::ExtentSize => lower.extent_size(args, pos),
        Builtin::ExtentContains => lower.extent_contains(args, pos),
        Builtin::Tile(dims) => lower.with_rank(Ty::TiledExtent(dims.clone()), args, pos),
        Builtin::TiledExtentWhole => {
            let [tiled] = lower.exactly(args, pos)?;
            let rank = tiled.ty.count() as u32;
            lower.with_rank(Ty::Extent(rank), vec![tiled], pos)
        }
        Builtin::TileExtent => {
            let [tiled] = lower.exactly(args, pos)?;
            let (Ty::TiledExtent(dims) | Ty::TiledIndex(dims)) = tiled.ty else {
                return lower.broken(format!("the tile of `{}`", tiled.ty.show()), pos);
            };
            let numbers: Vec<ValueId> = dims.iter().map(|&n| lower.i32(n as i32)).collect();
            Ok(lower.of_numbers(Ty::Extent(dims.len() as u32), numbers))
        }
        Builtin::Pad => lower.rounded(args, true, pos),
        Builtin::Truncate => lower.rounded(args, false, pos),
        Builtin::TiledIndexFromParts(dims) => lower.tiled_index(dims, args, pos),
        Builtin::ViewExtent => {
            let [view] = lower.exactly(args, pos)?;
            let (id, rank) = lower.view(&view, pos)?;
            let numbers = lower.extents(id, rank, pos)?;
            Ok(lower.of_numbers(Ty::Extent(rank), numbers))
        }
        Builtin::Section | Builtin::SectionFrom | Builtin::SectionTo => lower.section(builtin, args, pos),
        Builtin::Project => {
            let [view, index] = lower.exactly(args, pos)?;
            let (id, _) = lower.view(&view, pos)?;
            let index = lower.components(&index, 1, pos)?;
            lower.project(&view.ty, id, index[0], pos)
        }
        Builtin::Reinterpret(element) => lower.reinterpret(element, args, pos),
        Builtin::ViewAs(rank) => {
            let [view, extent] = lower.exactly(args, pos)?;
            let (id, _) = lower.view(&view, pos)?;
            let extent = lower.components(&extent, *rank, pos)?;
            let ty = of_rank(&view.ty, *rank);
            let id = lower.inst(InstKind::ViewAs { view: id, extent }, pos)?;
            Ok(Value::one(ty, id))
        }
        Builtin::AsReadOnly => {
            let [view] = lower.exactly(args, pos)?;
            lower.view(&view, pos)?;
            let Ty::View { element, rank, .. } = &view.ty else { return Ok(view) };
            Ok(view.as_type(Ty::View { element: element.clone(), rank: *rank, access: Access::Read }))
        }
        _ => lower.broken("a built-in function that is not one of values", pos),
    }
}

/// The view's type with another rank.
fn of_rank(ty: &Ty, rank: u32) -> Ty {
    match ty {
        Ty::View { element, access, .. } => Ty::View { element: element.clone(), rank, access: *access },
        other => other.clone(),
    }
}

impl Lower {
    fn view(&mut self, value: &Value, pos: Pos) -> Way<(ValueId, u32)> {
        match (&value.ty, &value.held) {
            (Ty::View { rank, .. }, Held::One(id)) => Ok((*id, *rank)),
            _ => self.broken(format!("`{}` where a view is needed", value.ty.show()), pos),
        }
    }

    fn extents(&mut self, view: ValueId, rank: u32, pos: Pos) -> Way<Vec<ValueId>> {
        (0..rank).map(|dimension| self.inst(InstKind::ViewExtent { view, dimension }, pos)).collect()
    }

    fn vector_to_array(&mut self, vector: &Value, data: Data, pos: Pos) -> Way<Value> {
        let value = self.id(vector, pos)?;
        let ty = Ty::scalar(data.scalar);
        let mut parts = Vec::new();
        for i in 0..data.width {
            let id = match data.width {
                1 => value,
                _ => self.inst(InstKind::Swizzle { value, components: vec![i] }, pos)?,
            };
            parts.push(Value::one(ty.clone(), id));
        }
        Ok(Value::parts(Ty::Array(ty.into(), data.width.into()), parts))
    }

    fn with_rank(&mut self, ty: Ty, args: Vec<Value>, pos: Pos) -> Way<Value> {
        let [value] = self.exactly(args, pos)?;
        if let Err(why) = super::types::sound(&ty) {
            return self.unsound(why, pos);
        }
        let numbers = self.components(&value, ty.count() as u32, pos)?;
        Ok(self.of_numbers(ty, numbers))
    }

    /// The product of the components, wrapping.
    fn extent_size(&mut self, args: Vec<Value>, pos: Pos) -> Way<Value> {
        let [extent] = self.exactly(args, pos)?;
        let numbers = self.components(&extent, extent.ty.count() as u32, pos)?;
        let mut product = None;
        for number in numbers {
            product = Some(match product {
                Some(product) => self.op(Op::Mul, &[product, number], pos)?,
                None => number,
            });
        }
        let product = product.unwrap_or_else(|| self.i32(1));
        let size = self.convert(product, Scalar::U32, pos)?;
        Ok(Value::one(Ty::Data(Data::U32), size))
    }

    fn extent_contains(&mut self, args: Vec<Value>, pos: Pos) -> Way<Value> {
        let [extent, index] = self.exactly(args, pos)?;
        let rank = extent.ty.count() as u32;
        let extents = self.components(&extent, rank, pos)?;
        let index = self.components(&index, rank, pos)?;
        let zero = self.i32(0);
        let mut inside = self.b.constant(Const::bool(true));
        for (n, (extent, at)) in extents.into_iter().zip(index).enumerate() {
            let low = self.op(Op::Ge, &[at, zero], pos)?;
            let high = self.op(Op::Lt, &[at, extent], pos)?;
            let both = self.op(Op::And, &[low, high], pos)?;
            inside = if n == 0 { both } else { self.op(Op::And, &[inside, both], pos)? };
        }
        Ok(Value::one(Ty::Data(Data::BOOL), inside))
    }

    /// Each component rounded to a multiple of its tile, up or down.
    fn rounded(&mut self, args: Vec<Value>, up: bool, pos: Pos) -> Way<Value> {
        let [tiled] = self.exactly(args, pos)?;
        let Ty::TiledExtent(dims) = tiled.ty.clone() else {
            return self.broken(format!("the tile of `{}`", tiled.ty.show()), pos);
        };
        let mut numbers = self.components(&tiled, dims.len() as u32, pos)?;
        for (number, &dim) in numbers.iter_mut().zip(&dims) {
            let tile = self.i32(dim as i32);
            if up {
                let more = self.i32((dim as i32).wrapping_sub(1));
                *number = self.op(Op::Add, &[*number, more], pos)?;
            }
            let tiles = self.op(Op::Div, &[*number, tile], pos)?;
            *number = self.op(Op::Mul, &[tiles, tile], pos)?;
        }
        Ok(self.of_numbers(tiled.ty, numbers))
    }

    fn tiled_index(&mut self, dims: &[u32], args: Vec<Value>, pos: Pos) -> Way<Value> {
        let parts: [Value; 5] = self.exactly(args, pos)?;
        let ty = Ty::TiledIndex(dims.to_vec());
        if let Err(why) = super::types::sound(&ty) {
            return self.unsound(why, pos);
        }
        let mut held = Vec::new();
        for part in &parts[..4] {
            held.push(self.with_rank(Ty::Index(dims.len() as u32), vec![part.clone()], pos)?);
        }
        held.push(Value::nothing(&Ty::Barrier));
        Ok(Value::parts(ty, held))
    }

    fn section(&mut self, which: &Builtin, args: Vec<Value>, pos: Pos) -> Way<Value> {
        let Some((view, given)) = args.split_first() else { return self.broken("a section of nothing", pos) };
        let (id, rank) = self.view(view, pos)?;
        let (origin, extent) = match (which, given) {
            (Builtin::Section, [origin, extent]) => {
                (self.components(origin, rank, pos)?, self.components(extent, rank, pos)?)
            }
            (Builtin::SectionFrom, [origin]) => {
                let origin = self.components(origin, rank, pos)?;
                let whole = self.extents(id, rank, pos)?;
                let rest = whole.iter().zip(&origin).map(|(&whole, &origin)| self.op(Op::Sub, &[whole, origin], pos));
                let rest = rest.collect::<Way<Vec<_>>>()?;
                (origin, rest)
            }
            (Builtin::SectionTo, [extent]) => {
                let zero = self.i32(0);
                (vec![zero; rank as usize], self.components(extent, rank, pos)?)
            }
            _ => return self.broken("a section with other arguments", pos),
        };
        let section = self.inst(InstKind::Section { view: id, origin, extent }, pos)?;
        Ok(Value::one(view.ty.clone(), section))
    }

    fn reinterpret(&mut self, element: &Ty, args: Vec<Value>, pos: Pos) -> Way<Value> {
        let [view] = self.exactly(args, pos)?;
        let (id, rank) = self.view(&view, pos)?;
        if let Err(why) = super::types::sound(element) {
            return self.unsound(why, pos);
        }
        let Some(memory) = super::memory(self.b.types(), element) else {
            return self.broken(format!("elements of type `{}`", element.show()), pos);
        };
        let id = self.inst(InstKind::Reinterpret { view: id, element: memory }, pos)?;
        let access = if let Ty::View { access, .. } = view.ty { access } else { Access::Read };
        Ok(Value::one(Ty::View { element: element.clone().into(), rank, access }, id))
    }
}
