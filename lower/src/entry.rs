//! The kernel as a whole: its parameters, its body, and the bytes of its captured values.

use super::state::{Lower, NoValue, OrNoValue};
use super::types::{TypeContents, host_memory};
use super::value::{HeldAs, LoweredValue};
use super::{Binding, LoweredKernel, RustFunction, RustType, memory};
use tilewise_ir::build::Builder;
use tilewise_ir::check::Rejected;
use tilewise_ir::kernel::{Builtin, Kernel, ParamId, ParamKind, Place, Root};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, ViewType};

/// Lowers a kernel.
pub(super) fn kernel(name: &str, function: &RustFunction) -> Result<LoweredKernel, Rejected> {
    let mut lower = Lower::new(Builder::new(name, 1, None));
    let bindings = lower.whole(name, function);
    let Lower { b, reports, .. } = lower;
    let kernel = b.finish();
    match bindings {
        Ok(bindings) if reports.is_empty() => Ok(LoweredKernel { kernel, bindings }),
        _ => Err(Rejected { diagnostics: reports, sources: kernel.sources().clone() }),
    }
}

impl Lower {
    fn whole(&mut self, name: &str, function: &RustFunction) -> OrNoValue<Vec<Binding>> {
        let read = self.read(function, Pos::NONE)?;
        self.enter(function.clone(), read.clone(), Pos::NONE)?;
        let pos = self.pos(read.tree.at);
        self.b.set_pos(pos);
        let [param] = &read.tree.params[..] else { return self.broken("a kernel without one parameter", pos) };
        // Rank and tile are those of the one parameter.
        let ty = self.ty(param.ty, pos)?;
        let held = match &ty {
            RustType::Index(rank) => {
                self.b.set_kernel(name, *rank, None);
                HeldAs::Thread(Builtin::Global)
            }
            RustType::TiledIndex(dims) => {
                self.b.set_kernel(name, dims.len() as u32, Some(dims.clone()));
                HeldAs::TiledThread
            }
            other => return self.broken(format!("a kernel over `{}`", other.show()), pos),
        };
        if read.tree.captures.len() != function.captures.len() {
            return self.broken("other captured names than types of them", pos);
        }
        let mut bindings = Vec::new();
        for (name, ty) in read.tree.captures.iter().zip(&function.captures) {
            let at = self.pos(name.at);
            self.declare_capture(&name.text, ty, &mut bindings, at)?;
        }
        self.b.begin_entry();
        let mut bound = bindings.iter().copied();
        for ty in &function.captures {
            let value = self.captured(&mut bound, ty);
            self.frame().captures.push(value);
        }
        self.bind(&param.pattern, &LoweredValue { ty, held }, pos)?;
        match self.block(&read.tree.body) {
            Ok(_) | Err(NoValue::Left | NoValue::Gone) => Ok(bindings),
            Err(NoValue::Failed) => Err(NoValue::Failed),
        }
    }

    /// Declares the parameters of a captured name. A struct that holds views has those of its fields,
    /// in their order; a view in it has the name of the whole.
    fn declare_capture(&mut self, name: &str, ty: &RustType, bindings: &mut Vec<Binding>, pos: Pos) -> OrNoValue<()> {
        let binding = match (ty, ty.holds()) {
            (_, TypeContents::Nothing) => Binding::Nothing,
            (RustType::Struct(it), TypeContents::Handle) => {
                for field in &it.fields {
                    let part = format!("{name}_{}", field.name);
                    let name = if field.ty.holds() == TypeContents::Handle { name } else { &part };
                    self.declare_capture(name, &field.ty, bindings, pos)?;
                }
                return Ok(());
            }
            (RustType::View { element, rank, access }, _) => {
                let Some(element) = memory(self.b.types(), element) else {
                    return self.broken(format!("a view of `{}`", element.show()), pos);
                };
                let kind = ParamKind::View(ViewType { element, rank: *rank, access: *access });
                Binding::View(self.b.param(name, kind, pos))
            }
            (_, TypeContents::Scalars) => {
                let whole = if ty.data().is_some() { memory } else { host_memory };
                match whole(self.b.types(), ty) {
                    Some(id) => Binding::Uniform(self.b.param(name, ParamKind::Uniform(id), pos)),
                    None => Binding::Nothing,
                }
            }
            (_, TypeContents::Handle) => {
                return self.formless(
                    format!("`{name}`, of type `{}`, holds a view inside of other data", ty.show()),
                    "captured here",
                    "capture the views by themselves: give each a name in front of the kernel",
                    pos,
                );
            }
        };
        bindings.push(binding);
        Ok(())
    }

    /// The value of a captured name in the kernel's body, of the next bindings.
    fn captured(&mut self, bound: &mut impl Iterator<Item = Binding>, ty: &RustType) -> LoweredValue {
        if let (RustType::Struct(it), TypeContents::Handle) = (ty, ty.holds()) {
            let parts: Vec<_> = it.fields.iter().map(|field| self.captured(bound, &field.ty)).collect();
            return LoweredValue::parts(ty.clone(), parts);
        }
        match bound.next().unwrap_or(Binding::Nothing) {
            // No capture of a closure is a buffer.
            Binding::Nothing | Binding::Buffer(_) => LoweredValue::nothing(ty),
            Binding::View(param) => LoweredValue::one(ty.clone(), self.b.param_value(param.index() as u32)),
            Binding::Uniform(param) if ty.data().is_some() => {
                let id = self.b.param_value(param.index() as u32);
                LoweredValue::one(ty.clone(), id)
            }
            Binding::Uniform(param) => {
                let place = Place { root: Root::Param(param), path: Vec::new() };
                LoweredValue { ty: ty.clone(), held: HeldAs::Kept(place.into()) }
            }
        }
    }
}

/// The bytes of a uniform parameter, from the scalars of the captured value.
pub(super) fn uniform_bytes(kernel: &Kernel, param: ParamId, leaves: &[u64]) -> Vec<u8> {
    let Some(ParamKind::Uniform(ty)) = kernel.params().get(param.index()).map(|param| param.kind) else {
        return Vec::new();
    };
    let mut bytes = vec![0; kernel.types().size(ty) as usize];
    let mut leaves = leaves.iter();
    kernel.types().leaves(ty, &mut |at, stored| {
        let bits = leaves.next().copied().unwrap_or(0);
        let size = stored.size() as usize;
        let bits = if stored.value() == Scalar::Bool { u64::from(bits != 0) } else { bits };
        if let Some(to) = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..at + size)) {
            to.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    });
    bytes
}
