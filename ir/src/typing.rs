//! Result types of instructions, and types of places. No error messages: the checker explains
//! ill-typed code.

use crate::kernel::{Block, FnParamKind, Function, InstKind, Kernel, Place, Root, Step, Value, ValueId};
use crate::kernel::{FnParam, Local, Param, ParamKind, Table, TileVar};
use crate::types::{Access, Data, Scalar, Stored, Type, TypeId, Types, ValueType, ViewType};

/// The declarations that typing refers to: a kernel and one of its functions, finished or under
/// construction.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The kernel's memory types.
    pub types: &'a Types,
    /// The kernel's parameters.
    pub params: &'a [Param],
    /// The kernel's `tile_static` variables.
    pub tile_vars: &'a [TileVar],
    /// The kernel's tables.
    pub tables: &'a [Table],
    /// The functions it may call.
    pub functions: &'a [Function],
    /// Parameters of the function.
    pub fn_params: &'a [FnParam],
    /// Its values.
    pub values: &'a [Value],
    /// Its local variables.
    pub locals: &'a [Local],
}

/// The type of a place: a memory type of the kernel, or a component of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceType {
    /// A whole type.
    Whole(TypeId),
    /// One component.
    Component(Stored),
}

impl Kernel {
    /// The context for type queries in `function`, which is the entry or one of the kernel's
    /// functions.
    pub fn context<'a>(&'a self, function: &'a Function) -> Context<'a> {
        Context {
            types: &self.types,
            params: &self.params,
            tile_vars: &self.tile_vars,
            tables: &self.tables,
            functions: &self.functions,
            fn_params: &function.params,
            values: &function.values,
            locals: &function.locals,
        }
    }
}

