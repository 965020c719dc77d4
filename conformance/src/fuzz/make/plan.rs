//! Plans the parameters of a launch and their memory.

use tilewise_ir::kernel::{ParamId, ParamKind, TableId, TileVarId};
use tilewise_ir::launch::{Argument, ViewArgument};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Field, Scalar, Stored, Struct, Type, TypeId, ViewType};

use super::super::case::Alias;
use super::super::data;
use super::super::rng::SeedRng;
use super::places::lowest_bit;
use super::shape::rank;
use super::sync::PermutationKind;
use super::{AtomicFamily, KernelMaker};

/// A parameter or other declaration that the kernel's body will use.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) what: PlanKind,
    /// The type of a view's element, or of the object.
    pub(super) ty: TypeId,
    /// Dimensions of a view; 0 for anything else.
    pub(super) rank: u32,
    pub(super) access: Access,
    pub(super) plan: MemoryPlan,
    /// Every element begins at a multiple of this.
    pub(super) align: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum PlanKind {
    Param(ParamId),
    Tile(TileVarId),
    Table(TableId),
}

/// Its use.
#[derive(Clone, Debug)]
pub(super) enum MemoryPlan {
    /// No thread writes it.
    Input,
    /// Used as a value.
    Value,
    Own(Map),
    Sum(AtomicFamily),
    /// Shared by the threads of a tile; the lengths of the arrays.
    Shared(Vec<u32>),
    /// An input that decides where threads may miss each other.
    Doubt,
}

/// The map from threads to their own elements.
#[derive(Clone, Debug)]
pub(super) enum Map {
    /// At the thread's position: for each dimension of the view that of the domain, and whether it
    /// is counted from the end.
    Position(Vec<(usize, bool)>),
    /// This many consecutive elements at a multiple of the thread's number; permuted.
    Blocks(u32, PermutationKind<u32>),
    /// This many, at a distance of the number of threads.
    Strided(u32),
    /// A row of this length in a view of rank 2.
    Rows(u32),
    /// A column of this length.
    Columns(u32),
}

impl Planned {
    /// The view type a function may take for it, and whether it may write.
    pub(super) fn for_function(&self) -> Option<(ViewType, bool)> {
        let view = ViewType { element: self.ty, rank: self.rank, access: self.access };
        match (self.what, &self.plan) {
            (PlanKind::Param(_), MemoryPlan::Input) if self.rank > 0 => Some((view, false)),
            (PlanKind::Param(_), MemoryPlan::Own(_)) if self.rank > 0 && self.access == Access::ReadWrite => {
                Some((view, true))
            }
            _ => None,
        }
    }
}

impl KernelMaker {
    /// Declares and binds everything; the body begins with it in the
    /// [prelude](KernelMaker::prelude).
    pub(super) fn plan(&mut self) -> Vec<Planned> {
        let mut planned = Vec::new();
        let words = self.b.types().scalar(Stored::U32);
        self.plan_own(&mut planned, "result", words, Map::Blocks(1, PermutationKind::Same));
        for _ in 0..self.rng.range(0, 3) {
            self.plan_input(&mut planned);
        }
        for _ in 0..self.rng.range(0, 3) {
            let ty = if self.rng.percent(65) {
                self.types[self.rng.below(self.types.len())]
            } else {
                let stored = self.rng.one([Stored::I32, Stored::U32, Stored::I64, Stored::U64, Stored::F32]);
                self.b.types().scalar(stored)
            };
            let map = self.draw_map();
            self.plan_own(&mut planned, "own", ty, map);
        }
        if self.percent_aside(12) {
            // Bytes that contain words, aligned and not.
            let byte = self.b.types().scalar(Stored::U8);
            let ty = self.b.types().natural_array(byte, Some(13));
            self.plan_own(&mut planned, "packed", ty, Map::Blocks(1, PermutationKind::Same));
        }
        if self.percent_aside(25) {
            // Rows so long that they are accessed in blocks.
            let stored = self.row_element();
            let (ty, length) = (self.b.types().scalar(stored), self.rng.range(16, 35) as u32);
            self.plan_own(&mut planned, "rows", ty, Map::Rows(length));
        }
        for _ in 0..self.rng.range(0, 2) {
            self.plan_sum(&mut planned);
        }
        for _ in 0..self.rng.range(0, 3) {
            self.plan_uniform(&mut planned);
        }
        if self.rng.percent(40) {
            self.plan_buffer(&mut planned);
        }
        if self.rng.percent(35) {
            self.plan_table(&mut planned);
        }
        if self.features.barriers {
            for _ in 0..self.rng.range(1, 3) {
                self.plan_shared(&mut planned);
            }
        }
        if self.features.may_miss {
            self.plan_doubt(&mut planned);
        }
        planned
    }

