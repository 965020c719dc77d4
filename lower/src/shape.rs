//! Built-in functions of indices, extents, tiles and views.

use super::state::{Lower, OrNoValue};
use super::value::{HeldAs, LoweredValue};
use super::{RustBuiltin, RustType};
use tilewise_ir::kernel::{Const, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Data, Scalar};

/// Calls one of these functions.
pub(super) fn builtin(
    lower: &mut Lower,
    builtin: &RustBuiltin,
    args: Vec<LoweredValue>,
    pos: Pos,
) -> OrNoValue<LoweredValue> {
    match builtin {
        RustBuiltin::ToIndex(rank) => lower.with_rank(RustType::Index(*rank), args, pos),
        RustBuiltin::ToExtent(rank) => lower.with_rank(RustType::Extent(*rank), args, pos),
        RustBuiltin::ToArray => {
            let [value] = lower.exactly(args, pos)?;
            if let Some(data) = value.ty.data() {
                return lower.vector_to_array(&value, data, pos);
            }
            let rank = value.ty.count() as u32;
            let numbers = lower.components(&value, rank, pos)?;
            Ok(lower.of_numbers(RustType::Array(RustType::scalar(Scalar::I32).into(), rank), numbers))
        }
        RustBuiltin::ExtentSize => lower.extent_size(args, pos),
        RustBuiltin::ExtentContains => lower.extent_contains(args, pos),
        RustBuiltin::Tile(dims) => lower.with_rank(RustType::TiledExtent(dims.clone()), args, pos),
        RustBuiltin::TiledExtentWhole => {
            let [tiled] = lower.exactly(args, pos)?;
            let rank = tiled.ty.count() as u32;
            lower.with_rank(RustType::Extent(rank), vec![tiled], pos)
        }
        RustBuiltin::TileExtent => {
            let [tiled] = lower.exactly(args, pos)?;
            let (RustType::TiledExtent(dims) | RustType::TiledIndex(dims)) = tiled.ty else {
                return lower.broken(format!("the tile of `{}`", tiled.ty.show()), pos);
            };
            let numbers: Vec<ValueId> = dims.iter().map(|&n| lower.i32(n as i32)).collect();
            Ok(lower.of_numbers(RustType::Extent(dims.len() as u32), numbers))
        }
        RustBuiltin::Pad => lower.rounded(args, true, pos),
        RustBuiltin::Truncate => lower.rounded(args, false, pos),
        RustBuiltin::TiledIndexFromParts(dims) => lower.tiled_index(dims, args, pos),
        RustBuiltin::ViewExtent => {
            let [view] = lower.exactly(args, pos)?;
            let (id, rank) = lower.view(&view, pos)?;
            let numbers = lower.extents(id, rank, pos)?;
            Ok(lower.of_numbers(RustType::Extent(rank), numbers))
        }
        RustBuiltin::Section | RustBuiltin::SectionFrom | RustBuiltin::SectionTo => lower.section(builtin, args, pos),
        RustBuiltin::Project => {
            let [view, index] = lower.exactly(args, pos)?;
            let (id, _) = lower.view(&view, pos)?;
            let index = lower.components(&index, 1, pos)?;
            lower.project(&view.ty, id, index[0], pos)
        }
        RustBuiltin::Reinterpret(element) => lower.reinterpret(element, args, pos),
        RustBuiltin::ViewAs(rank) => {
            let [view, extent] = lower.exactly(args, pos)?;
            let (id, _) = lower.view(&view, pos)?;
            let extent = lower.components(&extent, *rank, pos)?;
            let ty = of_rank(&view.ty, *rank);
            let id = lower.inst(InstKind::ViewAs { view: id, extent }, pos)?;
            Ok(LoweredValue::one(ty, id))
        }
        RustBuiltin::AsReadOnly => {
            let [view] = lower.exactly(args, pos)?;
            lower.view(&view, pos)?;
            let RustType::View { element, rank, .. } = &view.ty else { return Ok(view) };
            Ok(view.as_type(RustType::View { element: element.clone(), rank: *rank, access: Access::Read }))
        }
        _ => lower.broken("a built-in function that is not one of values", pos),
    }
}

/// The view's type with another rank.
fn of_rank(ty: &RustType, rank: u32) -> RustType {
    match ty {
        RustType::View { element, access, .. } => RustType::View { element: element.clone(), rank, access: *access },
        other => other.clone(),
    }
}

