//! Stores of texels that go to a texture of the device as well as to memory, in Relaxed.
//!
//! A GPU's texture is a copy of the texels in memory. Where each thread of a kernel writes its own texel
//! and no other, it can store that in both, and the texture need not be copied when it is sampled next:
//! no two threads write a texel, so both get the same one, whatever the order of threads.
//!
//! [`OwnStore`] is what the kernel has to be like; a launch decides whether there is such a texture, and
//! what format it has ([`TextureStore`]).

use std::collections::HashMap;

use naga::{
    AddressSpace, ImageClass, ImageDimension, MathFunction, Statement, StorageAccess, StorageFormat, TypeInner,
};
use tilewise_ir::analysis::captured::{CapturedLoads, CapturedNumber};
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::kernel::{Builtin, InstKind, Kernel, ParamId, Place, Root, ValueId};
use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_ir::types::{Data, Scalar, Stored, Type, TypeId};

use super::builder::ExprHandle;
use super::lowered::binding;
use super::state::{Lowerer, LoweringResult, malformed};

/// A parameter of a kernel in which each thread writes at most the element at its own index, by whole
/// elements, and which is written in no other way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnStore {
    /// The parameter, a view.
    pub param: ParamId,
    /// The scalars of an element, and how many.
    pub element: (Stored, u8),
    /// The extents of the view that is written; nothing if it is the parameter itself, else one that is
    /// made of the parameter by `view_as`.
    extent: Option<Vec<CapturedNumber>>,
}

/// A texture to which a kernel stores what it writes to a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TextureStore {
    /// The parameter.
    pub param: u32,
    /// The dimensions of the texture.
    pub rank: u8,
    /// The format of the texture: one that the parameter's elements hold.
    pub format: StorageFormat,
}

/// The scalars of an element that holds a texel of a format.
pub fn stored_element(format: StorageFormat) -> Option<(Stored, u8)> {
    match format {
        StorageFormat::Rgba8Unorm | StorageFormat::Rgba8Snorm => Some((Stored::U32, 1)),
        StorageFormat::Rgba16Float => Some((Stored::U32, 2)),
        StorageFormat::R32Float => Some((Stored::F32, 1)),
        StorageFormat::Rgba32Float => Some((Stored::F32, 4)),
        _ => None,
    }
}

impl OwnStore {
    /// Those of a kernel without calls.
    pub fn of(kernel: &Kernel) -> Vec<OwnStore> {
        let rank = kernel.rank();
        if !(1..=3).contains(&rank) {
            return Vec::new();
        }
        let (origins, loads) = (ViewOrigins::of(kernel), CapturedLoads::of(kernel));
        let mut own: HashMap<ValueId, u32> = HashMap::new();
        let mut shapes: HashMap<ValueId, (ParamId, Vec<CapturedNumber>)> = HashMap::new();
        // By parameter; nothing if it is written in another way too.
        let mut found: Vec<(ParamId, Option<OwnStore>)> = Vec::new();
        kernel.entry().body().walk(&mut |inst| {
            if let (&InstKind::Builtin(Builtin::Global(d)), Some(result)) = (&inst.kind, inst.result) {
                own.insert(result, d);
            }
            if let (InstKind::ViewAs { view, extent }, Some(result)) = (&inst.kind, inst.result)
                && let Some(param) = kernel.param_of(*view)
                && let Some(numbers) = extent.iter().map(|&size| loads.number(kernel, size)).collect()
            {
                shapes.insert(result, (param, numbers));
            }
            let Some(param) = inst.kind.written_place().and_then(|place| origins.of_place(place)) else { return };
            let is_own = |index: &[ValueId]| (0..rank).map(Some).eq(index.iter().map(|index| own.get(index).copied()));
            let mut this = None;
            if let InstKind::Store { place: Place { root: Root::View { view, index }, path }, .. } = &inst.kind
                && path.is_empty()
                && is_own(index)
            {
                let extent = if kernel.param_of(*view) == Some(param) {
                    Some(None)
                } else {
                    shapes.get(view).filter(|(of, _)| *of == param).map(|(_, extent)| Some(extent.clone()))
                };
                let element = kernel.entry().value(*view).ty.view().and_then(|ty| element(kernel, ty.element));
                this = extent.zip(element).map(|(extent, element)| OwnStore { param, element, extent });
            }
            match found.iter_mut().find(|(of, _)| *of == param) {
                Some((_, known)) if *known == this => {}
                Some((_, known)) => *known = None,
                None => found.push((param, this)),
            }
        });
        found.into_iter().filter_map(|(_, own)| own).collect()
    }

