//! Floats of Relaxed targets: their drivers may contract and reorder float operations, so floats may differ
//! from the reference's, and what a kernel computes of them. Nothing else may.

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Block, Function, InstKind, Kernel, ParamKind, ValueId};
use tilewise_ir::launch::{Argument, LaunchMemory};
use tilewise_ir::types::{Stored, Type, TypeId, Types};

use crate::memory_difference::difference_beside_floats;

/// Does the kernel compute with floats?
pub fn has_floats(kernel: &Checked<Kernel>) -> bool {
    kernel.inlined().entry().values().iter().any(|value| value.ty.data().is_some_and(|data| data.scalar.is_float()))
}

/// May a float of the kernel affect anything but floats in memory: an integer, a condition, a line of output, a
/// message, bytes that a parameter stores something else in? Where it cannot, a Relaxed target must give all of
/// these as the reference does. The answer is "yes" where it is not sure.
pub fn floats_escape(kernel: &Checked<Kernel>, arguments: &[Argument]) -> bool {
    let inlined = kernel.inlined();
    has_floats(kernel) && (shares_float_bytes(inlined, arguments) || leaves_floats(inlined.entry()))
}

/// May a Relaxed target leave the second memory where the reference leaves the first? Both launches have ended
/// in the same way.
pub fn relaxed_allows(
    kernel: &Checked<Kernel>,
    arguments: &[Argument],
    reference: &LaunchMemory,
    relaxed: &LaunchMemory,
) -> bool {
    has_floats(kernel)
        && (floats_escape(kernel, arguments)
            || difference_beside_floats(kernel, arguments, reference, relaxed).is_none())
}

/// Does an instruction make something else of a float?
fn leaves_floats(function: &Function) -> bool {
    let is_float = |value: &ValueId| function.value(*value).ty.data().is_some_and(|data| data.scalar.is_float());
    let mut rest: Vec<&Block> = vec![function.body()];
    while let Some(block) = rest.pop() {
        for inst in &block.insts {
            let leaves = match &inst.kind {
                InstKind::Op { args, .. } => {
                    args.iter().any(is_float) && inst.result.as_ref().is_some_and(|result| !is_float(result))
                }
                InstKind::Print(message) | InstKind::Error(message) => message.values.iter().any(is_float),
                // It compares.
                InstKind::CompareExchange { expected, .. } => is_float(expected),
                // Another type over the same bytes; and a call that was not inlined, which may do anything.
                InstKind::Reinterpret { .. } | InstKind::Call { .. } => true,
                InstKind::Compose(_)
                | InstKind::Splat { .. }
                | InstKind::Swizzle { .. }
                | InstKind::ComponentAt { .. }
                | InstKind::Builtin(_)
                | InstKind::ViewExtent { .. }
                | InstKind::Section { .. }
                | InstKind::Project { .. }
                | InstKind::ViewAs { .. }
                | InstKind::Length(_)
                | InstKind::Load(_)
                | InstKind::Store { .. }
                | InstKind::Copy { .. }
                | InstKind::Atomic { .. }
                | InstKind::Declare { .. }
                | InstKind::Barrier(_)
                | InstKind::Fence(_)
                | InstKind::Abort
                | InstKind::If { .. }
                | InstKind::Loop { .. }
                | InstKind::Switch { .. }
                | InstKind::Scope { .. }
                | InstKind::Break { .. }
                | InstKind::Continue { .. }
                | InstKind::Return(_) => false,
            };
            if leaves {
                return true;
            }
            inst.kind.each_block(&mut |inner| rest.push(inner));
        }
    }
    false
}

