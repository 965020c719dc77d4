//! The traps of naga and of drivers that docs/gpu.md lists, each as a test of what is lowered: what must not be handed to a driver is not.
//!
//! What only running shows is in the suite's files and in `rows`, which docs/gpu.md names beside these.

mod suite;

use std::collections::BTreeSet;

use naga::{AddressSpace, BinaryOperator, Expression, Handle, MathFunction, Module, Statement, TypeInner};
use tilewise_gpu::exact::{Exact, NativeOp};
use tilewise_gpu::lower::{LaunchPredicates, LoweredModule, ModuleKey, lower};
use tilewise_gpu::shader_form::wgsl;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_ir::text::parse;
use tilewise_ir::types::Scalar;

fn kernel(text: &str) -> Checked<Kernel> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Lowered for views of four elements, each of which may lie in memory of its own.
fn lowered_in(text: &str, allocations: &[usize], strict: bool) -> LoweredModule {
    let kernel = kernel(text);
    let arguments: Vec<Argument> =
        allocations.iter().map(|&allocation| Argument::View(ViewArgument::dense(allocation, &[4]))).collect();
    let strict = strict.then_some(Exact::LEAST);
    let key =
        ModuleKey { strict, ..ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &arguments) };
    lower(&kernel, &key).unwrap_or_else(|reason| panic!("{reason}"))
}

fn text(body: &str, ty: &str, strict: bool) -> String {
    let kernel = format!("kernel k(a: view<{ty}, 1, read>, b: view<{ty}, 1, read_write>) rank(1) {{ {body} }}");
    wgsl(&lowered_in(&kernel, &[0, 1], strict)).unwrap_or_else(|reason| panic!("{reason}"))
}

/// The kernels of the suite as modules, each strict and not.
fn modules() -> Vec<(String, LoweredModule)> {
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
    assert!(!strict.contains("+ 0f") && strict.contains("= home_0_[0];"), "{strict}");
}

#[test]
fn trap_a_fused_product_is_computed_by_us_where_floats_are_strict() {
    let strict = text("b[0] = fma(a[0], a[1], a[2]);", "f32", true);
    assert!(strict.contains("fn fma_f32") && !strict.contains(" fma("), "{strict}");
}

/// Strict WGSL for a driver of which that is exact.
fn strict_text(body: &str, ty: &str, exact: Exact) -> String {
    let text = format!("kernel k(a: view<{ty}, 1, read>, b: view<{ty}, 1, read_write>) rank(1) {{ {body} }}");
    let kernel = kernel(&text);
    let views = (0..2).map(|allocation| Argument::View(ViewArgument::dense(allocation, &[4])));
    let arguments: Vec<Argument> = views.collect();
    let of = ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &arguments);
    let lowered = lower(&kernel, &ModuleKey { strict: Some(exact), ..of }).unwrap_or_else(|reason| panic!("{reason}"));
    wgsl(&lowered).unwrap_or_else(|reason| panic!("{reason}"))
}

#[test]
fn what_is_exact_is_left_to_the_driver_and_nothing_else() {
    let body = "b[0] = fma(sqrt(a[0]), floor(a[1]), -a[2]) / abs(a[3]) + 0.0;";
    let all = strict_text(body, "f32", Exact::ALL);
    for own in ["fma(", "sqrt(", "floor(", "/ abs(", "+ 0f"] {
        assert!(all.contains(own), "{own}: {all}");
    }
    assert!(!all.contains("_f32"), "{all}");
    let least = strict_text(body, "f32", Exact::LEAST);
    for ours in ["fn fma_f32", "fn sqrt_f32", "fn floor_f32", "fn div_f32", "fn abs_f32", "fn neg_f32"] {
        assert!(least.contains(ours), "{ours}: {least}");
    }
    let root = Exact::ALL.without(NativeOp::Sqrt, Scalar::F32);
    assert!(strict_text(body, "f32", root).contains("inverseSqrt("));
    let step = root.without(NativeOp::RootByStep, Scalar::F32);
    let stepped = strict_text(body, "f32", step);
    assert!(stepped.contains("fn closer_f32") && stepped.contains("inverseSqrt("), "{stepped}");
    let near = strict_text(body, "f32", step.without(NativeOp::StepNear, Scalar::F32));
    assert!(near.contains("fn closer_f32") && !near.contains("inverseSqrt("), "{near}");
}

