//! The loops around a kernel's code: tiles or rows, strips of lanes; and the position of the code
//! in the domain.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::Builtin;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::comp::Comp;
use super::current::CurrentParts;
use super::state::{Formed, Vectorizer};
use crate::lanes::{ArenaPart, ArgumentWord, Effect, Elem, LaneBuilder, LaneType, LaneValue};

/// The position of the code being written.
#[derive(Clone, Debug, Default)]
pub(super) struct CodePosition {
    /// The thread's position in the domain, and in the tile.
    pub(super) global: Vec<Comp>,
    pub(super) local: Vec<Comp>,
    /// The tile's position, and that of its first thread.
    pub(super) tile: Vec<LaneValue>,
    pub(super) origin: Vec<LaneValue>,
    /// The number of the strip in the tile, an `i64` scalar; 0 where strips keep nothing.
    pub(super) strip: Option<LaneValue>,
    /// Bytes of private memory of a strip.
    pub(super) private: u64,
    /// The byte offset of each `tile_static` variable.
    pub(super) tile_vars: Vec<u64>,
}

/// Rows and strips of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strips {
    pub(super) rows: u32,
    pub(super) strips: u32,
    /// Threads per row.
    pub(super) row: u32,
}

impl Strips {
    pub(super) fn of(tile: &[u32], width: u32) -> Strips {
        let row = tile.last().copied().unwrap_or(1).max(1);
        let rows = tile[..tile.len().saturating_sub(1)].iter().product();
        Strips { rows, strips: row.div_ceil(width), row }
    }

    /// The number of strips of a tile.
    pub(super) const fn all(self) -> u32 {
        self.rows * self.strips
    }
}

/// A loop over numbers whose body is being written.
enum OpenNumbers {
    /// It has one iteration, which needs no loop.
    Once,
    Loop {
        /// The number, then the loop-carried values: in the body, and initially.
        params: Vec<LaneValue>,
        init: Vec<LaneValue>,
        to: LaneValue,
        by: u32,
    },
}

/// The loops over the rows and the strips of a tile, whose body is being written.
pub(super) struct StripLoops {
    rows: OpenNumbers,
    strips: OpenNumbers,
}

