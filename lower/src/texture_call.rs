//! Calls of functions that the texture units of GPUs compute
//! ([`SyntaxTree::texture_unit`](tilewise_ast::SyntaxTree)): `texture.sample(&sampler, at)`.
//!
//! All other functions are inlined here. These become functions of the kernel, one for each call, so
//! that a GPU finds the call and what it is given: `graphics::sample(texels, shape, filter, address,
//! border, at)`. Targets that inline calls see the same instructions as if it had been inlined here:
//! arguments that are constants are the same constants in the body.
//!
//! A texture that is no captured one, but a part of it that the kernel has made, has no parameter of
//! the kernel's for a target to find: its calls are inlined.

use std::rc::Rc;

use tilewise_ast::{Pattern, SyntaxTree};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{CallArgument, Const, FnParam, FnParamKind, InstKind, ParamKind, Place, Root, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, TypeId};

use super::closure::Argument;
use super::state::{Lower, NoValue, OrNoValue};
use super::types::TypeContents;
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{RustFunction, RustType};

/// Most numbers and vectors that are handed over one by one.
const MOST_LEAVES: u64 = 32;

/// The parameters of a function of the kernel, and the arguments of its call.
#[derive(Default)]
struct CallLeaves {
    params: Vec<FnParam>,
    args: Vec<CallArgument>,
    /// Of each argument, the constant that it is.
    constants: Vec<Option<Const>>,
}

impl CallLeaves {
    fn push(&mut self, name: &str, kind: FnParamKind, arg: CallArgument, constant: Option<Const>, pos: Pos) {
        self.params.push(FnParam { name: name.into(), kind, pos });
        self.args.push(arg);
        self.constants.push(constant);
    }
}

/// The captured texture of a call.
struct CapturedTexture {
    ty: RustType,
    texels: LoweredValue,
    view: ValueId,
    shape: LoweredValue,
    shape_place: Rc<Place>,
    shape_ty: TypeId,
}

impl Lower {
    /// The call as one of a function of the kernel; nothing if it has to be inlined.
    pub(super) fn texture_call(
        &mut self,
        function: &RustFunction,
        args: &[Argument],
        pos: Pos,
    ) -> OrNoValue<Option<LoweredValue>> {
        let read = self.read(function, pos)?;
        if !read.tree.texture_unit {
            return Ok(None);
        }
        let result = read.tree.result.and_then(|slot| function.types.get(slot as usize));
        let Some((result, data)) = result.and_then(|ty| Some((ty.clone(), ty.data()?))) else { return Ok(None) };
        let [Argument::Spot(texture), others @ ..] = args else { return Ok(None) };
        let Some(texture) = self.captured_texture(texture) else { return Ok(None) };
        let mut spots = Vec::new();
        for other in others {
            match other {
                Argument::Spot(spot) if is_few(&spot.ty) => spots.push(spot),
                Argument::Spot(_) | Argument::Function(_) | Argument::Iterator(_) => return Ok(None),
            }
        }
        if read.tree.params.len() != args.len() {
            return Ok(None);
        }
        let mut leaves = CallLeaves::default();
        let view = FnParamKind::Value(self.b.value_type(texture.view));
        leaves.push("texels", view, CallArgument::Value(texture.view), None, pos);
        let is_shifted = fault::planted(Fault::SampleConstantsShifted);
        let shape = FnParamKind::Ref { ty: texture.shape_ty, access: Access::Read };
        leaves.push("shape", shape, CallArgument::Place(Place::clone(&texture.shape_place)), None, pos);
        let mut values = Vec::new();
        for (i, spot) in spots.into_iter().enumerate() {
            let value = self.load(spot, pos)?;
            self.leaves(&value, &param_name(&read.tree, i + 1), &mut leaves, pos)?;
            values.push(value);
        }
        let name = self.function_name(&read.tree.name);
        let CallLeaves { params, args, constants } = leaves;
        let id = self.b.declare(&name, params, Some(data.into()), pos);
        self.b.begin(id);
        let constants = match is_shifted {
            true => constants.into_iter().skip(1).chain([None]).collect(),
            false => constants,
        };
        let body = self.texture_body(function, &texture, &values, &constants, pos);
        self.b.end();
        match body {
            Ok(()) => {}
            Err(NoValue::Failed) => return Err(NoValue::Failed),
            Err(NoValue::Left | NoValue::Gone) => return self.broken("a sample that never returns", pos),
        }
        let called = self.inst(InstKind::Call { function: id, args }, pos)?;
        Ok(Some(LoweredValue::one(result, called)))
    }

