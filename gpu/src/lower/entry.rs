//! The entry point: bindings, the position of the thread, and the body.

use std::collections::{HashMap, HashSet};

use naga::{AddressSpace, ArraySize, BinaryOperator, Expression, Literal, Statement, TypeInner, VectorSize};
use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::captured::CapturedLoads;
use tilewise_ir::analysis::exit_levels::exit_levels;
use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::analysis::tile_memory::must_clear;
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{InstKind, Kernel, ParamKind, TileVarId, ValueDef};
use tilewise_ir::stack::with_levels;
use tilewise_ir::types::{Data, Scalar, Type, TypeId};

use super::builder::{ExprHandle, ModuleBuilder};
use super::control::Leaves;
use super::launch_predicates::IntegerSize;
use super::lowered::{
    AdapterNeeds, ArgumentLayout, LoweredModule, ModuleKey, Numbered, ParamWords, UNTILED, Unsupported, binding, block,
    message,
};
use super::native_math;
use super::prelude::prelude;
use super::scan::KernelScan;
use super::state::{
    InstCursor, LiftedState, LocalVar, Lowerer, LoweringInput, LoweringResult, Masks, ModuleFindings, ModuleMemory,
    ModuleValue, PendingLeaves, ThreadPosition, ValueForms, WordMemory, malformed,
};
use crate::exact::{Exact, NativeOp};

/// Lowers a kernel for launches with that key.
pub fn lower(kernel: &Checked<Kernel>, key: &ModuleKey) -> Result<LoweredModule, Unsupported> {
    let levels = exit_levels(kernel).map_err(Unsupported)?;
    with_levels(levels, || lower_here(kernel, key))
}

fn lower_here(kernel: &Checked<Kernel>, key: &ModuleKey) -> Result<LoweredModule, Unsupported> {
    // A driver exempts no part of a module from its contractions.
    if key.strict.is_none() && kernel.is_precise() {
        return Err(Unsupported("functions of `precise_math`, which are in strict shaders only".into()));
    }
    let with_calls = if key.strict.is_some() { None } else { native_math::with_calls(kernel, key) };
    let inlined = with_calls.as_ref().unwrap_or(kernel.inlined());
    let ranges: Vec<_> = key.sizes.iter().map(|size| size.map(IntegerSize::range)).collect();
    let better =
        (with_calls.is_some() || ranges.iter().any(Option::is_some)).then(|| KernelFacts::knowing(inlined, &ranges));
    let facts = better.as_ref().unwrap_or(kernel.facts());
    // Relaxed kernels compare by bits, so that a rounded denormal keeps the right sign.
    let relaxed = Exact::RELAXED.without(NativeOp::Compare, Scalar::F32).without(NativeOp::Compare, Scalar::F64);
    let prelude = prelude(key.strict.unwrap_or(relaxed)).map_err(Unsupported)?;
    let regions = BarrierRegions::of(inlined);
    let origins = ViewOrigins::of(inlined);
    let loads = CapturedLoads::of(inlined);
    let scan = KernelScan::of(inlined, key, facts, &regions, &origins);
    let mut b = ModuleBuilder::new(prelude.module.clone());
    let block = b.u32(0);
    let lowerer = Lowerer {
        input: LoweringInput {
            kernel: inlined,
            key,
            facts,
            regions: &regions,
            origins: &origins,
            loads: &loads,
            scan: &scan,
            prelude: &prelude,
        },
        b,
        memory: ModuleMemory {
            layout: ArgumentLayout::of(inlined)?,
            block,
            constants: None,
            messages: None,
            allocations: vec![None; scan.allocations.len()],
            tile_vars: vec![None; inlined.tile_vars().len()],
            textures: Vec::new(),
            samplers: Vec::new(),
            stores: Vec::new(),
            locals: HashMap::new(),
            lengths: HashMap::new(),
            copied: Vec::new(),
            spare: Vec::new(),
        },
        forms: ValueForms {
            values: vec![None; inlined.entry().values().len()],
            globals: HashMap::new(),
            folded: HashMap::new(),
            folded_vectors: HashMap::new(),
            never_tiny: HashSet::new(),
            not_negative: HashSet::new(),
            not_small: HashSet::new(),
            roots: HashMap::new(),
        },
        here: ThreadPosition::default(),
        leaves: PendingLeaves::default(),
        lifted: LiftedState::default(),
        cursor: InstCursor::default(),
        findings: ModuleFindings::default(),
        nothing: None,
        budget: None,
    };
    let apart = regions.any() && !scan.together(facts.uniformity());
    lowerer.whole(apart)
}