    /// The view that is written in a launch, and its extents, if its elements are tight and each thread
    /// has its own.
    pub fn written<'a>(&self, domain: &Domain, arguments: &'a [Argument]) -> Option<(&'a ViewArgument, Vec<i32>)> {
        let Argument::View(view) = arguments.get(self.param.index())? else { return None };
        let extent = match &self.extent {
            None => view.extent.clone(),
            Some(numbers) => {
                let size = |size: &CapturedNumber| i32::try_from(size.value(arguments)?).ok();
                numbers.iter().map(size).collect::<Option<_>>()?
            }
        };
        let dense = ViewArgument::dense(0, if self.extent.is_some() { &view.extent } else { &extent });
        let has_all = extent.len() == domain.extent.len()
            && extent.iter().zip(&domain.extent).all(|(has, wants)| has >= wants)
            && (self.extent.is_none() || view.extent.len() == 1);
        (has_all && view.strides == dense.strides).then_some((view, extent))
    }
}

/// The scalars of an element.
fn element(kernel: &Kernel, ty: TypeId) -> Option<(Stored, u8)> {
    match *kernel.types().get(ty) {
        Type::Scalar(stored) => Some((stored, 1)),
        Type::Vector(stored, width) => Some((stored, width)),
        Type::Array { .. } | Type::Struct(_) => None,
    }
}