    pub(super) fn stride_of(&mut self, ty: TypeId) -> u32 {
        self.b.types().natural_stride(ty)
    }

    /// Extents, strides and an offset of a view in a new allocation of memory.
    pub(super) fn bind(&mut self, ty: TypeId, extent: &[i32], may_repeat: bool, inner: u64) -> ViewArgument {
        let size = u64::from(self.stride_of(ty));
        let mut strides = vec![inner; extent.len()];
        for d in (1..extent.len()).rev() {
            let pad = self.rng.one([0, 0, 0, 1, 3]);
            strides[d - 1] = strides[d] * extent[d].max(0) as u64 + pad;
        }
        if may_repeat && self.rng.percent(12) {
            let d = self.rng.below(strides.len());
            strides[d] = 0;
        }
        let offset = self.rng.one([0, 0, 0, 8, 16, 4, 1, 3]);
        let last: u64 = extent.iter().zip(&strides).map(|(&e, &s)| (e.max(1) as u64 - 1) * s).sum();
        let bytes = offset + (last + 1) * size * inner + self.rng.below(9) as u64;
        let poison = self.rng.bits() as u8;
        self.launch.memory.allocations.push(vec![poison; bytes as usize]);
        ViewArgument::new(self.launch.memory.allocations.len() - 1, offset, extent.to_vec(), strides)
    }

    /// Writes random elements to the memory that a view reaches.
    pub(super) fn fill_view(
        &mut self,
        ty: TypeId,
        view: &ViewArgument,
        leaf: &mut dyn FnMut(&mut SeedRng) -> Option<Vec<u8>>,
    ) {
        let size = u64::from(self.stride_of(ty));
        let mut index = vec![0i32; view.extent.len()];
        if view.extent.contains(&0) {
            return;
        }
        loop {
            let at: u64 = index.iter().zip(&view.strides).map(|(&i, &s)| i as u64 * s).sum();
            let at = view.offset + at * size;
            match leaf(&mut self.rng) {
                Some(bytes) => {
                    let at = at as usize;
                    if let Some(to) = self.launch.memory.allocations[view.allocation].get_mut(at..at + bytes.len()) {
                        to.copy_from_slice(&bytes);
                    }
                }
                None => data::fill(
                    &mut self.rng,
                    &mut self.launch.memory.allocations[view.allocation],
                    at,
                    self.b.so_far().types(),
                    ty,
                    true,
                ),
            }
            let Some(d) = (0..index.len()).rev().find(|&d| index[d] + 1 < view.extent[d]) else { return };
            index[d] += 1;
            index[d + 1..].fill(0);
        }
    }

    fn param(&mut self, name: &str, kind: ParamKind, argument: Argument) -> ParamId {
        self.launch.arguments.push(argument);
        self.b.param(name, kind, Pos::NONE)
    }

    pub(super) fn view_param(
        &mut self,
        name: &str,
        ty: TypeId,
        access: Access,
        view: ViewArgument,
    ) -> (PlanKind, u32, u32) {
        let rank = view.extent.len() as u32;
        let align = lowest_bit(self.stride_of(ty)).min(lowest_bit(view.offset as u32));
        let kind = ParamKind::View(ViewType { element: ty, rank, access });
        (PlanKind::Param(self.param(name, kind, Argument::View(view))), rank, align)
    }