#[test]
fn inverses_of_roots_and_quotients_have_steps_of_their_own() {
    let exact = Exact::ALL.without(NativeOp::Sqrt, Scalar::F32);
    let inverse = |body: &str, exact| strict_text(body, "f32", exact);
    let body = "b[0] = 1.0 / sqrt(a[0]); b[1] = rcp(sqrt(a[1]));";
    let stepped = inverse(body, exact);
    assert_eq!(stepped.matches("= inverse_root_f32").count(), 2, "{stepped}");
    assert!(inverse(body, Exact::ALL).contains("= inverse_root_f32"));
    let plain = inverse(body, exact.without(NativeOp::InverseBySteps, Scalar::F32));
    assert!(plain.contains("= sqrt_f32") && !plain.contains("inverse_root"), "{plain}");
    // The numerator is another, or the format is.
    assert!(!inverse("b[0] = 2.0 / sqrt(a[0]);", exact).contains("= inverse_root"));
    let wide = strict_text("b[0] = 1.0f64 / sqrt(a[0]);", "f64", Exact::ALL);
    assert!(!wide.contains("inverse"), "{wide}");
    let divided = inverse("b[0] = a[0] / a[1];", Exact::ALL.without(NativeOp::Div, Scalar::F32));
    assert!(divided.contains("fn divided_f32"), "{divided}");
}

#[test]
fn roots_of_numbers_that_cannot_be_small_need_no_test_of_their_range() {
    let exact = Exact::ALL.without(NativeOp::Sqrt, Scalar::F32);
    let rooted =
        |x: &str| strict_text(&format!("let x = a[0]; b[0] = sqrt({x}); b[1] = 1.0 / sqrt({x});"), "f32", exact);
    for large in [
        "x * x + 0.01",
        "x * x * abs(x) + 0.5 + abs(x)",
        "x * x + sqrt(x) + 1e-10",
        "max(x, 0.5)",
        "select(x > 1.0, 2.0 + abs(x), fma(x, x, 0.5))",
        "min(abs(a[1]) + 1.0, 3.0)",
        "(global[0] as u32) as f32 + 0.5",
    ] {
        let text = rooted(large);
        assert!(text.contains("= sqrt_large_f32") && text.contains("= inverse_root_large_f32"), "{large}: {text}");
    }
    for any in ["x + 0.01", "x * a[1] + 1.0", "x * x + 1e-20", "x * x - 0.5", "min(x, 0.5)", "max(x, a[1])"] {
        let text = rooted(any);
        assert!(text.contains("= sqrt_f32") && text.contains("= inverse_root_f32"), "{any}: {text}");
    }
}

#[test]
fn comparisons_are_the_drivers_own_where_denormals_make_no_difference() {
    let exact = Exact::ALL.without(NativeOp::Compare, Scalar::F32);
    let compared = |condition: &str| {
        let text = strict_text(&format!("b[0] = select({condition}, a[1], a[2]);"), "f32", exact);
        text.contains("fn lt_f32")
            || text.contains("fn lt0_f32")
            || text.contains("fn gt0_f32")
            || text.contains("fn eq_f32")
    };
    let own = [
        "(a[0] as i32) as f32 < 0.0",
        "sqrt(a[0]) == floor(a[3])",
        "a[0] + 0.5 > 0.0",
        "abs(a[0] - 3.0) < -floor(a[1])",
    ];
    for condition in own {
        assert!(!compared(condition), "{condition}");
    }
    for condition in
        ["a[0] < a[3]", "a[0] < 0.0", "0.0 < a[0]", "a[0] == 1e-40", "a[0] + 1e-35 < a[3]", "a[0] * 2.0 < a[3]"]
    {
        assert!(compared(condition), "{condition}");
    }
    // A conversion to the format that a number has changes nothing.
    assert!(compared("to_f32(a[0]) < to_f32(a[3])") && compared("to_f32(to_f64(a[0])) < 0.0"));
    assert!(!compared("to_f32(sqrt(a[0])) < to_f32(to_u32(a[3]))"));
    let wide = Exact::ALL.without(NativeOp::Compare, Scalar::F64);
    let text = strict_text("b[0] = select(to_f64(a[0]) < to_f64(a[3]), a[1], a[2]);", "f64", wide);
    assert!(text.contains("fn lt_f64"), "{text}");
    // Beside a normal number one difference tells: a driver would make a minimum of `select(a < 4.0, a, 4.0)`, and nothing of a denormal.
    for (condition, function) in [("a[0] < 4.0", "fn ltc_f32"), ("-1.0 >= a[0]", "fn lec_f32")] {
        let text = strict_text(&format!("b[0] = select({condition}, a[1], a[2]);"), "f32", exact);
        assert!(text.contains(function) && !compared(condition), "{text}");
    }
}