impl Lowerer<'_> {
    /// Declares the textures that are written.
    pub(super) fn bind_texture_stores(&mut self) {
        let key = self.input.key;
        let before = key.texture_slots().len() + key.sampler_keys().len() + self.memory.allocations.len();
        for (number, &store) in (binding::ALLOCATIONS + before as u32..).zip(&key.stores) {
            let dim = if store.rank == 3 { ImageDimension::D3 } else { ImageDimension::D2 };
            let class = ImageClass::Storage { format: store.format, access: StorageAccess::STORE };
            let ty = self.b.ty(TypeInner::Image { dim, arrayed: false, class });
            let name = format!("written_{}", store.param);
            let (_, image) = self.global(name, AddressSpace::Handle, Some(number), ty);
            self.memory.stores.push((store, image));
        }
    }

    /// Stores an element that was stored in memory to the texture that holds it too, if there is one.
    pub(super) fn store_texel(&mut self, place: &Place, value: ValueId) -> LoweringResult {
        let Root::View { view, index } = &place.root else { return Ok(()) };
        let Some(origin) = self.input.origins.of_view(*view).filter(|_| !self.memory.stores.is_empty()) else {
            return Ok(());
        };
        let found = self.memory.stores.iter().find(|(store, _)| store.param as usize == origin.param.index());
        let Some(&(store, image)) = found else { return Ok(()) };
        let element = self.value(value)?;
        let mut coordinates = index.iter().rev().map(|&index| self.index(index)).collect::<LoweringResult<Vec<_>>>()?;
        let zero = self.b.u32(0);
        coordinates.resize(if store.rank == 3 { 3 } else { 2 }, zero);
        let coordinate = self.b.compose(Data { scalar: Scalar::U32, width: coordinates.len() as u8 }, coordinates);
        let value = self.texel_of(store.format, element)?;
        self.b.statement(Statement::ImageStore { image, coordinate, array_index: None, value });
        Ok(())
    }

    /// The texel that an element holds.
    fn texel_of(&mut self, format: StorageFormat, element: ExprHandle) -> LoweringResult<ExprHandle> {
        Ok(match format {
            StorageFormat::Rgba8Unorm => self.b.math(MathFunction::Unpack4x8unorm, &[element]),
            StorageFormat::Rgba8Snorm => self.b.math(MathFunction::Unpack4x8snorm, &[element]),
            StorageFormat::Rgba16Float => {
                let mut halves = Vec::new();
                for word in [0, 1] {
                    let word = self.b.at(element, word);
                    let pair = self.b.math(MathFunction::Unpack2x16float, &[word]);
                    halves.extend([self.b.at(pair, 0), self.b.at(pair, 1)]);
                }
                self.b.compose(Data { scalar: Scalar::F32, width: 4 }, halves)
            }
            StorageFormat::R32Float => {
                let rest = self.b.zero(Data::scalar(Scalar::F32));
                self.b.compose(Data { scalar: Scalar::F32, width: 4 }, vec![element, rest, rest, rest])
            }
            StorageFormat::Rgba32Float => element,
            _ => return Err(malformed("a texture has a format that no element holds")),
        })
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::{Checked, check};
    use tilewise_ir::text::parse;

    use super::*;
    use crate::lower::{LaunchPredicates, LoweredModule, ModuleKey, lower};
    use crate::shader_form;

    fn kernel(body: &str) -> Checked<Kernel> {
        let text = format!(
            "struct Shape {{ y: i32, x: i32 }}
            kernel k(t: view<u32, 1, read_write>, s: Shape, flat: view<u32x2, 2, read_write>, n: i32) rank(2) {{ {body} }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        check(kernel).unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// The numbers of the parameters.
    fn own(body: &str) -> Vec<usize> {
        OwnStore::of(kernel(body).inlined()).iter().map(|own| own.param.index()).collect()
    }

    const TEXELS: &str = "let a = view_as(t, [s.y, s.x]);";
    const OWN: &str = "a[global[0], global[1]] = 7u32;";

    #[test]
    fn a_store_at_the_threads_own_index_is_found() {
        assert_eq!(own(&format!("{TEXELS} {OWN} {OWN}")), [0]);
        assert_eq!(own("flat[global[0], global[1]] = u32x2(1u32, 2u32);"), [2]);
        assert_eq!(
            own(&format!("{TEXELS} if a[1, n] == 3u32 {{ {OWN} }} flat[global[0], global[1]] = splat(a[n, 2], 2);")),
            [0, 2]
        );
    }

    #[test]
    fn other_stores_are_not() {
        for other in [
            "a[global[1], global[0]] = 7u32;",
            "a[global[0], n] = 7u32;",
            "t[n] = 7u32;",
            "let b = view_as(t, [s.x, s.y]); b[global[0], global[1]] = 7u32;",
            "let b = view_as(section(t, [1], [6]), [s.y, s.x]); b[global[0], global[1]] = 7u32;",
            "let b = view_as(t, [s.y, global[0]]); b[global[0], global[1]] = 7u32;",
            "atomic_add(a[global[0], global[1]], 1u32);",
        ] {
            assert_eq!(own(&format!("{TEXELS} {OWN} {other}")), [0; 0], "{other}");
        }
        assert_eq!(own("flat[global[0], global[1]].x = 2u32;"), [0; 0], "a part of an element");
    }

    #[test]
    fn a_launch_says_which_elements_are_written() {
        let kernel = kernel(&format!("{TEXELS} {OWN} flat[global[0], global[1]] = u32x2(1u32, 2u32);"));
        let stores = OwnStore::of(kernel.inlined());
        let [texels, flat] = &stores[..] else { panic!("{stores:?}") };
        assert_eq!((texels.element, flat.element), ((Stored::U32, 1), (Stored::U32, 2)));
        let view = |extent: &[i32]| Argument::View(ViewArgument::dense(0, extent));
        let shape = Argument::Uniform([3_i32.to_le_bytes(), 5_i32.to_le_bytes()].concat());
        let mut arguments = [view(&[20]), shape, view(&[3, 5]), Argument::Uniform(vec![0; 4])];
        let written = |own: &OwnStore, domain: [i32; 2], arguments: &[Argument]| {
            own.written(&Domain::new(domain), arguments).map(|(_, extent)| extent)
        };
        for own in &stores {
            assert_eq!(written(own, [3, 5], &arguments), Some(vec![3, 5]));
            assert_eq!(written(own, [2, 1], &arguments), Some(vec![3, 5]));
            assert_eq!(written(own, [4, 5], &arguments), None, "a thread has no element");
        }
        if let Argument::View(view) = &mut arguments[2] {
            view.strides[0] = 7;
        }
        assert_eq!(written(flat, [3, 5], &arguments), None, "there are gaps");
        assert_eq!(written(texels, [3, 5], &arguments), Some(vec![3, 5]));
    }

    /// A kernel that stores `element`s to a texture too.
    fn lowered(element: &str, value: &str, format: StorageFormat) -> LoweredModule {
        let text = format!(
            "kernel k(t: view<{element}, 3, read_write>) rank(3) {{ t[global[0], global[1], global[2]] = {value}; }}"
        );
        let kernel = check(parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}")))
            .unwrap_or_else(|failure| panic!("{failure}"));
        let stores = OwnStore::of(kernel.inlined());
        let [own] = &stores[..] else { panic!("{stores:?}") };
        assert_eq!(Some(own.element), stored_element(format));
        let arguments = [Argument::View(ViewArgument::dense(0, &[2, 3, 4]))];
        let key = ModuleKey {
            stores: vec![TextureStore { param: 0, rank: 3, format }],
            ..ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([2, 3, 4]), &arguments)
        };
        lower(&kernel, &key).unwrap_or_else(|why| panic!("{why}"))
    }

    #[test]
    fn all_formats_are_stored_beside_memory() {
        for (element, value, format, text) in [
            ("u32", "to_u32(global[0])", StorageFormat::Rgba8Unorm, "rgba8unorm"),
            ("u32", "to_u32(global[0])", StorageFormat::Rgba8Snorm, "rgba8snorm"),
            ("u32x2", "splat(to_u32(global[0]), 2)", StorageFormat::Rgba16Float, "rgba16float"),
            ("f32", "to_f32(global[0])", StorageFormat::R32Float, "r32float"),
            ("f32x4", "splat(to_f32(global[0]), 4)", StorageFormat::Rgba32Float, "rgba32float"),
        ] {
            let lowered = lowered(element, value, format);
            assert_eq!(lowered.stores.len(), 1);
            shader_form::validate(&lowered.module).unwrap_or_else(|why| panic!("{format:?}: {why}"));
            let text_of = shader_form::wgsl(&lowered).unwrap_or_else(|why| panic!("{why}"));
            for part in [
                &format!("@binding(4) \nvar written_0_: texture_storage_3d<{text},write>"),
                "textureStore(written_0_, ",
            ] {
                assert!(text_of.contains(part), "there is no `{part}` in\n{text_of}");
            }
        }
    }
}