    fn plan_input(&mut self, planned: &mut Vec<Planned>) {
        let ty = self.types[self.rng.below(self.types.len())];
        let rank = rank(&mut self.rng, 4) as usize;
        // The number of elements over all dimensions stays small.
        let longest = |d: usize| if d < 4 { 5 } else { i64::from(d < 8) + 1 };
        let extent: Vec<i32> =
            (0..rank).map(|d| self.rng.range(i64::from(self.rng.clone().percent(95)), longest(d)) as i32).collect();
        let extent = if rank == 1 { vec![self.rng.range(0, 20) as i32] } else { extent };
        // As large as the launch, or nearly: neighbours of a thread's position are mostly in range.
        let like = self.launch.shape.extent.clone();
        let extent = match self.rng.below(4) {
            0 => vec![(self.launch.shape.threads as i32 + self.rng.range(-3, 3) as i32).max(0)],
            1 if like.len() <= 4 || self.rng.percent(40) => like
                .into_iter()
                .zip(0..)
                .map(|(e, d)| if d < 4 { (e + self.rng.range(-1, 2) as i32).max(1) } else { e })
                .collect(),
            _ => extent,
        };
        let inner = self.rng.one([1, 1, 1, 2]);
        let view = self.bind(ty, &extent, true, inner);
        self.fill_view(ty, &view, &mut |_| None);
        let access = if self.rng.percent(70) { Access::Read } else { Access::ReadWrite };
        let again = self.rng.percent(30).then(|| view.clone());
        let (what, rank, align) = self.view_param("input", ty, access, view);
        planned.push(Planned { what, ty, rank, access, plan: MemoryPlan::Input, align });
        if let Some(mut view) = again {
            // The same bytes, under another type, from another byte on.
            let size = self.launch.memory.allocations[view.allocation].len() as u64;
            let ty = self.memory_type(1, false);
            let stride = u64::from(self.stride_of(ty)).max(1);
            view.offset = self.rng.below(4) as u64;
            view.extent = vec![(size.saturating_sub(view.offset) / stride) as i32];
            view.strides = vec![1];
            let (what, rank, align) = self.view_param("again", ty, Access::Read, view);
            planned.push(Planned { what, ty, rank, access: Access::Read, plan: MemoryPlan::Input, align });
            self.launch.aliases.push(Alias::ReadTwice);
        }
    }

    fn draw_map(&mut self) -> Map {
        let rank = self.launch.shape.extent.len();
        match self.rng.below(6) {
            0 | 1 if rank <= 4 || self.rng.percent(40) => {
                let mut dimensions: Vec<usize> = (0..rank).collect();
                if self.rng.percent(30) {
                    dimensions.reverse();
                }
                Map::Position(dimensions.into_iter().map(|d| (d, self.rng.percent(25))).collect())
            }
            2 => Map::Strided(self.rng.range(1, 3) as u32),
            3 => Map::Rows(self.rng.range(1, 3) as u32),
            4 => Map::Columns(self.rng.range(1, 3) as u32),
            _ => {
                let permutation = if self.rng.percent(60) {
                    self.fixed_permutation(self.launch.shape.threads)
                } else {
                    PermutationKind::Same
                };
                Map::Blocks(self.rng.range(1, 3) as u32, permutation)
            }
        }
    }

    fn extent_of(&mut self, map: &Map) -> Vec<i32> {
        let n = self.launch.shape.threads as i32;
        match map {
            Map::Position(dimensions) => {
                let more = i32::from(self.rng.percent(20));
                dimensions.iter().map(|&(d, _)| self.launch.shape.extent[d] + if d < 4 { more } else { 0 }).collect()
            }
            Map::Blocks(per, _) | Map::Strided(per) => vec![n * *per as i32],
            Map::Rows(per) => vec![n, *per as i32],
            Map::Columns(per) => vec![*per as i32, n],
        }
    }