impl Lower {
    fn view(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<(ValueId, u32)> {
        match (&value.ty, &value.held) {
            (RustType::View { rank, .. }, HeldAs::One(id)) => Ok((*id, *rank)),
            _ => self.broken(format!("`{}` where a view is needed", value.ty.show()), pos),
        }
    }

    fn extents(&mut self, view: ValueId, rank: u32, pos: Pos) -> OrNoValue<Vec<ValueId>> {
        (0..rank).map(|dimension| self.inst(InstKind::ViewExtent { view, dimension }, pos)).collect()
    }

    fn vector_to_array(&mut self, vector: &LoweredValue, data: Data, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = self.id(vector, pos)?;
        let ty = RustType::scalar(data.scalar);
        let mut parts = Vec::new();
        for i in 0..data.width {
            let id = match data.width {
                1 => value,
                _ => self.inst(InstKind::Swizzle { value, components: vec![i] }, pos)?,
            };
            parts.push(LoweredValue::one(ty.clone(), id));
        }
        Ok(LoweredValue::parts(RustType::Array(ty.into(), data.width.into()), parts))
    }

    fn with_rank(&mut self, ty: RustType, args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
        let [value] = self.exactly(args, pos)?;
        if let Err(why) = super::types::sound(&ty) {
            return self.unsound(why, pos);
        }
        let numbers = self.components(&value, ty.count() as u32, pos)?;
        Ok(self.of_numbers(ty, numbers))
    }

    /// The product of the components, wrapping.
    fn extent_size(&mut self, args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
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
        Ok(LoweredValue::one(RustType::Data(Data::U32), size))
    }

    fn extent_contains(&mut self, args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
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
        Ok(LoweredValue::one(RustType::Data(Data::BOOL), inside))
    }

    /// Rounds each component to a multiple of its tile, up or down.
    fn rounded(&mut self, args: Vec<LoweredValue>, up: bool, pos: Pos) -> OrNoValue<LoweredValue> {
        let [tiled] = self.exactly(args, pos)?;
        let RustType::TiledExtent(dims) = tiled.ty.clone() else {
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

    fn tiled_index(&mut self, dims: &[u32], args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
        let parts: [LoweredValue; 5] = self.exactly(args, pos)?;
        let ty = RustType::TiledIndex(dims.to_vec());
        if let Err(why) = super::types::sound(&ty) {
            return self.unsound(why, pos);
        }
        let mut held = Vec::new();
        for part in &parts[..4] {
            held.push(self.with_rank(RustType::Index(dims.len() as u32), vec![part.clone()], pos)?);
        }
        held.push(LoweredValue::nothing(&RustType::Barrier));
        Ok(LoweredValue::parts(ty, held))
    }

    fn section(&mut self, which: &RustBuiltin, args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
        let Some((view, given)) = args.split_first() else { return self.broken("a section of nothing", pos) };
        let (id, rank) = self.view(view, pos)?;
        let (origin, extent) = match (which, given) {
            (RustBuiltin::Section, [origin, extent]) => {
                (self.components(origin, rank, pos)?, self.components(extent, rank, pos)?)
            }
            (RustBuiltin::SectionFrom, [origin]) => {
                let origin = self.components(origin, rank, pos)?;
                let whole = self.extents(id, rank, pos)?;
                let rest = whole.iter().zip(&origin).map(|(&whole, &origin)| self.op(Op::Sub, &[whole, origin], pos));
                let rest = rest.collect::<OrNoValue<Vec<_>>>()?;
                (origin, rest)
            }
            (RustBuiltin::SectionTo, [extent]) => {
                let zero = self.i32(0);
                (vec![zero; rank as usize], self.components(extent, rank, pos)?)
            }
            _ => return self.broken("a section with other arguments", pos),
        };
        let section = self.inst(InstKind::Section { view: id, origin, extent }, pos)?;
        Ok(LoweredValue::one(view.ty.clone(), section))
    }

    fn reinterpret(&mut self, element: &RustType, args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
        let [view] = self.exactly(args, pos)?;
        let (id, rank) = self.view(&view, pos)?;
        if let Err(why) = super::types::sound(element) {
            return self.unsound(why, pos);
        }
        let Some(memory) = super::memory(self.b.types(), element) else {
            return self.broken(format!("elements of type `{}`", element.show()), pos);
        };
        let id = self.inst(InstKind::Reinterpret { view: id, element: memory }, pos)?;
        let access = if let RustType::View { access, .. } = view.ty { access } else { Access::Read };
        Ok(LoweredValue::one(RustType::View { element: element.clone().into(), rank, access }, id))
    }
}
