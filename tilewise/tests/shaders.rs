//! Shaders through the library: bindings, overrides, errors, and tests of shaders as users write them
//! (a race found, an access out of range found, a shader that is right).

use tilewise::{Accelerator, AcceleratorView, ArrayView, Checks, Element, Error, ReadView, Result, Shader};

/// The accelerators of this machine that run shaders: all but `native`, and `cpu`.
fn accelerators() -> Vec<AcceleratorView> {
    let all = Accelerator::all().into_iter();
    let run = all.filter(|accelerator| !matches!(accelerator.path(), "native" | "cpu"));
    run.map(|accelerator| accelerator.default_view()).collect()
}

fn reference_with_checks() -> Result<AcceleratorView> {
    Accelerator::new("reference")?.view_builder().checks(Checks::ALL).create()
}

fn message(result: Result<impl Sized>) -> String {
    result.err().expect("it is refused").to_string()
}

const SUMS: &str = "
struct Params { scale: f32, count: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@group(1) @binding(0) var<uniform> params: Params;
override SIZE: u32 = 8u;
var<workgroup> part: array<f32, SIZE>;
@compute @workgroup_size(SIZE)
fn sum(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32,
       @builtin(workgroup_id) group: vec3u) {
    part[i] = select(0.0, a[id.x] * params.scale, id.x < params.count);
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (i < half) { part[i] += part[i + half]; }
        workgroupBarrier();
    }
    if (i == 0u) { sums[group.x] = part[0]; }
}
@compute @workgroup_size(1) fn clear() { sums[0] = 0.0; }
";

#[derive(Clone, Copy, Debug, tilewise::AmpStruct)]
struct Params {
    scale: f32,
    count: u32,
}

#[test]
fn a_shader_runs_on_every_accelerator() -> Result<()> {
    let shader = Shader::from_wgsl("sums.wgsl", SUMS)?;
    assert_eq!(shader.entry_points().collect::<Vec<_>>(), ["sum", "clear"]);
    for accelerator in accelerators() {
        for size in [8u32, 16] {
            let numbers: Vec<f32> = (0..64).map(|i| i as f32).collect();
            let a = ArrayView::from_vec(64, numbers)?;
            let sums = ArrayView::from_vec(64 / size as i32, vec![-1.0f32; 64 / size as usize])?;
            let entry = shader.entry_with("sum", &[("SIZE", f64::from(size))])?;
            assert_eq!(entry.workgroup_size(), [size, 1, 1]);
            let entry = entry.bind(0, 0, &a)?.bind_named("sums", &sums)?;
            let entry = entry.value(1, 0, &Params { scale: 2.0, count: 60 })?;
            entry.dispatch(&accelerator, [64 / size, 1, 1])?;
            let of = |from: u32| (from..from + size).filter(|&i| i < 60).map(|i| 2.0 * i as f32).sum();
            let expected: Vec<f32> = (0..64 / size).map(|group| of(group * size)).collect();
            assert_eq!(sums.to_vec()?, expected, "{}", accelerator.accelerator());
        }
    }
    Ok(())
}

#[test]
fn views_of_structs_and_of_two_dimensions_are_bytes_to_a_shader() -> Result<()> {
    let text = "
    @group(0) @binding(0) var<storage, read_write> rows: array<array<vec2f, 3>>;
    @compute @workgroup_size(1, 2) fn main(@builtin(global_invocation_id) id: vec3u) {
        rows[id.y][id.x] += vec2f(f32(id.x), f32(id.y));
    }";
    let shader = Shader::from_wgsl("rows.wgsl", text)?;
    for accelerator in accelerators() {
        let view = ArrayView::from_vec((2, 6), vec![1.0f32; 12])?;
        shader.entry("main")?.bind(0, 0, &view)?.dispatch(&accelerator, [3, 1, 1])?;
        assert_eq!(view.to_vec()?, [1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 2.0]);
    }
    Ok(())
}

