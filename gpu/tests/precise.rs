//! Functions of `precise_math`: each becomes a strict shader that needs `f64`, and no other kind of shader.

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::{LaunchPredicates, ModuleKey, lower};
use tilewise_gpu::shader_form::{Controls, FloatControls, strict};
use tilewise_ir::build::Builder;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::{CallArgument, Const, FnParamKind, InstKind, Kernel};
use tilewise_ir::launch::Domain;
use tilewise_ir::pos::Pos;
use tilewise_ir::text::library;

/// A kernel that calls the function with ones.
fn caller(path: &str) -> Checked<Kernel> {
    let mut b = Builder::new("k", 1, None);
    let function = library::link(&mut b, path).unwrap_or_else(|| panic!("{path} is there"));
    let params: Vec<_> = b.so_far().functions()[function.index()].params().iter().map(|param| param.kind).collect();
    b.begin_entry();
    let args = params.iter().map(|kind| {
        let FnParamKind::Value(ty) = kind else { panic!("{path} takes values") };
        let scalar = ty.data().map(|data| data.scalar).unwrap_or_else(|| panic!("{path} takes numbers"));
        CallArgument::Value(b.constant(Const { scalar, bits: 1 }))
    });
    let args = args.collect();
    b.value(InstKind::Call { function, args }, Pos::NONE);
    check(b.finish()).unwrap_or_else(|rejected| panic!("{rejected}"))
}

#[test]
fn every_function_becomes_a_strict_shader_and_no_relaxed_one() {
    let all = Controls { signed_zero: true, denormals: true, nearest: true };
    let controls = FloatControls { single: all, double: all };
    let mut count = 0;
    for path in library::functions().filter(|path| path.starts_with("precise_math::")) {
        let kernel = caller(path);
        assert!(kernel.is_precise(), "{path}");
        let relaxed = ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &[]);
        let refused = lower(&kernel, &relaxed).err().unwrap_or_else(|| panic!("{path} in a relaxed shader"));
        assert_eq!(refused.0, "functions of `precise_math`, which are in strict shaders only");
        for exact in [Exact::ALL, Exact::LEAST] {
            let lowered = lower(&kernel, &ModuleKey { strict: Some(exact), ..relaxed.clone() });
            let lowered = lowered.unwrap_or_else(|reason| panic!("{path}: {reason}"));
            strict(&lowered, controls).unwrap_or_else(|reason| panic!("{path}: {reason}"));
        }
        count += 1;
    }
    assert!(count > 90, "{count} functions");
}