    /// The function's body, with the parameters as its arguments, up to its `return`.
    fn texture_body(
        &mut self,
        function: &RustFunction,
        texture: &CapturedTexture,
        values: &[LoweredValue],
        constants: &[Option<Const>],
        pos: Pos,
    ) -> OrNoValue<()> {
        let ids = (0..).zip(constants).map(|(i, constant)| match constant {
            Some(constant) => self.b.constant(*constant),
            None => self.b.param_value(i),
        });
        let ids: Vec<ValueId> = ids.collect();
        let texels = LoweredValue::one(texture.texels.ty.clone(), ids[0]);
        let shape = HeldAs::Kept(Rc::new(Place { root: Root::Ref(1), path: Vec::new() }));
        let shape = LoweredValue { ty: texture.shape.ty.clone(), held: shape };
        let mut ids = ids.into_iter().skip(2);
        let texture = LoweredValue::parts(texture.ty.clone(), [texels, shape]);
        let mut args = vec![Argument::Spot(RustPlace::value(texture))];
        for value in values {
            args.push(Argument::Spot(RustPlace::value(of_leaves(value, &mut ids))));
        }
        let value = self.inline_with(function.clone(), args, pos)?;
        let value = self.id(&value, pos)?;
        self.emit(InstKind::Return(Some(value)), pos)?;
        Ok(())
    }

    /// The texture that a place is, if it is captured: a view that is a parameter of the kernel, and a
    /// shape that is one.
    fn captured_texture(&self, texture: &RustPlace) -> Option<CapturedTexture> {
        let SpotRoot::Value(LoweredValue { ty, held: HeldAs::Parts(parts) }) = &texture.at else { return None };
        let [texels, shape] = &parts[..] else { return None };
        let (HeldAs::One(view), RustType::View { .. }) = (&texels.held, &texels.ty) else { return None };
        let HeldAs::Kept(place) = &shape.held else { return None };
        let Place { root: Root::Param(param), path } = &**place else { return None };
        let params = self.b.so_far().params();
        let (ParamKind::Uniform(shape_ty), []) = (params.get(param.index())?.kind, &path[..]) else { return None };
        Some(CapturedTexture {
            ty: ty.clone(),
            texels: texels.clone(),
            view: *view,
            shape: shape.clone(),
            shape_place: place.clone(),
            shape_ty,
        })
    }

    /// The numbers and vectors of a value as arguments.
    fn leaves(&mut self, value: &LoweredValue, name: &str, to: &mut CallLeaves, pos: Pos) -> OrNoValue<()> {
        if value.ty.data().is_some() {
            let id = self.id(value, pos)?;
            let kind = FnParamKind::Value(self.b.value_type(id));
            to.push(name, kind, CallArgument::Value(id), self.known(id), pos);
            return Ok(());
        }
        let parts = self.spread(value, pos)?;
        let HeldAs::Parts(parts) = &parts.held else { return self.broken("an argument without parts", pos) };
        for (i, part) in parts.iter().enumerate() {
            self.leaves(part, &format!("{name}_{}", value.ty.part_name(i)), to, pos)?;
        }
        Ok(())
    }

    /// A name for a function of the kernel that no other has.
    fn function_name(&self, name: &str) -> String {
        let name = format!("graphics::{}", name.rsplit("::").next().unwrap_or(name));
        let is_taken = |name: &str| self.b.so_far().functions().iter().any(|function| function.name() == name);
        let numbered = (2..).map(|i| format!("{name}_{i}"));
        std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
    }
}

/// The name of a parameter.
fn param_name(tree: &SyntaxTree, i: usize) -> String {
    match tree.params.get(i).map(|param| &param.pattern) {
        Some(Pattern::Bind(local)) => tree.locals.get(*local as usize).map_or("given", |local| &local.text).to_owned(),
        _ => format!("given_{i}"),
    }
}

/// Whether a value is few numbers, which can be handed over one by one.
fn is_few(ty: &RustType) -> bool {
    ty.holds() <= TypeContents::Scalars && !matches!(ty, RustType::Variants(_)) && ty.leaves() <= MOST_LEAVES
}

/// A value like another, of other numbers.
fn of_leaves(value: &LoweredValue, ids: &mut impl Iterator<Item = ValueId>) -> LoweredValue {
    if value.ty.data().is_some() {
        return ids.next().map_or_else(|| value.clone(), |id| LoweredValue::one(value.ty.clone(), id));
    }
    if value.ty.holds() == TypeContents::Nothing {
        return value.clone();
    }
    let parts = (0..value.ty.count()).filter_map(|i| value.ty.part(i));
    let parts: Vec<_> = parts.map(|ty| of_leaves(&LoweredValue::nothing(&ty), ids)).collect();
    LoweredValue::parts(value.ty.clone(), parts)
}