    /// A view whose elements belong to threads; sometimes with a second parameter over the same
    /// memory.
    fn plan_own(&mut self, planned: &mut Vec<Planned>, name: &str, ty: TypeId, map: Map) {
        let extent = self.extent_of(&map);
        let twin = if name == "result" { 9 } else { self.rng.below(8) };
        let inner = if twin == 0 { 2 } else { self.rng.one([1, 1, 1, 1, 3]) };
        let view = self.bind(ty, &extent, false, inner);
        self.fill_view(ty, &view, &mut |_| None);
        let (what, rank, align) = self.view_param(name, ty, Access::ReadWrite, view.clone());
        let first = Planned { what, ty, rank, access: Access::ReadWrite, plan: MemoryPlan::Own(map.clone()), align };
        planned.push(first.clone());
        let size = self.stride_of(ty);
        let mut second = |maker: &mut KernelMaker, ty: TypeId, access: Access, view: ViewArgument, alias: Alias| {
            let (what, rank, align) = maker.view_param("twin", ty, access, view);
            planned.push(Planned { what, ty, rank, access, plan: MemoryPlan::Own(map.clone()), align });
            maker.launch.aliases.push(alias);
        };
        match twin {
            0 => {
                let view = ViewArgument { offset: view.offset + u64::from(size), ..view };
                self.fill_view(ty, &view, &mut |_| None);
                second(self, ty, Access::ReadWrite, view, Alias::Interleaved);
            }
            1 => second(self, ty, Access::ReadWrite, view, Alias::OwnTwice),
            2 => second(self, ty, Access::Read, view, Alias::WriteAndRead),
            3 | 4 if self.is_integral(ty) => {
                let other = self.integers_of(size);
                if let Some(other) = other {
                    second(self, other, Access::ReadWrite, view, Alias::OwnAcrossTypes);
                }
            }
            5 if matches!(map, Map::Blocks(..)) && view.strides == [1] => {
                let array = self.b.types().natural_array(ty, None);
                let size = u64::from(size) * view.extent[0] as u64;
                let argument = Argument::Buffer { allocation: view.allocation, offset: view.offset, size };
                let kind = ParamKind::Buffer { ty: array, access: Access::ReadWrite };
                let what = PlanKind::Param(self.param("twin_buffer", kind, argument));
                planned.push(Planned { what, ty: array, rank: 0, ..first });
                self.launch.aliases.push(Alias::ViewAndBuffer);
            }
            _ => {}
        }
    }

    /// An integer type whose elements are `size` bytes apart.
    fn integers_of(&mut self, size: u32) -> Option<TypeId> {
        let mut fit = Vec::new();
        for stored in Stored::ALL.into_iter().filter(|stored| stored.value().is_integer()) {
            for width in 1..=4u8 {
                if stored.size() * u32::from(width) == size {
                    fit.push((stored, width));
                }
            }
        }
        let &(stored, width) = self.rng.pick(&fit)?;
        Some(self.b.types().vector(stored, width))
    }

    fn plan_sum(&mut self, planned: &mut Vec<Planned>) {
        let scalar = self.rng.one([Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32]);
        let family = if scalar == Scalar::F32 { AtomicFamily::Sum } else { self.rng.one(AtomicFamily::ALL) };
        let ty = self.b.types().scalar(scalar.stored());
        let extent = [self.rng.range(1, 5) as i32];
        let mut view = self.bind(ty, &extent, false, 1);
        view.offset &= !7;
        self.fill_view(ty, &view, &mut |rng| {
            (scalar == Scalar::F32).then(|| (rng.range(-9, 9) as f32).to_le_bytes().to_vec())
        });
        let (what, rank, align) = self.view_param("total", ty, Access::ReadWrite, view);
        planned.push(Planned { what, ty, rank, access: Access::ReadWrite, plan: MemoryPlan::Sum(family), align });
    }