#[test]
fn trap_memory_that_is_bound_twice_is_one_binding() {
    let kernel = "kernel k(a: view<i32, 1, read>, b: view<i32, 1, read_write>) rank(1) { b[0] = a[0]; }";
    let one = lowered_in(kernel, &[0, 0], false);
    assert_eq!(one.allocations, [true]);
    assert_eq!(lowered_in(kernel, &[0, 1], false).allocations, [false, true]);
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
        // Fused or not, which the rows permit: the modules are Relaxed.
        MathFunction::Fma,
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
fn trap_the_index_of_a_threads_own_array_is_no_counter() {
    let mut found = 0;
    for (path, kernel) in suite::kernels() {
        for late in [false, true] {
            let Ok(lowered) = lower(&kernel, &ModuleKey { indices_read_late: late, ..suite::key(&kernel) }) else {
                continue;
            };
            for function in functions(&lowered.module) {
                let expressions = &function.expressions;
                let is_mask = |&handle: &Handle<Expression>| {
                    matches!(expressions[handle], Expression::Literal(naga::Literal::U32(0x5bff_ffff)))
                };
                let is_masked = |handle: Handle<Expression>| {
                    let Expression::Binary { op: BinaryOperator::And, left, right } = expressions[handle] else {
                        return false;
                    };
                    [left, right].iter().any(is_mask)
                };
                for (_, expression) in expressions.iter() {
                    let Expression::Access { base, index } = *expression else { continue };
                    let is_own = matches!(expressions[base], Expression::LocalVariable(_));
                    assert_eq!(is_masked(index), is_own && late, "{}: {expression:?}", path.display());
                    found += usize::from(is_masked(index));
                }
            }
        }
    }
    assert!(found > 60, "only {found} indices");
}

#[test]
fn finite_loops_have_no_budget_and_say_nothing() {
    let finite = "kernel k(b: view<i32, 1, read_write>, n: i32) rank(1) {
        var i: i32 = 0; while i < n { b[i] = i; i = i + 1; } }";
    let perhaps = "kernel k(b: view<i32, 1, read_write>, n: i32) rank(1) {
        var i: i32 = 0; while i < n { b[i] = i; i = i + n; } }";
    let lowered_for = |text: &str, n: u8, rounds: Option<u32>| {
        let kernel = kernel(text);
        let arguments = [Argument::View(ViewArgument::dense(0, &[4])), Argument::Uniform(vec![n, 0, 0, 0])];
        let key = ModuleKey {
            rounds,
            ..ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &arguments)
        };
        lower(&kernel, &key).unwrap_or_else(|reason| panic!("{reason}"))
    };
    let lowered = |text: &str, rounds: Option<u32>| lowered_for(text, 0, rounds);
    assert!(!lowered(finite, None).messages);
    assert!(lowered(perhaps, None).messages);
    // A launch whose step is known to lead on.
    assert!(!lowered_for(perhaps, 4, None).messages);
    // A driver that stops threads: what may take many rounds is counted.
    assert!(lowered(finite, Some(65_000)).messages);
}

#[test]
fn loops_whose_counter_may_wrap_past_their_end_are_counted() {
    let up = "kernel k(b: view<i32, 1, read_write>, by: i32, end: i32) rank(1) {
        var i: i32 = 0; while i < end { b[0] = i; i = i + by; } }";
    let down = "kernel k(b: view<i32, 1, read_write>, by: i32, end: i32) rank(1) {
        var i: i32 = 1000; while i > end { b[0] = i; i = i - by; } }";
    let no_sign = "kernel k(b: view<i32, 1, read_write>, by: u32, end: u32) rank(1) {
        var i: u32 = 1000u32; while i >= end { b[0] = 1; i = i - by; } }";
    let twice = "kernel k(b: view<i32, 1, read_write>, by: i32, end: i32) rank(1) {
        var i: i32 = 1; while i < end { b[0] = i; i = i * 2; } }";
    let counted = |text: &str, by: i32, end: i32| {
        let kernel = kernel(text);
        let numbers = [by, end].map(|number| Argument::Uniform(number.to_le_bytes().to_vec()));
        let [by, end] = numbers;
        let arguments = [Argument::View(ViewArgument::dense(0, &[4])), by, end];
        let key = ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &arguments);
        lower(&kernel, &key).unwrap_or_else(|reason| panic!("{reason}")).messages
    };
    assert!(!counted(up, 4, 1000) && counted(up, 4, i32::MAX) && counted(up, 0, 1000) && counted(up, -4, 1000));
    assert!(!counted(down, 4, 0) && counted(down, 4, i32::MIN) && counted(down, 0, 0) && counted(down, i32::MIN, 0));
    assert!(counted(no_sign, 4, 0) && counted(no_sign, 4, 1) && counted(no_sign, -4, 1000));
    assert!(counted(twice, 1, i32::MAX));
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

