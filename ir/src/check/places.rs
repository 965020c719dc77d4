//! Places: each step fits its type, and each use of the place fits its type and access. `K0103`,
//! `K0104`, `K0201` to `K0204`, `K0206`, `K0208`, `K0209`, `K0118`.

use super::body::Body;
use super::report;
use super::wording::{self, count};
use crate::diag::Code;
use crate::kernel::{CallArgument, FnParamKind, Inst, InstKind, ParamKind, Place, Root, Step};
use crate::pos::Pos;
use crate::types::{Access, Data, Scalar, Stored, Type};
use crate::typing::PlaceType;

/// Checks the family.
pub(super) fn check(body: &mut Body<'_>) {
    body.each(&mut |body, inst| {
        let mut types = Vec::new();
        inst.kind.places(&mut |place| types.push(body.place(place, inst.pos)));
        body.place_uses(inst, &types);
        body.tile_uses(inst);
    });
}

impl<'a> Body<'a> {
    /// The type of a place; reports a step or an index that does not fit.
    fn place(&mut self, place: &Place, pos: Pos) -> Option<PlaceType> {
        self.root(place, pos)?;
        let mut at = PlaceType::Whole(self.context.root(&place.root)?);
        for (i, step) in place.path.iter().enumerate() {
            let so_far = || Place { root: place.root.clone(), path: place.path[..i].to_vec() };
            if let Step::Index(index) = step {
                let what = format!("`{}`", self.say_place(&so_far()));
                self.index(*index, pos, &what);
            }
            match self.context.step(at, step) {
                Some(next) => at = next,
                None => {
                    let (ty, name) = (self.place_type(at), self.say_place(&so_far()));
                    let what = match step {
                        Step::Field(_) => "has no such field".to_owned(),
                        Step::Component(c) => match "xyzw".get(usize::from(*c)..=usize::from(*c)) {
                            Some(letter) => format!("has no component `{letter}`"),
                            None => "has no such component".to_owned(),
                        },
                        Step::Index(_) => "can not be indexed".to_owned(),
                    };
                    if !self.is_misindexed_root(place) {
                        let out = report(Code::K0202, format!("`{name}` {what}"))
                            .at(pos, format!("it is {} `{ty}`", wording::article(&ty)));
                        let field = match at {
                            PlaceType::Whole(id) => match self.kernel.types.get(id) {
                                Type::Struct(s) => s.fields.first().map(|field| field.name.to_string()),
                                Type::Scalar(_) | Type::Vector(..) | Type::Array { .. } => None,
                            },
                            PlaceType::Component(_) => None,
                        };
                        self.report(match field {
                            Some(field) => out.help(format!("a struct has fields: write `{name}.{field}`")),
                            None => out,
                        });
                    }
                    return None;
                }
            }
        }
        Some(at)
    }

