//! What the ways out look like: WGSL as people read it, and what strict SPIR-V says beyond naga's.

use expect_test::expect;
use tilewise_gpu::lower::{LaunchPredicates, LoweredModule, ModuleKey, lower};
use tilewise_gpu::shader_form::{Controls, FloatControls, strict, wgsl};
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_ir::text::parse;

fn lowered(text: &str) -> LoweredModule {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    let views = (0..kernel.params().len()).map(|allocation| Argument::View(ViewArgument::dense(allocation, &[4])));
    let arguments: Vec<Argument> = views.collect();
    let domain = Domain::new(vec![4; kernel.rank() as usize]);
    lower(&kernel, &ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &domain, &arguments))
        .unwrap_or_else(|reason| panic!("{reason}"))
}

const ADD: &str = "kernel add_up(a: view<f32, 1, read>, b: view<f32, 1, read>, sum: view<f32, 1, read_write>) rank(1) {
    sum[global[0]] = a[global[0]] + b[global[0]];
}";

#[test]
fn a_kernel_reads_as_wgsl() {
    let text = wgsl(&lowered(ADD)).unwrap_or_else(|reason| panic!("{reason}"));
    expect![[r#"
        @group(0) @binding(0) 
        var<uniform> arguments: array<vec4<u32>, 5>;
        @group(0) @binding(3) 
        var<storage> home_0_: array<u32>;
        @group(0) @binding(4) 
        var<storage> home_1_: array<u32>;
        @group(0) @binding(5) 
        var<storage, read_write> home_2_: array<u32>;

        @compute @workgroup_size(256, 1, 1) 
        fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) in_tile: u32) {
            let _e10 = arguments[0].z;
            let _e14 = (((tile.y * _e10) + tile.x) << 8u);
            let _e15 = (_e14 + in_tile);
            let _e18 = arguments[0].w;
            if ((_e15 >= _e18) || (_e15 < _e14)) {
                return;
            }
            let _e24 = arguments[2].z;
            let _e29 = arguments[3].y;
            let _e34 = arguments[4].x;
            let _e39 = home_0_[((_e24 >> 2u) + _e15)];
            let _e43 = home_1_[((_e29 >> 2u) + _e15)];
            home_2_[((_e34 >> 2u) + _e15)] = bitcast<u32>((bitcast<f32>(_e39) + bitcast<f32>(_e43)));
        }
    "#]].assert_eq(&text);
}

/// Instructions of a module: number and operands.
fn instructions(words: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let mut rest = words.get(5..).unwrap_or(&[]);
    let mut out = Vec::new();
    while let Some(&first) = rest.first() {
        let (inst, behind) = rest.split_at((first >> 16).max(1) as usize);
        out.push((first & 0xffff, inst[1..].to_vec()));
        rest = behind;
    }
    out
}

#[test]
fn every_float_operation_of_a_strict_kernel_is_kept_from_contraction() {
    let all = Controls { signed_zero: true, denormals: true, nearest: true };
    let controls = FloatControls { single: all, double: all };
    let words = strict(&lowered(ADD), controls).unwrap_or_else(|reason| panic!("{reason}"));
    let instructions = instructions(&words);
    let (fadd, decorate, mode) = (129, 71, 16);
    let sums: Vec<u32> = instructions.iter().filter(|(op, _)| *op == fadd).map(|(_, operands)| operands[1]).collect();
    assert_eq!(sums.len(), 1);
    assert!(instructions.contains(&(decorate, vec![sums[0], 42])), "the sum has no `NoContraction`");
    let modes: Vec<&Vec<u32>> =
        instructions.iter().filter(|(op, _)| *op == mode).map(|(_, operands)| operands).collect();
    for wanted in [4459, 4461, 4462] {
        assert!(modes.iter().any(|mode| mode[1..] == [wanted, 32]), "execution mode {wanted} is missing");
    }
}

#[test]
fn a_fence_where_threads_part_has_no_wgsl() {
    let text =
        "kernel k(a: view<u32, 1, read_write>) tile(4) { if a[global[0]] > 1u32 { fence; } a[global[0]] = 1u32; }";
    let reason = wgsl(&lowered(text)).err().map(|reason| reason.0).unwrap_or_default();
    assert!(reason.contains("fence without a barrier"), "{reason}");
}