#[test]
fn a_shader_of_a_file_is_part_of_the_program() -> Result<()> {
    let shader = tilewise::shader!("../../conformance/kernels/shaders/control/while_loop.wgsl")?;
    let out = ArrayView::from_vec(16, vec![0u32; 16])?;
    let main = shader.entry("main")?.bind_named("out", &out)?;
    main.dispatch(&Accelerator::new("jit")?.default_view(), [2, 1, 1])?;
    let steps = |first: u32| {
        let (mut n, mut steps) = (first, 0);
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<u32> = (1..=16).map(steps).collect();
    assert_eq!(out.to_vec()?, expected);
    Ok(())
}

#[test]
fn a_test_of_a_shader_finds_its_race_at_the_line() -> Result<()> {
    let text = "
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(8) fn step(@builtin(global_invocation_id) id: vec3u) {
    cells[id.x] = cells[(id.x + 1u) % 8u] + 1u; // reads what a neighbour writes
}";
    let cells = ArrayView::from_vec(8, vec![0u32; 8])?;
    let step = Shader::from_wgsl("life.wgsl", text)?.entry("step")?.bind(0, 0, &cells)?;
    let found = step.dispatch(&reference_with_checks()?, [1, 1, 1]);
    let Err(Error::DataRace(race)) = found else { panic!("{found:?}") };
    assert!(race.to_string().contains("life.wgsl:4:"), "{race}");
    Ok(())
}

#[test]
fn a_test_of_a_shader_finds_its_access_out_of_range() -> Result<()> {
    let text = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8) fn fill(@builtin(global_invocation_id) id: vec3u) {
    v[id.x] = 1u; // nobody asks arrayLength(&v)
}";
    let v = ArrayView::from_vec(12, vec![0u32; 12])?;
    let fill = Shader::from_wgsl("fill.wgsl", text)?.entry("fill")?.bind(0, 0, &v)?;
    let found = fill.dispatch(&reference_with_checks()?, [2, 1, 1]);
    let Err(Error::OutOfBounds(beyond)) = found else { panic!("{found:?}") };
    assert!(beyond.to_string().contains("fill.wgsl:4:"), "{beyond}");
    // Without the check the write does nothing, on every accelerator.
    let unchecked = |accelerator: &AcceleratorView| accelerator.accelerator().path() != "reference";
    for accelerator in accelerators().into_iter().filter(unchecked) {
        fill.dispatch(&accelerator, [2, 1, 1])?;
        assert_eq!(v.to_vec()?, [1; 12]);
    }
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_before_anything_runs() -> Result<()> {
    let shader = Shader::from_wgsl("sums.wgsl", SUMS)?;
    let jit = Accelerator::new("jit")?.default_view();
    let data = [1.0f32; 8];
    let read: ReadView<'_, f32> = ArrayView::read_only(8, &data)?;
    let table = ArrayView::from_vec((4, 4), vec![0.0f32; 16])?;
    let columns = table.section((0, 0), (4, 2));
    let entry = shader.entry("sum")?;
    let text = message(entry.clone().bind(0, 7, &table));
    assert!(text.contains("no binding 0.7") && text.contains("0.1 (`sums`)"), "{text}");
    assert!(message(entry.clone().bind_named("b", &table)).contains("no variable `b`"));
    assert!(message(entry.clone().bind(0, 1, &read)).contains("read-only"));
    assert!(message(entry.clone().bind(0, 1, &columns)).contains("gaps"));
    assert!(message(entry.clone().bind(1, 0, &table)).contains("uniform variable"));
    assert!(message(entry.clone().value(1, 0, &1.0f32)).contains("has 8 bytes, and the value has 4"));
    assert!(message(entry.clone().value(0, 0, &1.0f32)).contains("storage buffer"));
    let part = entry.clone().bind(0, 0, &read)?;
    let text = message(part.dispatch(&jit, [1, 1, 1]));
    assert!(text.contains("0.1 (`sums`) is not bound, for the entry point `sum`, dispatched at "), "{text}");
    assert!(text.contains("shaders.rs:"), "{text}");
    let whole = part.bind(0, 1, &table)?.value(1, 0, &Params { scale: 1.0, count: 8 })?;
    for workgroups in [[0, u32::MAX, 1], [u32::MAX, 1, 1], [1 << 28, 1, 1]] {
        let refused = whole.dispatch(&jit, workgroups);
        let Err(Error::InvalidComputeDomain(found)) = refused else { panic!("{workgroups:?}: {refused:?}") };
        assert!(found.message.contains(", for the entry point `sum`, dispatched at "), "{}", found.message);
    }
    let refused = whole.dispatch(&jit, [1, 65_536, 65_536]);
    let Err(Error::InvalidComputeDomain(found)) = refused else { panic!("{refused:?}") };
    assert_eq!(found.dimension, None, "no dimension is at fault: {}", found.message);
    for none in [[0, 1, 1], [1, 1, 0], [0, 0, 0]] {
        whole.dispatch(&jit, none)?;
    }
    assert_eq!(table.to_vec()?, [0.0; 16], "nothing has run");
    let native = Accelerator::new("native")?.default_view();
    assert!(message(whole.dispatch(&native, [1, 1, 1])).contains("native"));
    assert!(message(shader.entry("product")).contains("`product`"));
    for (values, wanted) in [
        (&[("SIZE", 4.0), ("SIZE", 8.0)][..], "the override `SIZE` is given two values"),
        (&[("SIZE", 4.5)], "the override `SIZE` cannot have the value 4.5"),
        (&[("SIZE", f64::NAN)], "the override `SIZE` cannot have the value NaN"),
        (&[("WIDTH", 4.0)], "the shader has no override `WIDTH`"),
    ] {
        let text = message(shader.entry_with("sum", values));
        assert!(text.contains("K0904") && text.contains(wanted), "{text}");
    }
    assert!(message(Shader::from_wgsl("bad.wgsl", "fn f( {}")).contains("bad.wgsl:1:"));
    assert!(message(Shader::from_spirv("bad.spv", &[1, 2, 3, 4])).contains("K0901"));
    Ok(())
}

#[test]
fn a_buffer_of_fixed_size_needs_a_view_as_large() -> Result<()> {
    fn too_small<T: Element>(view: &ArrayView<'_, T>) -> Result<String> {
        let text = "
        @group(0) @binding(0) var<storage, read_write> v: array<vec4u, 4>;
        @compute @workgroup_size(1) fn main() { v[3].w = 7u; }";
        let entry = Shader::from_wgsl("fixed.wgsl", text)?.entry("main")?;
        Ok(entry.bind(0, 0, view).map_or_else(|error| error.to_string(), |_| String::new()))
    }
    let text = too_small(&ArrayView::from_vec(15, vec![0u32; 15])?)?;
    assert!(text.contains("at least 64 bytes, and the view has 60"), "{text}");
    assert_eq!(too_small(&ArrayView::from_vec(16, vec![0u32; 16])?)?, "");
    Ok(())
}

#[test]
fn a_value_is_not_taken_for_the_settings_of_a_sampler() -> Result<()> {
    let text = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
        @compute @workgroup_size(1) fn main() { out[0] = textureSampleLevel(t, s, vec2f(0.5), 0.0); }";
    let entry = Shader::from_wgsl("sampled.wgsl", text)?.entry("main")?;
    for refused in [entry.clone().value(0, 1, &4_u32), entry.clone().value(0, 1, &[77_u32; 9])] {
        assert!(message(refused).contains("0.1 (`s`) is a sampler: set it with `sampler`"));
    }
    Ok(())
}