impl Context<'_> {
    /// The type of a value; [`ValueType::Invalid`] for an unknown id.
    pub fn value(&self, id: ValueId) -> ValueType {
        self.values.get(id.index()).map_or(ValueType::Invalid, |value| value.ty)
    }

    /// The scalar or vector type of a value.
    pub fn data(&self, id: ValueId) -> Option<Data> {
        self.value(id).data()
    }

    /// The view type of a value.
    pub fn view(&self, id: ValueId) -> Option<ViewType> {
        self.value(id).view()
    }

    /// The type of a place's root. For a view: its element.
    pub fn root(&self, root: &Root) -> Option<TypeId> {
        match root {
            Root::View { view, .. } => self.view(*view).map(|view| view.element),
            Root::Param(id) => match self.params.get(id.index())?.kind {
                ParamKind::Buffer { ty, .. } | ParamKind::Uniform(ty) => Some(ty),
                ParamKind::View(_) => None,
            },
            Root::Tile(id) => self.tile_vars.get(id.index()).map(|var| var.ty),
            Root::Table(id) => self.tables.get(id.index()).map(|table| table.ty),
            Root::Local(id) => self.locals.get(id.index()).map(|local| local.ty),
            Root::Ref(i) => match self.fn_params.get(*i as usize)?.kind {
                FnParamKind::Ref { ty, .. } => Some(ty),
                FnParamKind::Value(_) => None,
            },
        }
    }

    /// The permitted access to the memory of a root.
    pub fn access(&self, root: &Root) -> Option<Access> {
        match root {
            Root::View { view, .. } => self.view(*view).map(|view| view.access),
            Root::Param(id) => match self.params.get(id.index())?.kind {
                ParamKind::Buffer { access, .. } => Some(access),
                ParamKind::Uniform(_) => Some(Access::Read),
                ParamKind::View(_) => None,
            },
            Root::Table(_) => Some(Access::Read),
            Root::Tile(_) | Root::Local(_) => Some(Access::ReadWrite),
            Root::Ref(i) => match self.fn_params.get(*i as usize)?.kind {
                FnParamKind::Ref { access, .. } => Some(access),
                FnParamKind::Value(_) => None,
            },
        }
    }

    /// The type after one step from a place of type `from`; `None` if there is no such step.
    pub fn step(&self, from: PlaceType, step: &Step) -> Option<PlaceType> {
        let PlaceType::Whole(id) = from else { return None };
        match (self.types.get(id), step) {
            (Type::Struct(s), Step::Field(i)) => s.fields.get(*i as usize).map(|field| PlaceType::Whole(field.ty)),
            (Type::Array { element, .. }, Step::Index(_)) => Some(PlaceType::Whole(*element)),
            (Type::Vector(stored, _), Step::Index(_)) => Some(PlaceType::Component(*stored)),
            (Type::Vector(stored, n), Step::Component(i)) if i < n => Some(PlaceType::Component(*stored)),
            _ => None,
        }
    }

    /// The type of a place; `None` if a step does not fit.
    pub fn place(&self, place: &Place) -> Option<PlaceType> {
        let root = PlaceType::Whole(self.root(&place.root)?);
        place.path.iter().try_fold(root, |at, step| self.step(at, step))
    }

    /// The type of a load from a place of that type; `None` for aggregates.
    pub fn loaded(&self, place: PlaceType) -> Option<Data> {
        match place {
            PlaceType::Whole(id) => self.types.value(id),
            PlaceType::Component(stored) => Some(Data::scalar(stored.value())),
        }
    }

    /// The stored format of a scalar or vector place.
    pub fn stored(&self, place: PlaceType) -> Option<Stored> {
        match place {
            PlaceType::Whole(id) => self.types.stored(id),
            PlaceType::Component(stored) => Some(stored),
        }
    }

    /// The type of the instruction's result: `None` if it has no result, [`ValueType::Invalid`] if
    /// its operands do not fit.
    ///
    /// `of_scope` is the type of the values of a [`NameScope`](InstKind::Scope)'s `break`s, which
    /// the instruction alone does not determine.
    pub fn result(&self, kind: &InstKind, of_scope: Option<ValueType>) -> Option<ValueType> {
        let data = |data: Option<Data>| Some(data.map_or(ValueType::Invalid, ValueType::Data));
        let view = |view: Option<ViewType>| Some(view.map_or(ValueType::Invalid, ValueType::View));
        match kind {
            InstKind::Op { op, args } => data((|| {
                let args: Vec<Data> = args.iter().map(|&arg| self.data(arg)).collect::<Option<_>>()?;
                op.resolve(&args).ok().map(|instance| instance.result)
            })()),
            InstKind::Compose(parts) => data((|| {
                let first = self.data(*parts.first()?)?;
                let fit = parts.iter().all(|&part| self.data(part) == Some(first)) && !first.is_vector();
                (fit && (2..=4).contains(&parts.len())).then(|| Data::vector(first.scalar, parts.len() as u8))
            })()),
            InstKind::Splat { value, width } => data(
                self.data(*value)
                    .filter(|data| !data.is_vector() && (2..=4).contains(width))
                    .map(|data| Data::vector(data.scalar, *width)),
            ),
            InstKind::Swizzle { value, components } => data(self.data(*value).and_then(|data| {
                let fit = data.is_vector() && components.iter().all(|&c| c < data.width);
                (fit && (1..=4).contains(&components.len())).then(|| Data::vector(data.scalar, components.len() as u8))
            })),
            InstKind::ComponentAt { value, index } => data(
                self.data(*value)
                    .filter(|data| data.is_vector() && self.is_index(*index))
                    .map(|data| Data::scalar(data.scalar)),
            ),
            InstKind::Builtin(_) => data(Some(Data::I32)),
            InstKind::ViewExtent { view, dimension } => {
                data(self.view(*view).filter(|view| *dimension < view.rank).map(|_| Data::I32))
            }
            InstKind::Section { view: from, origin, extent } => view(self.view(*from).filter(|view| {
                let n = view.rank as usize;
                origin.len() == n
                    && extent.len() == n
                    && origin.iter().chain(extent).all(|&i| self.data(i) == Some(Data::I32))
            })),
            InstKind::Project { view: from, index } => view(
                self.view(*from)
                    .filter(|view| view.rank > 1 && self.data(*index) == Some(Data::I32))
                    .map(|view| ViewType { rank: view.rank - 1, ..view }),
            ),
            InstKind::Reinterpret { view: from, element } => {
                view(self.view(*from).filter(|view| view.rank == 1).map(|view| ViewType { element: *element, ..view }))
            }
            InstKind::ViewAs { view: from, extent } => view(
                self.view(*from)
                    .filter(|view| {
                        view.rank == 1 && !extent.is_empty() && extent.iter().all(|&i| self.data(i) == Some(Data::I32))
                    })
                    .map(|view| ViewType { rank: extent.len() as u32, ..view }),
            ),
            InstKind::Length(_) => data(Some(Data::U32)),
            InstKind::Load(place) => data(self.place(place).and_then(|place| self.loaded(place))),
            InstKind::Atomic { place, .. } | InstKind::CompareExchange { place, .. } => {
                data(self.place(place).and_then(|place| self.loaded(place)).filter(|data| !data.is_vector()))
            }
            InstKind::Call { function, .. } => self.functions.get(function.index())?.result,
            InstKind::If { then, otherwise, .. } => self.joined(&[then, otherwise], None),
            InstKind::Scope { body, .. } => self.joined(&[body], of_scope),
            InstKind::Store { .. }
            | InstKind::Copy { .. }
            | InstKind::Declare { .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Print(_)
            | InstKind::Error(_)
            | InstKind::Abort
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => None,
        }
    }

    /// Whether it is an `i32` or `u32`, and so a legal index.
    pub fn is_index(&self, value: ValueId) -> bool {
        matches!(self.data(value), Some(Data { scalar: Scalar::I32 | Scalar::U32, width: 1 }))
    }

    /// The common type of the arms' values; the first known one if they differ.
    fn joined(&self, arms: &[&Block], other: Option<ValueType>) -> Option<ValueType> {
        let mut types = arms.iter().filter_map(|arm| arm.value).map(|value| self.value(value)).chain(other);
        let first = types.next()?;
        Some(if first == ValueType::Invalid { types.next().unwrap_or(first) } else { first })
    }
}
