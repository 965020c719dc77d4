//! The traps of naga and of drivers that docs/gpu.md lists, each as a test of what is lowered: what must not be handed to a driver is not.
//!
//! What only running shows is in the suite's files and in `rows`, which docs/gpu.md names beside these.

mod suite;

use naga::{AddressSpace, Expression, MathFunction, Module, Statement, TypeInner};
use tilewise_gpu::lower::{Key, Lowered, lower};
use tilewise_gpu::ways::wgsl;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_ir::text::parse;

fn kernel(text: &str) -> Checked<Kernel> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Lowered for views of four elements, each of which may lie in memory of its own.
fn lowered_in(text: &str, pieces: &[usize], strict: bool) -> Lowered {
    let kernel = kernel(text);
    let arguments: Vec<Argument> =
        pieces.iter().map(|&piece| Argument::View(ViewArgument::dense(piece, &[4]))).collect();
    let key = Key { strict, ..Key::of(&kernel, &Domain::new([4]), &arguments) };
    lower(&kernel, &key).unwrap_or_else(|reason| panic!("{reason}"))
}

fn text(body: &str, ty: &str, strict: bool) -> String {
    let kernel = format!("kernel k(a: view<{ty}, 1, read>, b: view<{ty}, 1, read_write>) rank(1) {{ {body} }}");
    wgsl(&lowered_in(&kernel, &[0, 1], strict)).unwrap_or_else(|reason| panic!("{reason}"))
}

/// The kernels of the suite as modules, each strict and not.
fn modules() -> Vec<(String, Lowered)> {
    let mut modules = Vec::new();
    for (path, kernel) in suite::kernels() {
        modules.extend(suite::lowered(&kernel).into_iter().map(|(_, lowered)| (path.display().to_string(), lowered)));
    }
    assert!(modules.len() > 600, "only {} modules", modules.len());
    modules
}

fn functions(module: &Module) -> impl Iterator<Item = &naga::Function> {
    let own = module.functions.iter().map(|(_, function)| function);
    own.chain(module.entry_points.iter().map(|entry| &entry.function))
}

#[test]
fn trap_amounts_of_shifts_are_masked() {
    let text = text("b[0] = a[0] << (a[1] as u32);", "i32", false);
    assert!(text.contains("& 31u)"), "{text}");
}

#[test]
fn trap_floats_that_differ_are_not_asked_by_an_ordered_comparison() {
    let text = text("b[0] = select(a[0] != a[1], 1.0, 2.0);", "f32", false);
    assert!(text.contains("!((") && !text.contains("!="), "{text}");
}

#[test]
fn trap_conversions_to_integers_and_remainders_of_floats_are_functions_of_our_own() {
    let text = text("b[0] = ((a[0] as i32) as f32) + a[1] % a[2];", "f32", false);
    assert!(text.contains("fn to_i32_f32") && text.contains("fn rem_f32"), "{text}");
}

#[test]
fn trap_zeros_of_strict_kernels_come_out_of_memory() {
    let body = "b[0] = a[0] + 0.0;";
    assert!(text(body, "f32", false).contains("+ 0f"));
    let strict = text(body, "f32", true);
    assert!(!strict.contains("+ 0f") && strict.contains("arguments[0].x"), "{strict}");
}

#[test]
fn trap_a_fused_product_is_computed_by_us_where_floats_are_strict() {
    let strict = text("b[0] = fma(a[0], a[1], a[2]);", "f32", true);
    assert!(strict.contains("fn fma_f32") && !strict.contains(" fma("), "{strict}");
}

#[test]
fn trap_memory_that_is_bound_twice_is_one_binding() {
    let kernel = "kernel k(a: view<i32, 1, read>, b: view<i32, 1, read_write>) rank(1) { b[0] = a[0]; }";
    let one = lowered_in(kernel, &[0, 0], false);
    assert_eq!(one.homes, [true]);
    assert_eq!(lowered_in(kernel, &[0, 1], false).homes, [false, true]);
}

#[test]
fn trap_a_store_of_a_byte_leaves_its_neighbours_alone() {
    let kernel = "kernel k(b: view<u8, 1, read_write>) rank(1) { b[global[0]] = 7u32; }";
    let text = wgsl(&lowered_in(kernel, &[0], false)).unwrap_or_else(|reason| panic!("{reason}"));
    assert!(text.contains("atomicAnd(") && text.contains("atomicOr("), "{text}");
}

#[test]
fn trap_rough_and_missing_functions_are_never_used() {
    // Exact on every driver, or computed from integers; everything else is code of ours.
    let exact = [
        MathFunction::Min,
        MathFunction::Max,
        MathFunction::Clamp,
        MathFunction::Abs,
        MathFunction::Sqrt,
        MathFunction::CountOneBits,
        MathFunction::CountLeadingZeros,
        MathFunction::CountTrailingZeros,
        MathFunction::ReverseBits,
        MathFunction::FirstLeadingBit,
        MathFunction::FirstTrailingBit,
        MathFunction::ExtractBits,
        MathFunction::InsertBits,
    ];
    for (name, lowered) in modules() {
        for function in functions(&lowered.module) {
            for (_, expression) in function.expressions.iter() {
                if let Expression::Math { fun, .. } = expression {
                    assert!(exact.contains(fun), "{name}: {fun:?}");
                }
            }
        }
    }
}