/// Do two parameters lie in one allocation, one of which is written and one of which stores floats, unless all that
/// both store are floats of one format?
fn shares_float_bytes(kernel: &Kernel, arguments: &[Argument]) -> bool {
    let types = kernel.types();
    let mut params = Vec::new();
    for (param, argument) in kernel.params().iter().zip(arguments) {
        let Some(allocation) = argument.allocation() else { continue };
        let (ty, is_written) = match param.kind {
            ParamKind::View(view) => (view.element, param.kind.is_writable()),
            ParamKind::Buffer { ty, .. } => (ty, param.kind.is_writable()),
            ParamKind::Uniform(_) => continue,
        };
        params.push((allocation, StoredFormats::of(types, ty), is_written));
    }
    let mut pairs = (0..params.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.any(|(i, j)| {
        let ((here, one, writes), (there, other, also_writes)) = (&params[i], &params[j]);
        here == there
            && (*writes || *also_writes)
            && (one.has_floats || other.has_floats)
            && !(one.sole.is_some() && one.sole == other.sole)
    })
}

/// The formats of the scalars of a type.
struct StoredFormats {
    has_floats: bool,
    /// The one format of all scalars.
    sole: Option<Stored>,
}

impl StoredFormats {
    fn of(types: &Types, ty: TypeId) -> StoredFormats {
        let (mut has_floats, mut first, mut is_sole) = (false, None, true);
        formats(types, ty, &mut |stored| {
            has_floats |= stored.value().is_float();
            is_sole &= *first.get_or_insert(stored) == stored;
        });
        StoredFormats { has_floats, sole: first.filter(|_| is_sole) }
    }
}

/// Visits the formats of the scalars of a type: of an array those of one element.
fn formats(types: &Types, ty: TypeId, visit: &mut dyn FnMut(Stored)) {
    match types.get(ty) {
        &Type::Scalar(stored) | &Type::Vector(stored, _) => visit(stored),
        &Type::Array { element, .. } => formats(types, element, visit),
        Type::Struct(described) => described.fields.iter().for_each(|field| formats(types, field.ty, visit)),
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::launch::ViewArgument;
    use tilewise_ir::text;

    use super::*;

    /// A kernel with this body, over two views in allocations of their own or in one.
    fn escapes(second: &str, body: &str, apart: bool) -> bool {
        let text = format!(
            "kernel k(a: view<f32, 1, read_write>, b: view<{second}, 1, read_write>, x: f32) rank(1) {{ {body} }}"
        );
        let kernel = check(text::parse("k.kir", &text).unwrap()).unwrap();
        let view = |allocation| Argument::View(ViewArgument::dense(allocation, &[4]));
        let arguments = [view(0), view(usize::from(apart)), Argument::Uniform(vec![0; 4])];
        floats_escape(&kernel, &arguments)
    }

    #[test]
    fn floats_that_stay_floats_do_not_escape() {
        for body in [
            "a[global[0]] = a[global[0]] * x + 2.0;",
            "b[global[0]] = b[global[0]] * 3; a[global[0]] = x + b[0] as f32;",
            "if b[0] > 2 { a[0] = a[1] * x; }",
        ] {
            assert!(!escapes("i32", body, true), "{body}");
        }
    }

    #[test]
    fn comparisons_conversions_and_output_of_floats_escape() {
        for body in [
            "if x > 2.0 { b[global[0]] = 1; }",
            "b[global[0]] = (a[global[0]] * x) as i32;",
            "b[global[0]] = bitcast_i32(x);",
            "print(\"{}\", x);",
            "if b[global[0]] == 1 { error(\"{}\", x); }",
            "if is_nan(x) { b[global[0]] = 1; }",
        ] {
            assert!(escapes("i32", body, true), "{body}");
        }
    }

    #[test]
    fn floats_escape_into_memory_of_another_format() {
        let body = "a[global[0]] = a[global[0]] * x;";
        assert!(escapes("i32", body, false));
        assert!(escapes("f64", body, false));
        assert!(!escapes("f32", body, false));
        assert!(!escapes("i32", "b[global[0]] = 1;", true));
    }

    #[test]
    fn a_relaxed_target_may_leave_other_floats_and_no_other_integers() {
        let allows = |body: &str, left: [u32; 2], right: [u32; 2]| {
            let text =
                format!("kernel k(a: view<f32, 1, read_write>, b: view<u32, 1, read_write>) rank(1) {{ {body} }}");
            let kernel = check(text::parse("k.kir", &text).unwrap()).unwrap();
            let arguments = [0, 1].map(|number| Argument::View(ViewArgument::dense(number, &[1])));
            let memory = |words: [u32; 2]| LaunchMemory::new(words.map(|word| word.to_le_bytes().to_vec()).to_vec());
            relaxed_allows(&kernel, &arguments, &memory(left), &memory(right))
        };
        let stays = "a[0] = a[0] * 3.0; b[0] = 7u32;";
        assert!(allows(stays, [1, 7], [2, 7]));
        assert!(!allows(stays, [1, 7], [1, 8]));
        assert!(allows("b[0] = a[0] as u32;", [1, 7], [1, 8]));
        assert!(!allows("b[0] = 7u32;", [1, 7], [1, 8]));
    }
}