impl Vectorizer<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin) -> Comp {
        let d = builtin.dimension() as usize;
        let value = match builtin {
            Builtin::Global(_) => return self.here.global[d],
            Builtin::Local(_) => return self.here.local[d],
            Builtin::Tile(_) => self.here.tile[d],
            Builtin::TileOrigin(_) => self.here.origin[d],
            Builtin::DomainExtent(_) => self.b.input(ArgumentWord::DomainExtent(d as u32)),
            Builtin::TileExtent(_) => self.b.constant(Elem::I32, u64::from(self.tile_extent(d))),
            Builtin::TileCount(_) => self.tile_count(d),
        };
        Comp::Plain(value)
    }

    fn tile_extent(&self, d: usize) -> u32 {
        self.input.kernel.tile().and_then(|tile| tile.get(d).copied()).unwrap_or(1).max(1)
    }

    fn tile_count(&mut self, d: usize) -> LaneValue {
        let extent = self.b.input(ArgumentWord::DomainExtent(d as u32));
        let tile = self.b.constant(Elem::I32, u64::from(self.tile_extent(d)));
        self.b.op(Op::Div, Scalar::U32, &[extent, tile])
    }

    /// The byte offset of this strip's private memory from the tile's.
    pub(super) fn private_offset(&mut self) -> LaneValue {
        match self.here.strip {
            Some(strip) => {
                let bytes = self.b.number(self.here.private as i64);
                self.b.op(Op::Mul, Scalar::I64, &[strip, bytes])
            }
            None => self.b.number(0),
        }
    }

    /// A loop over `i64` numbers from `from` while below `to`, which holds initially. `carried` are
    /// the loop-carried values.
    pub(super) fn counted(
        &mut self,
        from: LaneValue,
        to: LaneValue,
        by: u32,
        carried: Vec<LaneValue>,
        body: impl FnOnce(&mut Self, LaneValue, Vec<LaneValue>) -> Formed<Vec<LaneValue>>,
    ) -> Formed<Vec<LaneValue>> {
        let (open, number, carried) = self.open_counted(from, to, by, carried);
        let results = body(self, number, carried)?;
        Ok(self.close_counted(open, results))
    }

    /// Begins such a loop. Returns its number and the loop-carried values in its body.
    fn open_counted(
        &mut self,
        from: LaneValue,
        to: LaneValue,
        by: u32,
        carried: Vec<LaneValue>,
    ) -> (OpenNumbers, LaneValue, Vec<LaneValue>) {
        if let (Some(first), Some(end)) = (self.b.number_of(from), self.b.number_of(to))
            && first + i64::from(by) >= end
        {
            return (OpenNumbers::Once, from, carried);
        }
        let mut types = vec![LaneType::Scalar(Elem::I64)];
        types.extend(carried.iter().map(|&value| self.b.ty(value)));
        let mut init = vec![from];
        init.extend(carried);
        let params = self.b.open_loop(&types);
        let (number, carried) = (params[0], params[1..].to_vec());
        (OpenNumbers::Loop { params, init, to, by }, number, carried)
    }

    /// Ends such a loop, whose body has these results. Returns those of its last iteration.
    fn close_counted(&mut self, open: OpenNumbers, mut results: Vec<LaneValue>) -> Vec<LaneValue> {
        let OpenNumbers::Loop { params, init, to, by } = open else { return results };
        let step = self.b.number(by.into());
        let next = self.b.op(Op::Add, Scalar::I64, &[params[0], step]);
        let again = self.b.op(Op::Lt, Scalar::I64, &[next, to]);
        results.insert(0, next);
        let block = self.b.close(results);
        self.b.repeat(params, init, block, again).split_off(1)
    }

    /// Writes an untiled kernel.
    pub(super) fn untiled(&mut self) -> Formed {
        let [row, row_end, x, x_end] = self.b.given();
        let rank = if self.input.key.flat { 1 } else { self.input.kernel.rank() };
        let body = |s: &mut Self, row: LaneValue| {
            let outer = s.position(row, 0..rank as usize - 1, &|s, d| s.b.input(ArgumentWord::DomainExtent(d as u32)));
            let width = s.b.width();
            s.counted(x, x_end, width, Vec::new(), |s, x, _| {
                let base = s.b.narrow(x);
                s.here.global = outer.iter().map(|&at| Comp::Plain(at)).collect();
                s.here.global.push(along(&s.b, base, (0, i64::from(i32::MAX) - 1)));
                s.threads()?;
                Ok(Vec::new())
            })
        };
        if rank == 1 {
            body(self, row)?;
        } else {
            self.counted(row, row_end, 1, Vec::new(), |s, row, _| body(s, row))?;
        }
        Ok(())
    }

    /// Writes the kernel's body for the threads of a strip.
    fn threads(&mut self) -> Formed {
        self.parts = CurrentParts::unknown(self.added);
        self.exits.ended = self.add_part(Elem::Bool);
        self.exits.inert = self.add_part(Elem::Bool);
        let body = self.input.function.body();
        self.block(body)?;
        self.active = None;
        Ok(())
    }

    /// The components of a linear number over the given dimensions, the last of which varies
    /// fastest.
    fn position(
        &mut self,
        linear: LaneValue,
        dims: std::ops::Range<usize>,
        size: &dyn Fn(&mut Self, usize) -> LaneValue,
    ) -> Vec<LaneValue> {
        let mut rest = self.b.op(Op::ToU32, Scalar::I64, &[linear]);
        let mut found = Vec::new();
        // The slowest dimension that is longer than one takes what is left, undivided.
        let mut first = dims.start;
        while first + 1 < dims.end && {
            let n = size(self, first);
            self.b.constant_of(n) == Some(1)
        } {
            first += 1;
        }
        for d in dims.clone().rev() {
            if d < first {
                found.push(self.b.constant(Elem::I32, 0));
                continue;
            }
            if d == first {
                found.push(rest);
                continue;
            }
            let n = size(self, d);
            let above = self.b.op(Op::Div, Scalar::U32, &[rest, n]);
            let whole = self.b.op(Op::Mul, Scalar::U32, &[above, n]);
            found.push(self.b.op(Op::Sub, Scalar::U32, &[rest, whole]));
            rest = above;
        }
        found.reverse();
        found
    }

    /// The loop over the tiles of a tiled kernel.
    pub(super) fn tiled(&mut self, cleared: &[bool]) -> Formed {
        let [first, end, ..] = self.b.given();
        let dims = 0..self.input.kernel.rank() as usize;
        // Counted on from tile to tile: a small tile takes no longer than the quotients of its number.
        let carried = if dims.len() > 1 { self.position(first, dims.clone(), &Self::tile_count) } else { Vec::new() };
        self.counted(first, end, 1, carried, |s, number, carried| {
            s.here.tile =
                if carried.is_empty() { s.position(number, dims.clone(), &Self::tile_count) } else { carried.clone() };
            s.here.origin = dims
                .clone()
                .map(|d| {
                    let extent = s.b.constant(Elem::I32, u64::from(s.tile_extent(d)));
                    let at = s.here.tile[d];
                    s.b.op(Op::Mul, Scalar::I32, &[at, extent])
                })
                .collect();
            for (i, var) in s.input.kernel.tile_vars().iter().enumerate().filter(|(i, _)| cleared[*i]) {
                let part = s.arena(ArenaPart::TileStatic);
                let at = s.b.number(s.here.tile_vars[i] as i64);
                let from = s.b.op(Op::Add, Scalar::I64, &[part, at]);
                // Up to the next variable, which begins at a multiple of 64 bytes.
                let bytes = s.input.context.types.size(var.ty).next_multiple_of(16);
                if !fault::planted(Fault::TileMemoryOfTileBefore) {
                    s.b.effect(Effect::Clear { from, bytes });
                }
            }
            if s.input.regions.any() {
                s.tile(number)?;
            } else {
                let (open, _) = s.open_strips(Vec::new());
                s.threads()?;
                s.close_strips(open, Vec::new());
            }
            Ok(s.next_tile(&carried))
        })?;
        Ok(())
    }

    /// The position of the tile after the one at this position.
    fn next_tile(&mut self, tile: &[LaneValue]) -> Vec<LaneValue> {
        let [zero, one] = [0, 1].map(|n| self.b.constant(Elem::I32, n));
        let mut step = one;
        let mut next = Vec::new();
        for (d, &at) in tile.iter().enumerate().rev() {
            let behind = self.b.op(Op::Add, Scalar::I32, &[at, step]);
            if d == 0 {
                next.push(behind);
                continue;
            }
            let count = self.tile_count(d);
            let is_end = self.b.op(Op::Eq, Scalar::I32, &[behind, count]);
            next.push(self.b.select(is_end, zero, behind));
            step = self.b.select(is_end, one, zero);
        }
        next.reverse();
        next
    }

    /// Begins the loop over the strips of a tile, row by row. Lanes beyond the end of a row are inactive.
    /// Returns the loop-carried values in its body.
    pub(super) fn open_strips(&mut self, carried: Vec<LaneValue>) -> (StripLoops, Vec<LaneValue>) {
        let tile: Vec<u32> = self.input.kernel.tile().unwrap_or(&[]).to_vec();
        let width = self.b.width();
        let strips = Strips::of(&tile, width);
        let zero = self.b.number(0);
        let all = if self.tile.one_strip { (1, width) } else { (strips.rows, strips.strips * width) };
        let (rows_end, strips_end) = (self.b.number(all.0.into()), self.b.number(all.1.into()));
        let (rows, row, carried) = self.open_counted(zero, rows_end, 1, carried);
        let outer = self.position(row, 0..tile.len() - 1, &|s, d| s.b.constant(Elem::I32, tile[d].into()));
        let (loop_over_strips, x, carried) = self.open_counted(zero, strips_end, width, carried);
        let base = self.b.narrow(x);
        let past = i64::from(strips.strips * width);
        self.here.local = outer.iter().map(|&at| Comp::Plain(at)).collect();
        self.here.local.push(along(&self.b, base, (0, past - 1)));
        // Lanes beyond a row's end may exceed the range of numbers.
        let is_whole = strips.row.is_multiple_of(width);
        let bounds = [is_whole.then_some((0, i64::from(i32::MAX) - past)), None];
        let add = |d: usize| {
            let args = [Comp::Plain(self.here.origin[d]), self.here.local[d]];
            self.each(Op::Add, Scalar::I32, &args, &bounds)
        };
        self.here.global = (0..tile.len()).map(add).collect();
        if self.here.private > 0 || self.here.strip.is_some() {
            let in_row = self.b.number(i64::from(strips.strips));
            let before = self.b.op(Op::Mul, Scalar::I64, &[row, in_row]);
            let before = if fault::planted(Fault::StripOfRowBefore) { self.b.number(0) } else { before };
            let shift = self.b.constant(Elem::I32, u64::from(width.trailing_zeros()));
            let in_this = self.b.op(Op::Shr, Scalar::I64, &[x, shift]);
            self.here.strip = self.here.strip.map(|_| self.b.op(Op::Add, Scalar::I64, &[before, in_this]));
        }
        self.active = (!is_whole).then(|| {
            let more = i64::from(fault::planted(Fault::TileRowEndOneMore));
            let row = self.b.number(i64::from(strips.row) + more);
            let left = self.b.op(Op::Sub, Scalar::I64, &[row, x]);
            self.b.first_lanes(left)
        });
        (StripLoops { rows, strips: loop_over_strips }, carried)
    }

    /// Ends the loop over strips, whose body has these results. Returns those of its last iteration.
    pub(super) fn close_strips(&mut self, open: StripLoops, results: Vec<LaneValue>) -> Vec<LaneValue> {
        self.active = None;
        let results = self.close_counted(open.strips, results);
        self.close_counted(open.rows, results)
    }
}

/// A value that increases by one from lane to lane.
fn along(b: &LaneBuilder, base: LaneValue, exact: (i64, i64)) -> Comp {
    if b.width() == 1 { Comp::Plain(base) } else { Comp::Affine { base, step: 1, exact: Some(exact) } }
}