#[test]
fn trap_no_pointer_is_handed_to_a_function() {
    for (name, lowered) in modules() {
        for (_, function) in lowered.module.functions.iter() {
            for argument in &function.arguments {
                let ty = &lowered.module.types[argument.ty].inner;
                let is_pointer = matches!(ty, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. });
                assert!(!is_pointer, "{name}: {:?} takes a pointer", function.name);
            }
        }
    }
}

#[test]
fn trap_atomic_memory_is_of_integers() {
    for (name, lowered) in modules() {
        for (_, ty) in lowered.module.types.iter() {
            if let TypeInner::Atomic(scalar) = ty.inner {
                let is_integer = matches!(scalar.kind, naga::ScalarKind::Sint | naga::ScalarKind::Uint);
                assert!(is_integer, "{name}: an atomic {scalar:?}");
            }
        }
    }
}

#[test]
fn trap_memory_of_the_tile_is_cleared_by_the_kernel_unless_it_is_written_first() {
    let reads =
        "kernel k(b: view<i32, 1, read_write>) tile(4) { tile_static t: [i32; 4]; b[global[0]] = t[local[0]]; }";
    let writes = "kernel k(b: view<i32, 1, read_write>) tile(4) { tile_static t: [i32; 4];
        t[local[0]] = global[0]; barrier; b[global[0]] = t[3 - local[0]]; }";
    let some = "kernel k(b: view<i32, 1, read_write>) tile(4) { tile_static t: [i32; 4];
        if local[0] > 1 { t[local[0]] = global[0]; } barrier; b[global[0]] = t[3 - local[0]]; }";
    let early = "kernel k(b: view<i32, 1, read_write>) tile(4) { tile_static t: [i32; 4];
        t[local[0]] = global[0]; b[global[0]] = t[3 - local[0]]; barrier; }";
    let larger = "kernel k(b: view<i32, 1, read_write>) tile(4) { tile_static t: [i32; 5];
        t[local[0]] = global[0]; barrier; b[global[0]] = t[4 - local[0]]; }";
    let zeros = |kernel: &str| {
        let lowered = lowered_in(kernel, &[0], false);
        let module = &lowered.module;
        let body = &module.entry_points[0].function.body;
        let is_clear = |statement: &Statement| matches!(statement, Statement::ControlBarrier(_));
        let shared = module.global_variables.iter().any(|(_, variable)| variable.space == AddressSpace::WorkGroup);
        assert!(shared, "the kernel has no memory of the tile");
        body.iter().filter(|statement| is_clear(statement)).count()
    };
    // One barrier more than the kernel has itself.
    assert_eq!(zeros(reads), 1);
    assert_eq!(zeros(writes), 1);
    assert_eq!(zeros(some), 2);
    assert_eq!(zeros(early), 2);
    assert_eq!(zeros(larger), 2);
}

#[test]
fn finite_loops_have_no_budget_and_say_nothing() {
    let finite = "kernel k(b: view<i32, 1, read_write>, n: i32) rank(1) {
        var i: i32 = 0; while i < n { b[i] = i; i = i + 1; } }";
    let perhaps = "kernel k(b: view<i32, 1, read_write>, n: i32) rank(1) {
        var i: i32 = 0; while i < n { b[i] = i; i = i + n; } }";
    let lowered = |text: &str, rounds: Option<u32>| {
        let kernel = kernel(text);
        let arguments = [Argument::View(ViewArgument::dense(0, &[4])), Argument::Uniform(vec![4, 0, 0, 0])];
        let key = Key { rounds, ..Key::of(&kernel, &Domain::new([4]), &arguments) };
        lower(&kernel, &key).unwrap_or_else(|reason| panic!("{reason}"))
    };
    assert!(!lowered(finite, None).messages);
    assert!(lowered(perhaps, None).messages);
    // A driver that stops threads: what may take many rounds is counted.
    assert!(lowered(finite, Some(65_000)).messages);
}

#[test]
fn barriers_in_finite_loops_are_not_voted_on() {
    let text = "kernel k(b: view<f32, 1, read_write>) tile(4) {
        tile_static t: [f32; 4];
        t[local[0]] = b[global[0]];
        barrier;
        var half: i32 = 2;
        while half > 0 {
            if local[0] < half { t[local[0]] = t[local[0]] + t[local[0] + half]; }
            barrier;
            half = half / 2;
        }
        b[global[0]] = t[0];
    }";
    let text = wgsl(&lowered_in(text, &[0], false)).unwrap_or_else(|reason| panic!("{reason}"));
    assert!(!text.contains("votes") && !text.contains("messages"), "{text}");
}
