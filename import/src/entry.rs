//! The entry point: its bindings become parameters, its other variables memory of the tile or of
//! the thread, its built-in values built-ins of the kernel.

use std::collections::{HashMap, HashSet};

use naga::proc::Layouter;
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, BuiltIn, GlobalVariable, Handle, Module, StorageAccess, Type, TypeInner};
use tilewise_ir::build::Builder;
use tilewise_ir::kernel::{
    Builtin, Init, InstKind, Kernel, ParamId, ParamKind, Place, Root, TableId, TileVarId, ValueId,
};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Data, TypeId};

use crate::call::{FunctionExit, FunctionFrame};
use crate::feature::{Refusals, ShaderFeature};
use crate::module::ShaderError;
use crate::shared::{BindingShare, SharedBindings, share};
use crate::subgroup::SUBGROUP_SIZE;
use crate::table::ConstantPlace;
use crate::text::ShaderText;
use crate::texture::{ShaderTexture, TextureShape};
use crate::value::ShaderValue;

/// An entry point as a kernel.
#[derive(Clone, Debug)]
pub struct ImportedShader {
    /// The kernel, of rank 3 and tiled; not yet checked.
    pub kernel: Kernel,
    /// What its parameters stand for, one for each, in order.
    pub bindings: Vec<ShaderBinding>,
    /// Threads of a workgroup, in the order x, y, z.
    pub workgroup_size: [u32; 3],
}

/// A variable of a shader that a launch binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShaderBinding {
    /// The variable's name. In SPIR-V and GLSL one without a name has that of its block, or of the block's first
    /// member; where none of these has a name, it is made from the slot. Only WGSL gives each variable a name that
    /// no other one has.
    pub name: String,
    /// Its place in the shader's interface.
    pub slot: BindingSlot,
    /// May the shader write it?
    pub is_writable: bool,
    /// What it is.
    pub kind: BindingKind,
}

/// What a parameter of an imported shader is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindingKind {
    /// A storage buffer.
    Buffer,
    /// A uniform buffer or immediate data.
    Uniform,
    /// A view of the texels of a texture.
    Texture(TextureBinding),
    /// The size of the texture before it, which has levels: a uniform vector of width, height, depth
    /// or layers, and levels.
    TextureSize,
    /// A uniform struct of a sampler's settings.
    Sampler {
        /// Does it compare?
        comparison: bool,
    },
}

/// A texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextureBinding {
    /// Its type.
    pub shape: TextureShape,
    /// Are its levels one behind the other in a view of one dimension?
    pub has_levels: bool,
}

/// Where a variable is bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BindingSlot {
    /// `@group(G) @binding(B)`.
    Resource {
        /// The group.
        group: u32,
        /// The binding in the group.
        binding: u32,
    },
    /// Immediate data, passed with the dispatch.
    Immediate,
}

/// Walks one entry point and builds its kernel.
pub(crate) struct ShaderImporter<'m> {
    pub(crate) module: &'m Module,
    pub(crate) info: &'m ModuleInfo,
    pub(crate) source: &'m ShaderText,
    shared: &'m SharedBindings,
    /// Are the layers of samples floats?
    pub(crate) has_float_layers: bool,
    pub(crate) layouter: Layouter,
    pub(crate) builder: Builder,
    pub(crate) types: HashMap<Handle<Type>, TypeId>,
    pub(crate) globals: HashMap<Handle<GlobalVariable>, ShaderValue>,
    /// Buffers that the shader may not write.
    pub(crate) read_only: HashSet<ParamId>,
    pub(crate) textures: HashMap<Handle<GlobalVariable>, ShaderTexture>,
    /// Textures that are declared with levels.
    pub(crate) levelled: HashSet<Handle<GlobalVariable>>,
    /// Textures of which the shader asks for other levels than the constant 0.
    pub(crate) wanted_levels: HashSet<Handle<GlobalVariable>>,
    pub(crate) refusals: Refusals,
    /// Position of the statement or expression at hand.
    pub(crate) pos: Pos,
    /// Tile memory for the values of subgroups, by their type.
    pub(crate) scratch: HashMap<Data, TileVarId>,
    /// The scalars of integer vectors that have a constant zero.
    pub(crate) zero_parts: HashMap<ValueId, Vec<ValueId>>,
    /// The number of scalars and vectors of types, where it is known.
    pub(crate) units: HashMap<TypeId, u64>,
    /// The tables of constants, by the expression; `None` for one that is no constant.
    pub(crate) tables: HashMap<ConstantPlace, Option<TableId>>,
    /// The number of statements walked so far.
    pub(crate) statements: u32,
    /// Threads of a workgroup, x first.
    pub(crate) size: [u32; 3],
}