    fn plan_uniform(&mut self, planned: &mut Vec<Planned>) {
        let ty = match self.rng.below(4) {
            0 => self.b.types().scalar(Stored::I32),
            1 => {
                let scalar = Scalar::ALL[self.rng.below(Scalar::ALL.len())];
                let width = self.rng.one([1, 1, 2, 3, 4]);
                let scalar = if width > 1 && scalar == Scalar::Bool { Scalar::U32 } else { scalar };
                self.b.types().vector(scalar.stored(), width)
            }
            _ => self.memory_type(2, false),
        };
        let mut bytes = vec![0; self.b.types().size(ty) as usize];
        data::fill(&mut self.rng, &mut bytes, 0, self.b.so_far().types(), ty, true);
        let what = PlanKind::Param(self.param("given", ParamKind::Uniform(ty), Argument::Uniform(bytes)));
        let plan = if self.b.types().value(ty).is_some() { MemoryPlan::Value } else { MemoryPlan::Input };
        planned.push(Planned { what, ty, rank: 0, access: Access::Read, plan, align: 1 });
    }

    /// A buffer: of fixed size, an array of its length, or a struct that ends in one.
    fn plan_buffer(&mut self, planned: &mut Vec<Planned>) {
        let element = self.types[self.rng.below(self.types.len())];
        let stride = self.stride_of(element);
        let own = self.rng.percent(45);
        let count = if own { self.launch.shape.threads } else { self.rng.range(0, 9) as u32 };
        let access = if own || self.rng.percent(30) { Access::ReadWrite } else { Access::Read };
        let array = self.b.types().natural_array(element, None);
        let (ty, from) = match self.rng.below(3) {
            0 if !own => (element, 0),
            1 => (array, 0),
            _ => {
                let head = self.memory_type(1, false);
                let size = self.b.types().size(head) as u32;
                let at = size + self.rng.one([0, 1, 4]);
                self.counters.names += 1;
                let fields = vec![
                    Field { name: "head".into(), ty: head, offset: 0 },
                    Field { name: "rest".into(), ty: array, offset: at },
                ];
                let name = format!("B{}", self.counters.names).into();
                (self.b.types().add(Type::Struct(Struct { name, fields, size: at, align: 1 })), at)
            }
        };
        let fixed = ty == element;
        let size = if fixed { self.b.types().size(ty) } else { u64::from(from + stride * count) };
        let slack = if fixed { 0 } else { self.rng.below(stride.max(1) as usize) as u64 };
        let offset = self.rng.one([0, 0, 8, 4, 1]);
        let mut bytes = vec![0xa5; (offset + size + slack + 3) as usize];
        if from > 0 || fixed {
            data::fill(&mut self.rng, &mut bytes, offset, self.b.so_far().types(), ty, true);
        }
        for n in 0..if fixed { 0 } else { count } {
            let at = offset + u64::from(from + n * stride);
            data::fill(&mut self.rng, &mut bytes, at, self.b.so_far().types(), element, true);
        }
        self.launch.memory.allocations.push(bytes);
        let allocation = self.launch.memory.allocations.len() - 1;
        let argument = Argument::Buffer { allocation, offset, size: size + slack };
        let what = PlanKind::Param(self.param("buffer_of", ParamKind::Buffer { ty, access }, argument));
        let plan = if own {
            MemoryPlan::Own(Map::Blocks(1, self.fixed_permutation(self.launch.shape.threads)))
        } else {
            MemoryPlan::Input
        };
        let align = lowest_bit(offset as u32).min(lowest_bit(stride)).min(lowest_bit(from));
        planned.push(Planned { what, ty, rank: 0, access, plan, align });
    }

    fn plan_table(&mut self, planned: &mut Vec<Planned>) {
        let element = self.memory_type(1, false);
        let length = self.rng.range(1, 5) as u32;
        let ty = self.b.types().natural_array(element, Some(length));
        let mut formats = Vec::new();
        self.b.types().leaves(ty, &mut |_, format| formats.push(format));
        let leaves = formats.into_iter().map(|format| data::leaf(&mut self.rng, format)).collect();
        let what = PlanKind::Table(self.b.table("table", ty, leaves, Pos::NONE));
        planned.push(Planned { what, ty, rank: 0, access: Access::Read, plan: MemoryPlan::Input, align: 1 });
    }
}