/// The WGSL of a kernel with two views of four elements and a captured number.
fn text_for(text: &str, n: i32, strict: bool) -> String {
    let kernel = kernel(text);
    let views = (0..2).map(|allocation| Argument::View(ViewArgument::dense(allocation, &[4])));
    let arguments: Vec<Argument> = views.chain([Argument::Uniform(n.to_le_bytes().to_vec())]).collect();
    let strict = strict.then_some(Exact::LEAST);
    let key =
        ModuleKey { strict, ..ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &arguments) };
    let lowered = lower(&kernel, &key).unwrap_or_else(|reason| panic!("{reason}"));
    wgsl(&lowered).unwrap_or_else(|reason| panic!("{reason}"))
}

#[test]
fn indices_below_a_number_of_the_launch_are_tested_only_where_that_does_not_fit() {
    let copy = "kernel k(a: view<i32, 1, read>, b: view<i32, 1, read_write>, n: i32) rank(1) {
        var i: i32 = 0; while i < n { b[i] = a[i]; i = i + 1; } }";
    let tests = |n: i32| text_for(copy, n, false).matches("select(").count();
    assert_eq!([tests(3), tests(4), tests(5), tests(-1)], [0, 0, 2, 0]);
}

#[test]
fn functions_of_the_library_are_the_drivers_only_where_floats_are_relaxed() {
    let kernel = "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>, n: i32) rank(1) {
        b[0] = fast_math::exp(a[0]) + fast_math::sin(a[1]); }";
    let [relaxed, strict] = [false, true].map(|strict| text_for(kernel, 0, strict));
    assert!(relaxed.contains(" exp(") || relaxed.contains("(exp("), "{relaxed}");
    assert!(!strict.contains("exp("), "{strict}");
    assert!(!relaxed.contains("sin("), "{relaxed}");
    for function in ["exp", "exp2", "log", "log2"] {
        let kernel = format!(
            "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>, n: i32) rank(1) {{ b[0] = fast_math::{function}(a[0]); }}"
        );
        let text = text_for(&kernel, 0, false);
        assert!(text.contains(&format!("{function}(")), "{text}");
        // A function of the kernel's own by that name is what it says, also beside one of the library's.
        let own = format!("fn fast_math::{function}(x: f32) -> f32 {{ return x * 3.0; }}\n{kernel}");
        let text = text_for(&own, 0, false);
        assert!(!text.contains(&format!("{function}(")) && text.contains("* 3f"), "{text}");
    }
    let both = "fn fast_math::exp(x: f32) -> f32 { return x * 3.0; }
        kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>, n: i32) rank(1) {
        b[0] = fast_math::exp(a[0]) + fast_math::log2(a[1]); }";
    let text = text_for(both, 0, false);
    assert!(!text.contains("exp(") && text.contains("* 3f") && text.contains("log2("), "{text}");
}

/// Is the value of an expression a float, or a vector of such?
fn is_float(types: &naga::UniqueArena<naga::Type>, info: &naga::valid::FunctionInfo, of: Handle<Expression>) -> bool {
    let kind = info[of].ty.inner_with(types).scalar_kind();
    kind == Some(naga::ScalarKind::Float)
}

/// What of a driver's own a float operation is, but sums, differences and products.
fn own_float(module: &Module, info: &naga::valid::FunctionInfo, expression: &Expression) -> Option<String> {
    use naga::BinaryOperator as B;
    let float = |of| is_float(&module.types, info, of);
    match *expression {
        Expression::Binary { op, left, .. } if float(left) => {
            (!matches!(op, B::Add | B::Subtract | B::Multiply)).then(|| format!("{op:?}"))
        }
        Expression::Unary { op, expr } if float(expr) => Some(format!("{op:?}")),
        Expression::Math { fun, arg, .. } if float(arg) => Some(format!("{fun:?}")),
        Expression::As { expr, kind, convert: Some(_) } if float(expr) || kind == naga::ScalarKind::Float => {
            Some(format!("a conversion to {kind:?}"))
        }
        _ => None,
    }
}

#[test]
fn a_driver_that_is_exact_in_no_more_than_it_must_be_is_asked_for_nothing_else() {
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
    let (mut strict, mut asked) = (0, BTreeSet::new());
    for (path, kernel) in suite::kernels() {
        let lowered = suite::lowered(&kernel).into_iter().filter(|(strict, _)| *strict);
        for (_, LoweredModule { module, .. }) in lowered {
            strict += 1;
            let info = validator.validate(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let own = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
            let entries = (0..).zip(&module.entry_points).map(|(i, entry)| (&entry.function, info.get_entry_point(i)));
            for (function, info) in own.chain(entries) {
                let own =
                    function.expressions.iter().filter_map(|(_, expression)| own_float(&module, info, expression));
                asked.extend(own.map(|own| {
                    format!("{own} in {} of {}", function.name.as_deref().unwrap_or("main"), path.display())
                }));
            }
        }
    }
    assert!(strict > 300, "only {strict} modules");
    assert!(asked.is_empty(), "{asked:#?}");
}