impl<'m> ShaderImporter<'m> {
    /// Imports the only entry point of a valid module whose overrides have values.
    pub(crate) fn import(
        module: &'m Module,
        info: &'m ModuleInfo,
        source: &'m ShaderText,
        (shared, has_float_layers): (&'m SharedBindings, bool),
    ) -> Result<ImportedShader, ShaderError> {
        let (mut importer, mut bindings) =
            ShaderImporter::walk(module, info, source, (shared, has_float_layers), HashSet::new());
        if !importer.wanted_levels.is_empty() {
            let levelled = std::mem::take(&mut importer.wanted_levels);
            (importer, bindings) = ShaderImporter::walk(module, info, source, (shared, has_float_layers), levelled);
        }
        if !importer.refusals.is_empty() {
            return Err(source.errors(importer.refusals.into_reports()));
        }
        let workgroup_size = importer.size;
        Ok(ImportedShader { kernel: importer.builder.finish(), bindings, workgroup_size })
    }

    /// Walks the entry point; `levelled` are the textures that have levels.
    fn walk(
        module: &'m Module,
        info: &'m ModuleInfo,
        source: &'m ShaderText,
        (shared, has_float_layers): (&'m SharedBindings, bool),
        levelled: HashSet<Handle<GlobalVariable>>,
    ) -> (ShaderImporter<'m>, Vec<ShaderBinding>) {
        let entry = &module.entry_points[0];
        let size = entry.workgroup_size;
        let mut builder = Builder::new(&entry.name, 3, Some(&[size[2], size[1], size[0]]));
        builder.source(source.source());
        builder.set_pos(source.function_pos(&entry.name));
        let mut layouter = Layouter::default();
        // A valid module has a layout.
        _ = layouter.update(module.to_ctx());
        let mut importer = ShaderImporter {
            module,
            info,
            source,
            shared,
            has_float_layers,
            layouter,
            builder,
            types: HashMap::new(),
            globals: HashMap::new(),
            read_only: HashSet::new(),
            textures: HashMap::new(),
            levelled,
            wanted_levels: HashSet::new(),
            refusals: Refusals::default(),
            pos: Pos::NONE,
            scratch: HashMap::new(),
            zero_parts: HashMap::new(),
            units: HashMap::new(),
            tables: HashMap::new(),
            statements: 0,
            size,
        };
        let bindings = importer.entry();
        (importer, bindings)
    }

    /// Reports a feature that kernels lack, at the place at hand.
    pub(crate) fn refuse(&mut self, feature: ShaderFeature) -> ShaderValue {
        self.refusals.add(feature, self.pos);
        ShaderValue::Refused
    }

    fn entry(&mut self) -> Vec<ShaderBinding> {
        let module = self.module;
        let entry = &module.entry_points[0];
        let info = self.info.get_entry_point(0);
        let bindings = self.declare_globals(info);
        self.builder.begin_entry();
        self.begin_globals(info);
        // naga keeps no positions of arguments.
        self.pos = Pos::NONE;
        let mut args = Vec::new();
        for arg in &entry.function.arguments {
            args.push(self.entry_argument(arg.binding.as_ref(), arg.ty));
        }
        let mut frame = FunctionFrame::new(&entry.function, info, args, FunctionExit::Thread, 0);
        self.declare_locals(&mut frame);
        self.block(&mut frame, &entry.function.body, true);
        self.builder.end();
        bindings
    }

    /// The variables that the entry point uses, in the order of their slots.
    fn used_globals(&self, info: &FunctionInfo) -> Vec<(Handle<GlobalVariable>, &'m GlobalVariable)> {
        let all = self.module.global_variables.iter();
        let mut used: Vec<_> = all.filter(|(handle, _)| !info[*handle].is_empty()).collect();
        used.sort_by_key(|(handle, variable)| (self.shared.slot_of(variable), handle.index()));
        used
    }

    /// Declares parameters and memory of the tile.
    fn declare_globals(&mut self, info: &FunctionInfo) -> Vec<ShaderBinding> {
        let mut bindings = Vec::new();
        // The last slot, the first variable there, and how many there are.
        let mut last: Option<(BindingSlot, Handle<GlobalVariable>, u32)> = None;
        for (handle, variable) in self.used_globals(info) {
            self.pos = self.source.pos(self.module.global_variables.get_span(handle));
            let pos = self.pos;
            let slot = self.shared.slot_of(variable);
            let before = last.filter(|(before, ..)| *before == slot && variable.binding.is_some());
            if variable.binding.is_some() {
                last = Some(before.map_or((slot, handle, 1), |(slot, first, count)| (slot, first, count + 1)));
            }
            let name = variable.name.clone().unwrap_or_else(|| match slot {
                BindingSlot::Resource { group, binding } => match before {
                    None => format!("binding_{group}_{binding}"),
                    Some((.., count)) => format!("binding_{group}_{binding}_{}", count + 1),
                },
                BindingSlot::Immediate => format!("variable_{}", handle.index()),
            });
            if let Some((_, first, _)) = before {
                match share(self.module, &self.module.global_variables[first], variable) {
                    BindingShare::Memory => {}
                    BindingShare::Same => {
                        let value = self.globals.get(&first).cloned().unwrap_or(ShaderValue::Refused);
                        self.globals.insert(handle, value);
                        continue;
                    }
                    BindingShare::Refused => {
                        let refused = self.refuse(ShaderFeature::SharedBinding);
                        self.globals.insert(handle, refused);
                        continue;
                    }
                }
            }
            let (param, is_writable) = match variable.space {
                AddressSpace::Storage { access } => {
                    let is_writable = access.contains(StorageAccess::STORE);
                    let access = if is_writable { Access::ReadWrite } else { Access::Read };
                    (ParamKind::Buffer { ty: self.memory_type(variable.ty), access }, is_writable)
                }
                AddressSpace::Uniform | AddressSpace::Immediate => {
                    (ParamKind::Uniform(self.memory_type(variable.ty)), false)
                }
                AddressSpace::WorkGroup => {
                    let ty = self.memory_type(variable.ty);
                    let root = Root::Tile(self.builder.tile_var(&name, ty, pos));
                    self.globals.insert(handle, ShaderValue::Pointer(Place { root, path: Vec::new() }));
                    continue;
                }
                // Declared where the kernel begins.
                AddressSpace::Private => continue,
                AddressSpace::Handle => {
                    let value = self.declare_handle(handle, &name, slot, &mut bindings);
                    self.globals.insert(handle, value);
                    continue;
                }
                AddressSpace::Function
                | AddressSpace::TaskPayload
                | AddressSpace::RayPayload
                | AddressSpace::IncomingRayPayload => {
                    let refused = self.refuse(ShaderFeature::VariableSpace);
                    self.globals.insert(handle, refused);
                    continue;
                }
            };
            let kind = match param {
                ParamKind::Uniform(_) => BindingKind::Uniform,
                ParamKind::Buffer { .. } | ParamKind::View(_) => BindingKind::Buffer,
            };
            let param = self.builder.param(&name, param, pos);
            if !is_writable {
                self.read_only.insert(param);
            }
            let root = Root::Param(param);
            self.globals.insert(handle, ShaderValue::Pointer(Place { root, path: Vec::new() }));
            bindings.push(ShaderBinding { name, slot, is_writable, kind });
        }
        bindings
    }

    /// What the kernel does first: a uniform scalar or vector is a value there, so it gets a
    /// variable that pointers can refer to; private variables get theirs.
    fn begin_globals(&mut self, info: &FunctionInfo) {
        for (handle, variable) in self.used_globals(info) {
            self.pos = self.source.pos(self.module.global_variables.get_span(handle));
            match (variable.space, self.globals.get(&handle)) {
                (
                    AddressSpace::Uniform | AddressSpace::Immediate,
                    Some(&ShaderValue::Pointer(Place { root: Root::Param(param), .. })),
                ) => {
                    let ty = self.memory_type(variable.ty);
                    if self.builder.types().value(ty).is_some() {
                        let value = self.builder.param_value(param.index() as u32);
                        let name = variable.name.as_deref().unwrap_or("uniform");
                        let place = self.temporary(name, ty, Init::Value(value));
                        self.globals.insert(handle, ShaderValue::Pointer(place));
                    }
                }
                (AddressSpace::Private, _) => {
                    let ty = self.memory_type(variable.ty);
                    let name = variable.name.as_deref().unwrap_or("private");
                    let place = self.temporary(name, ty, Init::Zero);
                    if let Some(init) = variable.init {
                        let value = self.constant_expression(init);
                        // It is zero already.
                        if !matches!(value, ShaderValue::Zero(_)) {
                            self.store(&place, value, ty);
                        }
                    }
                    self.globals.insert(handle, ShaderValue::Pointer(place));
                }
                (AddressSpace::Handle, _) => self.begin_texture(handle),
                _ => {}
            }
        }
    }

    fn entry_argument(&mut self, binding: Option<&naga::Binding>, ty: Handle<Type>) -> ShaderValue {
        let module = self.module;
        match (binding, &module.types[ty].inner) {
            (Some(naga::Binding::BuiltIn(built_in)), _) => self.built_in(*built_in),
            (None, TypeInner::Struct { members, .. }) => ShaderValue::Parts(
                members.iter().map(|member| self.entry_argument(member.binding.as_ref(), member.ty)).collect(),
            ),
            _ => self.refuse(ShaderFeature::EntryArgument),
        }
    }

    fn built_in(&mut self, built_in: BuiltIn) -> ShaderValue {
        match built_in {
            BuiltIn::GlobalInvocationId => self.index_vector(Builtin::Global),
            BuiltIn::LocalInvocationId => self.index_vector(Builtin::Local),
            BuiltIn::WorkGroupId => self.index_vector(Builtin::Tile),
            BuiltIn::NumWorkGroups => self.index_vector(Builtin::TileCount),
            BuiltIn::WorkGroupSize => self.index_vector(Builtin::TileExtent),
            BuiltIn::LocalInvocationIndex => {
                let index = self.local_index();
                ShaderValue::Data(self.op(Op::ToU32, &[index]))
            }
            BuiltIn::SubgroupSize => ShaderValue::Data(self.u32(SUBGROUP_SIZE)),
            BuiltIn::SubgroupInvocationId => self.subgroup_lane(),
            BuiltIn::SubgroupId => self.subgroup_id(),
            BuiltIn::NumSubgroups => self.subgroup_count(),
            _ => self.refuse(ShaderFeature::BuiltinValue),
        }
    }

    /// A built-in of all three dimensions as `vec3<u32>`, x first.
    fn index_vector(&mut self, of: fn(u32) -> Builtin) -> ShaderValue {
        let parts = [2, 1, 0].map(|dimension| {
            let value = self.builtin(of(dimension));
            self.op(Op::ToU32, &[value])
        });
        ShaderValue::Data(self.builder.value(InstKind::Compose(parts.to_vec()), Pos::NONE))
    }

    pub(crate) fn builtin(&mut self, builtin: Builtin) -> ValueId {
        self.builder.value(InstKind::Builtin(builtin), Pos::NONE)
    }
}