impl Lowerer<'_> {
    fn whole(mut self, apart: bool) -> Result<LoweredModule, Unsupported> {
        let workgroup = self.workgroup();
        self.bind()?;
        self.nothing = self.hidden_zero();
        let (mut tile_bytes, mut unclear) = self.tile_memory();
        self.who(workgroup)?;
        self.params()?;
        self.local_variables();
        if !self.input.scan.counted.is_empty() {
            let budget = self.variable("budget", Data::U32);
            let rounds = self.word(block::BUDGET);
            self.b.store(budget, rounds);
            self.budget = Some(budget);
        }
        if apart {
            let votes = self.masked()?;
            tile_bytes += 4 * u64::from(votes.1);
            unclear.push(votes);
        }
        self.clear(&unclear)?;
        if apart {
            self.walks(&self.input.kernel.entry().body().insts)?;
        } else {
            let _: Leaves = self.seq(&self.input.kernel.entry().body().insts, None)?;
        }
        if let Some(missing) = &self.findings.missing {
            return Err(malformed(&format!("there is no function `{missing}`")));
        }
        Ok(self.finish(workgroup, tile_bytes))
    }

    /// Threads of a tile per dimension, x first.
    pub(super) fn workgroup(&self) -> [u32; 3] {
        let mut out = [1; 3];
        match self.input.kernel.tile() {
            Some(tile) => out.iter_mut().zip(tile.iter().rev()).for_each(|(to, &size)| *to = size),
            None if self.input.key.grid => {
                let [rows, columns] = self.input.key.untiled_grid();
                (out[0], out[1]) = (columns, rows);
            }
            None => out[0] = UNTILED,
        }
        out
    }

    /// For a driver that must not know zeros: the first word of a buffer, which is zero.
    fn hidden_zero(&mut self) -> Option<ExprHandle> {
        let knows = self.input.key.strict.is_some()
            && [Scalar::F32, Scalar::F64].into_iter().any(|scalar| !self.exact(NativeOp::Zeros, scalar));
        let atomic_last = |words: &&WordMemory| words.atomic.is_some();
        let words = self.memory.allocations.iter().flatten().filter(|_| knows).min_by_key(atomic_last).copied()?;
        let first = self.b.u32(super::lowered::ZERO);
        Some(self.load_word(words, first))
    }

    fn bind(&mut self) -> LoweringResult {
        let vector = self.b.data_ty(Data { scalar: Scalar::U32, width: 4 });
        let count = std::num::NonZeroU32::new(self.memory.layout.words / 4)
            .ok_or_else(|| malformed("the argument block is empty"))?;
        let ty = self.b.ty(TypeInner::Array { base: vector, size: ArraySize::Constant(count), stride: 16 });
        let (_, block) = self.global("arguments".into(), AddressSpace::Uniform, Some(binding::BLOCK), ty);
        self.memory.block = block;
        if self.memory.layout.constants > 0 {
            self.memory.constants = Some(self.storage("constants".into(), binding::CONSTANTS, None, false, false));
        }
        for (allocation, done) in self.input.scan.allocations.iter().enumerate() {
            let number = binding::ALLOCATIONS + allocation as u32;
            let atomic = done.atomic().filter(|_| done.written);
            let quads = atomic.is_none() && self.holds_quads(allocation as u32);
            self.memory.allocations[allocation] =
                Some(self.storage(format!("home_{allocation}"), number, atomic, done.written, quads));
        }
        self.bind_textures();
        self.bind_texture_stores();
        Ok(())
    }

    /// Whether an allocation holds only vectors of four words, each at a multiple of its size.
    fn holds_quads(&self, allocation: u32) -> bool {
        let mut params = self
            .input
            .kernel
            .params()
            .iter()
            .zip(&self.input.key.params)
            .filter(|(_, key)| key.allocation == Some(allocation));
        params.all(|(param, key)| match param.kind {
            ParamKind::View(view) => key.align >= 16 && is_quads(self.input.kernel, view.element),
            ParamKind::Buffer { .. } | ParamKind::Uniform(_) => false,
        })
    }

    /// Declares the tile variables. Returns their size in bytes, and the variables that must be
    /// cleared, with their word counts.
    fn tile_memory(&mut self) -> (u64, Vec<(WordMemory, u32)>) {
        let mut bytes = 0;
        let mut unclear = Vec::new();
        let must_clear = must_clear(self.input.kernel, self.input.facts);
        for (i, var) in self.input.kernel.tile_vars().iter().enumerate() {
            let count = (self.input.kernel.types().size(var.ty) as u32).div_ceil(4).max(1);
            let done =
                self.input.scan.tile_vars.iter().find(|(id, _)| TileVarId::index(**id) == i).map(|(_, done)| *done);
            let atomic = done.and_then(super::scan::MemoryUse::atomic);
            let quads = atomic.is_none() && is_quads(self.input.kernel, var.ty);
            let ty = if quads { self.quads_ty(Some(count)) } else { self.words_ty(atomic, Some(count)) };
            let (_, array) = self.global(format!("tile_{}", var.name), AddressSpace::WorkGroup, None, ty);
            self.memory.lengths.insert(array, count);
            let words = WordMemory { array, atomic, head: false, shared: true, quads };
            self.memory.tile_vars[i] = Some(words);
            if must_clear[i] {
                unclear.push((words, count));
            }
            bytes += u64::from(count) * 4;
        }
        (bytes, unclear)
    }

    /// Computes the thread's position. Threads outside the domain return here.
    fn who(&mut self, workgroup: [u32; 3]) -> LoweringResult {
        let vector = self.b.ty(TypeInner::Vector { size: VectorSize::Tri, scalar: naga::Scalar::U32 });
        let group = self.b.argument("tile", vector, naga::BuiltIn::WorkGroupId);
        let local = self.b.argument("local", vector, naga::BuiltIn::LocalInvocationId);
        let word = self.b.data_ty(Data::U32);
        let in_tile = self.b.argument("in_tile", word, naga::BuiltIn::LocalInvocationIndex);
        let [x, y] = [0, 1].map(|i| self.b.at(group, i));
        self.here.in_tile = Some(in_tile);
        if self.input.key.grid {
            self.in_grid([y, x], local);
            return Ok(());
        }
        let row = self.word(block::ROW);
        let rows = self.b.mul(y, row);
        let mut number = self.b.add(rows, x);
        if self.input.key.numbered == Numbered::Several {
            let first = self.word(block::FIRST);
            number = self.b.add(number, first);
        }
        let rank = self.input.kernel.rank();
        self.here.tile_number = Some(number);
        let Some(tile) = self.input.kernel.tile().map(<[u32]>::to_vec) else {
            let size = self.b.u32(workgroup[0]);
            let base = self.b.mul(number, size);
            let thread = self.b.add(base, in_tile);
            let total = self.word(block::TOTAL);
            // The thread numbers of the last tile may exceed 2^32: then the thread's number wraps
            // and is below the tile's first.
            let outside = self.b.binary(BinaryOperator::GreaterEqual, thread, total);
            let wrapped = self.b.less(thread, base);
            let outside = self.b.binary(BinaryOperator::LogicalOr, outside, wrapped);
            self.b.when(outside, |b| b.statement(Statement::Return { value: None }));
            self.here.thread = Some(thread);
            self.here.global = self.unflatten(thread, block::DOMAIN, rank);
            return Ok(());
        };
        if self.input.key.numbered != Numbered::Exact {
            let total = self.word(block::TOTAL);
            let outside = self.b.binary(BinaryOperator::GreaterEqual, number, total);
            self.b.when(outside, |b| b.statement(Statement::Return { value: None }));
        }
        self.here.tile = self.unflatten(number, block::DOMAIN + rank, rank);
        for (d, (&size, at)) in (0..).zip(tile.iter().zip(self.here.tile.clone())) {
            let local = self.b.at(local, rank - 1 - d);
            self.here.local.push(local);
            let size = self.b.u32(size);
            let origin = self.b.mul(at, size);
            let global = self.b.add(origin, local);
            self.here.global.push(global);
        }
        Ok(())
    }

    /// The same for tiles that are dispatched as rows and columns.
    fn in_grid(&mut self, tile: [ExprHandle; 2], local: ExprHandle) {
        let size = match self.input.kernel.tile() {
            Some(&[rows, columns]) => [rows, columns],
            _ => self.input.key.untiled_grid(),
        };
        for (d, (at, size)) in (0..).zip(tile.into_iter().zip(size)) {
            let local = self.b.at(local, 1 - d);
            let size = self.b.u32(size);
            let origin = self.b.mul(at, size);
            let global = self.b.add(origin, local);
            self.here.global.push(global);
            self.here.local.push(local);
        }
        self.here.tile = tile.to_vec();
        if self.input.kernel.tile().is_some() {
            let columns = self.word(block::DOMAIN + 3);
            let rows = self.b.mul(tile[0], columns);
            self.here.tile_number = Some(self.b.add(rows, tile[1]));
            return;
        }
        let mut outside = None;
        for (d, global) in (0..).zip(self.here.global.clone()) {
            let extent = self.word(block::DOMAIN + d);
            let over = self.b.binary(BinaryOperator::GreaterEqual, global, extent);
            outside = Some(outside.map_or(over, |before| self.b.binary(BinaryOperator::LogicalOr, before, over)));
        }
        if let Some(outside) = outside {
            self.b.when(outside, |b| b.statement(Statement::Return { value: None }));
        }
    }

    /// The position with a row-major number in a rectangle whose extents are words of the argument
    /// block.
    fn unflatten(&mut self, number: ExprHandle, extents: u32, rank: u32) -> Vec<ExprHandle> {
        let mut rest = number;
        let mut out = Vec::new();
        for d in (1..rank).rev() {
            let extent = self.word(extents + d);
            let whole = self.b.binary(BinaryOperator::Divide, rest, extent);
            let rows = self.b.mul(whole, extent);
            out.push(self.b.binary(BinaryOperator::Subtract, rest, rows));
            rest = whole;
        }
        out.push(rest);
        out.reverse();
        out
    }

    /// Makes the values of parameters.
    fn params(&mut self) -> LoweringResult {
        for id in self.input.kernel.entry().value_ids() {
            let value = self.input.kernel.entry().value(id);
            let ValueDef::Param(param) = value.def else { continue };
            let param = param as usize;
            let made = match (self.input.kernel.params()[param].kind, &self.memory.layout.params[param]) {
                (ParamKind::View(ty), _) => ModuleValue::View(self.param_view(id, param, ty.element, ty.rank)?),
                (ParamKind::Uniform(_), &ParamWords::Value { at }) => {
                    let data = value.ty.data().ok_or_else(|| malformed("a captured value is a view"))?;
                    ModuleValue::Data(self.captured(at, data))
                }
                _ => return Err(malformed("a parameter is used as a value and is none")),
            };
            self.forms.values[id.index()] = Some(made);
        }
        Ok(())
    }

    fn captured(&mut self, at: u32, data: Data) -> ExprHandle {
        let mut components = Vec::new();
        for i in 0..u32::from(data.width) {
            components.push(match data.scalar.bits() {
                1 => {
                    let word = self.word(at + i);
                    let none = self.b.u32(0);
                    self.b.binary(BinaryOperator::NotEqual, word, none)
                }
                32 => {
                    let word = self.word(at + i);
                    self.b.bits(word, Scalar::U32, data.scalar)
                }
                _ => {
                    let (low, high) = (self.word(at + 2 * i), self.word(at + 2 * i + 1));
                    self.double(low, high, data.scalar)
                }
            });
        }
        self.b.compose(data, components)
    }

    /// Declares the locals: as variables of their type if that is a scalar or a vector of full
    /// width, else as words.
    fn local_variables(&mut self) {
        let mut declared = Vec::new();
        self.input.kernel.entry().body().walk(&mut |inst| {
            if let InstKind::Declare { local, .. } = &inst.kind {
                declared.push(*local);
            }
        });
        for id in declared {
            let local = &self.input.kernel.entry().locals()[id.index()];
            let types = self.input.kernel.types();
            let native = types.value(local.ty).filter(|data| types.stored(local.ty) == Some(data.scalar.stored()));
            let made = match native {
                Some(data) => LocalVar::Native(self.variable(&local.name, data)),
                None => {
                    let count = (types.size(local.ty) as u32).div_ceil(4).max(1);
                    let words = self.private(&local.name, count);
                    LocalVar::Words(words, self.words_ty(None, Some(count)))
                }
            };
            self.memory.locals.insert(id, made);
        }
    }

    /// Declares the variables of lifted code. Returns the memory for votes and its word count.
    fn masked(&mut self) -> LoweringResult<(WordMemory, u32)> {
        let here = self.variable("here", Data::BOOL);
        let yes = self.b.bool(true);
        self.b.store(here, yes);
        let phase = self.variable("phase", Data::U32);
        let none = self.b.u32(0);
        self.b.store(phase, none);
        let site = self.variable("site", Data::U32);
        let end = self.b.u32(message::AT_END);
        self.b.store(site, end);
        let ty = self.rounds_ty();
        let rounds = self.b.variable("rounds_at", ty);
        let nothing = self.b.bare(Expression::ZeroValue(ty));
        self.b.store(rounds, nothing);
        let ty = self.words_ty(Some(Scalar::U32), Some(3));
        let (votes, array) = self.global("votes".into(), AddressSpace::WorkGroup, None, ty);
        self.lifted.masks = Some(Masks { here, phase, votes, site, rounds, ends: self.input.scan.ends });
        Ok((WordMemory { array, atomic: Some(Scalar::U32), head: false, shared: true, quads: false }, 3))
    }

    fn finish(self, workgroup: [u32; 3], tile_bytes: u64) -> LoweredModule {
        let mut needs = AdapterNeeds { fences: self.findings.fences, workgroup, tile_bytes, ..AdapterNeeds::default() };
        let allocations: Vec<bool> = self.input.scan.allocations.iter().map(|done| done.written).collect();
        let messages = self.memory.messages.is_some();
        needs.storage_buffers =
            allocations.len() as u32 + u32::from(messages) + u32::from(self.memory.layout.constants > 0);
        let (layout, sites) = (self.memory.layout, self.findings.sites);
        let (mut module, function) = self.b.finish();
        module.functions = self.input.prelude.called(&function);
        module.entry_points.push(naga::EntryPoint {
            name: "main".into(),
            stage: naga::ShaderStage::Compute,
            early_depth_test: None,
            workgroup_size: workgroup,
            workgroup_size_overrides: None,
            function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
        for (_, ty) in module.types.iter() {
            if let TypeInner::Atomic(scalar) = ty.inner {
                needs.atomic_i64 |= scalar.width == 8;
            }
            if let TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } = ty.inner {
                needs.f64 |= scalar == naga::Scalar::F64;
                needs.i64 |= scalar == naga::Scalar::I64 || scalar == naga::Scalar::U64;
            }
        }
        let functions = module.functions.iter().map(|(_, function)| function);
        for function in functions.chain(module.entry_points.iter().map(|entry| &entry.function)) {
            for (_, expression) in function.expressions.iter() {
                let (double, wide) = wide(expression);
                needs.f64 |= double;
                needs.i64 |= wide;
            }
        }
        let (textures, samplers) = (self.input.key.texture_slots(), self.input.key.sampler_keys());
        let (loops, stores) = (self.input.scan.loops, self.input.key.stores.clone());
        LoweredModule { module, layout, allocations, messages, sites, loops, textures, samplers, stores, needs }
    }
}

/// Whether the expression makes a 64-bit float, and whether it makes a 64-bit integer. Not all of
/// these have a type in the module.
fn wide(expression: &Expression) -> (bool, bool) {
    match expression {
        Expression::Literal(Literal::F64(_)) => (true, false),
        Expression::Literal(Literal::I64(_) | Literal::U64(_)) => (false, true),
        Expression::As { kind, convert: Some(8), .. } => {
            let is_float = *kind == naga::ScalarKind::Float;
            (is_float, !is_float)
        }
        _ => (false, false),
    }
}

/// Whether the type is a vector of four words, or a contiguous array of such vectors.
fn is_quads(kernel: &Kernel, ty: TypeId) -> bool {
    match *kernel.types().get(ty) {
        Type::Vector(stored, 4) => stored.size() == 4,
        Type::Array { element, stride, .. } => stride.is_multiple_of(16) && is_quads(kernel, element),
        _ => false,
    }
}