    /// Whether a view has too few or too many indices. K0104 reports it, and errors in later steps
    /// are not reported.
    pub(super) fn is_misindexed_root(&self, place: &Place) -> bool {
        match &place.root {
            Root::View { view, index } => self.context.view(*view).is_some_and(|ty| ty.rank as usize != index.len()),
            Root::Param(_) | Root::Tile(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => false,
        }
    }

    fn root(&mut self, place: &Place, pos: Pos) -> Option<()> {
        match &place.root {
            Root::View { view, index } => {
                let indices: Vec<_> = index.clone();
                let ty = self.view(*view, pos, "an index");
                let name = format!("`{}`", self.code(*view));
                indices.iter().for_each(|&index| self.index(index, pos, &name));
                let ty = ty?;
                if index.len() != ty.rank as usize {
                    let wanted = vec![".."; ty.rank.min(8) as usize].join(", ");
                    let out = report(
                        Code::K0104,
                        format!("{name} has {}", count(ty.rank as usize, "dimension", "dimensions")),
                    )
                    .at(pos, format!("{} given", count(index.len(), "index is", "indices are")))
                    .help(format!("write `{}[{wanted}]`", self.code(*view)));
                    self.report(out);
                }
            }
            Root::Param(id) => {
                let known = self.kernel.params.get(id.index());
                let text = match known.map(|param| param.kind) {
                    None => "no such parameter",
                    Some(_) if !self.is_entry() => "a function sees its own parameters only",
                    Some(ParamKind::View(_)) => "a view is indexed, it is not a place",
                    Some(ParamKind::Uniform(ty)) if self.kernel.types.value(ty).is_some() => {
                        "its value is used by its name"
                    }
                    Some(ParamKind::Buffer { .. } | ParamKind::Uniform(_)) => return Some(()),
                };
                let name = self.say_place(&Place { root: place.root.clone(), path: Vec::new() });
                self.report(report(Code::K0202, format!("`{name}` is not a place here")).at(pos, text));
                return None;
            }
            Root::Tile(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => {
                if self.context.root(&place.root).is_none() {
                    self.report(report(Code::K0202, "a place that does not exist").at(pos, "nothing has this name"));
                    return None;
                }
            }
        }
        Some(())
    }

    fn place_uses(&mut self, inst: &'a Inst, types: &[Option<PlaceType>]) {
        let pos = inst.pos;
        let ty = types.first().copied().flatten();
        match &inst.kind {
            InstKind::Load(place) => self.scalar_or_vector(place, ty, "read", pos),
            InstKind::Store { place, .. } => {
                self.scalar_or_vector(place, ty, "stored", pos);
                self.writable(place, "written", pos);
            }
            InstKind::Copy { to, from } => {
                self.writable(to, "written", pos);
                let (Some(ty), Some(from_ty)) = (ty, types.get(1).copied().flatten()) else { return };
                if ty != from_ty {
                    let out = report(
                        Code::K0203,
                        format!("`copy` from `{}` to `{}`", self.place_type(from_ty), self.place_type(ty)),
                    )
                    .at(pos, "both places must have the same type");
                    return self.report(out);
                }
                if self.context.loaded(ty).is_some() {
                    let out = report(
                        Code::K0204,
                        format!("`copy` of {} `{}`", wording::article(&self.place_type(ty)), self.place_type(ty)),
                    )
                    .at(pos, "`copy` is for arrays and structs")
                    .help(format!("write `{} = {};`", self.say_place(to), self.say_place(from)));
                    self.report(out);
                } else if let PlaceType::Whole(id) = ty
                    && self.facts.of_type(id).runtime_sized
                {
                    let out = report(Code::K0206, format!("`copy` of a runtime-sized `{}`", self.place_type(ty)))
                        .at(pos, "its size is not known")
                        .help("copy its elements in a loop up to `array_length(..)`");
                    self.report(out);
                }
            }
            InstKind::Atomic { op, place, .. } => {
                self.atomic(place, ty, op.name(), pos, &|scalar| op.accepts(scalar.value()));
            }
            InstKind::CompareExchange { place, .. } => {
                self.atomic(place, ty, "atomic_compare_exchange", pos, &|scalar| scalar.value() != Scalar::Bool);
            }
            InstKind::Length(place) => {
                let Some(ty) = ty else { return };
                let runtime = match ty {
                    PlaceType::Whole(id) => matches!(self.kernel.types.get(id), Type::Array { length: None, .. }),
                    PlaceType::Component(_) => false,
                };
                if !runtime {
                    let shown = self.place_type(ty);
                    let out = report(Code::K0118, format!("`array_length` of {} `{shown}`", wording::article(&shown)))
                        .at(pos, format!("`{}` is not runtime-sized", self.say_place(place)));
                    let out = match ty {
                        PlaceType::Whole(id) => match self.kernel.types.get(id) {
                            Type::Array { length: Some(n), .. } => out.help(format!("its length is {n}")),
                            Type::Array { .. } | Type::Scalar(_) | Type::Vector(..) | Type::Struct(_) => out,
                        },
                        PlaceType::Component(_) => out,
                    };
                    self.report(out);
                }
            }
            InstKind::Call { function, args } => {
                let Some(callee) = self.kernel.functions.get(function.index()) else { return };
                for (arg, param) in args.iter().zip(&callee.params) {
                    if let (CallArgument::Place(place), FnParamKind::Ref { access: Access::ReadWrite, .. }) =
                        (arg, param.kind)
                    {
                        self.writable(place, "handed over by `&mut`", pos);
                    }
                }
            }
            InstKind::Declare { local, .. } => {
                let Some(local) = self.function.locals.get(local.index()) else { return };
                self.fixed_size(local.ty, &local.name.clone(), pos);
            }
            InstKind::Op { .. }
            | InstKind::Compose(_)
            | InstKind::Splat { .. }
            | InstKind::Swizzle { .. }
            | InstKind::ComponentAt { .. }
            | InstKind::Builtin(_)
            | InstKind::ViewExtent { .. }
            | InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::Reinterpret { .. }
            | InstKind::ViewAs { .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Print(_)
            | InstKind::Error(_)
            | InstKind::Abort
            | InstKind::If { .. }
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Scope { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => {}
        }
    }

    fn scalar_or_vector(&mut self, place: &Place, ty: Option<PlaceType>, done: &str, pos: Pos) {
        let Some(ty) = ty else { return };
        if self.context.loaded(ty).is_some() {
            return;
        }
        let shown = self.place_type(ty);
        let out = report(Code::K0204, format!("`{}` is an aggregate, `{shown}`", self.say_place(place)))
            .at(pos, format!("it can not be {done} at once"));
        let unsized_array = match ty {
            PlaceType::Whole(id) => matches!(self.kernel.types.get(id), Type::Array { length: None, .. }),
            PlaceType::Component(_) => false,
        };
        self.report(match unsized_array {
            true => out.help(format!("use its elements; their number is `array_length({})`", self.say_place(place))),
            false => out.help("use its parts, or `copy(to, from)`"),
        });
    }

    fn writable(&mut self, place: &Place, done: &str, pos: Pos) {
        if self.context.access(&place.root) != Some(Access::Read) {
            return;
        }
        let name = self.say_place(place);
        let out = report(Code::K0201, format!("`{name}` can not be {done}"));
        let out = match &place.root {
            Root::View { view, .. } => {
                let out = out
                    .at(pos, format!("{} is {}", self.say(*view), self.typed(*view)))
                    .help("declare the view `read_write`");
                self.with_origin(out, *view, pos)
            }
            Root::Param(id) => match self.kernel.params.get(id.index()) {
                Some(param) => match param.kind {
                    ParamKind::Buffer { .. } => out
                        .at(pos, "the buffer is read-only")
                        .and(param.pos, format!("`{}` is declared `read`", param.name))
                        .help("declare the buffer `read_write`"),
                    ParamKind::Uniform(_) | ParamKind::View(_) => out
                        .at(pos, "a captured value is read-only")
                        .and(param.pos, format!("`{}` travels with the launch", param.name))
                        .help("copy it to a `var` first"),
                },
                None => out,
            },
            Root::Table(id) => {
                let out = out.at(pos, "a table is constant");
                match self.kernel.tables.get(id.index()) {
                    Some(table) => out.and(table.pos, "declared here"),
                    None => out,
                }
            }
            Root::Ref(i) => {
                let out = out.at(pos, "the reference is read-only").help("declare the parameter `&mut`");
                match self.function.params.get(*i as usize) {
                    Some(param) => out.and(param.pos, format!("`{}` is declared here", param.name)),
                    None => out,
                }
            }
            Root::Tile(_) | Root::Local(_) => out,
        };
        self.report(out);
    }

    fn atomic(&mut self, place: &Place, ty: Option<PlaceType>, name: &str, pos: Pos, accepts: &dyn Fn(Stored) -> bool) {
        self.writable(place, "changed by an atomic", pos);
        self.atomic_space(place, name, pos);
        let Some(ty) = ty else { return };
        let shown = self.place_type(ty);
        let stored = match self.context.loaded(ty) {
            Some(Data { width: 1, .. }) => self.context.stored(ty),
            Some(_) | None => None,
        };
        let text = match stored {
            None => "an atomic works on one scalar",
            Some(stored) if stored.size() < 4 => "8- and 16-bit memory has no atomics",
            Some(stored) if !accepts(stored) => "not defined for this type",
            Some(_) => return,
        };
        let out = report(Code::K0208, format!("`{name}` on {} `{shown}`", wording::article(&shown)))
            .at(pos, text)
            .note("atomics exist for `i32`, `u32`, `i64` and `u64`; for `f32` only `atomic_add` and `atomic_exchange`; for both floats `atomic_compare_exchange`, by their bits");
        let out = match ty {
            PlaceType::Whole(id) if matches!(self.kernel.types.get(id), Type::Vector(..)) => {
                out.help(format!("name a component: `{}.x`", self.say_place(place)))
            }
            PlaceType::Whole(_) | PlaceType::Component(_) => out,
        };
        self.report(out);
    }

    /// Reports an atomic on thread-private memory. Read-only memory is reported elsewhere; a
    /// reference is checked after inlining.
    pub(super) fn atomic_space(&mut self, place: &Place, name: &str, pos: Pos) {
        let Root::Local(id) = place.root else { return };
        let shown = self.say_place(place);
        let mut out = report(Code::K0207, format!("`{name}` on the local variable `{shown}`"))
            .at(pos, "no other thread can see this memory")
            .note("atomics work on views, buffers and `tile_static`")
            .help(format!("read and write `{shown}` as usual"));
        if let Some(declaration) = self.declaration(id) {
            out = out.and(declaration.pos, "declared here");
        }
        self.report(out);
    }

    fn tile_uses(&mut self, inst: &Inst) {
        if self.kernel.tile.is_some() {
            return;
        }
        let Some(what) = needs_tile(&inst.kind) else { return };
        let rank = self.kernel.rank as usize;
        let out = report(Code::K0209, format!("{what} in an untiled kernel"))
            .at(inst.pos, "there is no tile whose threads it could mean");
        let out = match rank {
            1..=3 => out.help(format!(
                "launch in tiles: declare `tile({})` for `rank({rank})`",
                ["64", "8, 8", "4, 4, 4"][rank - 1]
            )),
            _ => out,
        };
        self.report(out);
    }

    /// Reports a variable of runtime or zero size.
    fn fixed_size(&mut self, ty: crate::types::TypeId, name: &str, pos: Pos) {
        if self.facts.of_type(ty).runtime_sized {
            let out = report(Code::K0206, format!("`{name}` is runtime-sized, `{}`", self.kernel.types.show(ty)))
                .at(pos, "a local variable needs a length")
                .note("a runtime-sized array is a buffer, or the last field of a buffer's struct");
            self.report(out);
        }
    }

    /// Reports an element type that a view cannot have.
    pub(super) fn element(&mut self, element: crate::types::TypeId, pos: Pos) {
        for out in super::layout::shared(self.kernel, self.facts, element, "the view", pos) {
            self.report(out);
        }
    }
}

/// The part of an instruction that is legal only in a tiled kernel.
fn needs_tile(kind: &InstKind) -> Option<String> {
    match kind {
        InstKind::Barrier(_) => Some("a barrier".to_owned()),
        InstKind::Fence(_) => Some("a fence".to_owned()),
        InstKind::Builtin(b) => b.needs_tile().then(|| format!("`{}[{}]`", b.name(), b.dimension())),
        InstKind::Op { .. }
        | InstKind::Compose(_)
        | InstKind::Splat { .. }
        | InstKind::Swizzle { .. }
        | InstKind::ComponentAt { .. }
        | InstKind::ViewExtent { .. }
        | InstKind::Section { .. }
        | InstKind::Project { .. }
        | InstKind::Reinterpret { .. }
        | InstKind::ViewAs { .. }
        | InstKind::Length(_)
        | InstKind::Load(_)
        | InstKind::Store { .. }
        | InstKind::Copy { .. }
        | InstKind::Atomic { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Declare { .. }
        | InstKind::Print(_)
        | InstKind::Error(_)
        | InstKind::Abort
        | InstKind::Call { .. }
        | InstKind::If { .. }
        | InstKind::Loop { .. }
        | InstKind::Switch { .. }
        | InstKind::Scope { .. }
        | InstKind::Break { .. }
        | InstKind::Continue { .. }
        | InstKind::Return(_) => None,
    }
}
