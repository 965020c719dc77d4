//! How far the built-in functions of a GPU are from the exact result: what Relaxed could take instead of `fast_math`, and why Strict does not.
//!
//! Arguments lie evenly among the bits of all floats in a range. What is exact is computed in double precision, whose own error is below a millionth of the unit that counts here: the last place of
//! the `f32` that the exact result lies at. Results that are not normal numbers are left out, since GPUs may take them for zero.

use serde::Serialize;
use wgpu::BufferUsages;

use crate::device::{Gpu, Source};

/// A function: how WGSL names it, how Rust computes it, and which arguments it is asked for.
struct Function {
    wgsl: &'static str,
    exact: fn(f64) -> f64,
    range: [f32; 2],
}

const fn function(wgsl: &'static str, exact: fn(f64) -> f64, range: [f32; 2]) -> Function {
    Function { wgsl, exact, range }
}

const ALL: [f32; 2] = [-f32::MAX, f32::MAX];
const NATURAL: [f32; 2] = [f32::MIN_POSITIVE, f32::MAX];
const UNIT: [f32; 2] = [-1.0, 1.0];
const TURN: [f32; 2] = [-std::f32::consts::PI, std::f32::consts::PI];
const FAR: [f32; 2] = [-6400.0, 6400.0];

const FUNCTIONS: [Function; 24] = [
    function("1.0 / x", |x| 1.0 / x, ALL),
    function("sqrt(x)", f64::sqrt, NATURAL),
    function("inverseSqrt(x)", |x| 1.0 / x.sqrt(), NATURAL),
    function("exp(x)", f64::exp, [-87.0, 88.0]),
    function("exp2(x)", f64::exp2, [-126.0, 127.5]),
    function("log(x)", f64::ln, NATURAL),
    function("log2(x)", f64::log2, NATURAL),
    function("pow(x, 2.5)", |x| x.powf(2.5), [1e-12, 1e12]),
    function("sin(x)", f64::sin, TURN),
    function("sin(x)", f64::sin, FAR),
    function("cos(x)", f64::cos, TURN),
    function("cos(x)", f64::cos, FAR),
    function("tan(x)", f64::tan, TURN),
    function("asin(x)", f64::asin, UNIT),
    function("acos(x)", f64::acos, UNIT),
    function("atan(x)", f64::atan, ALL),
    function("atan2(x, 0.75)", |x| x.atan2(0.75), ALL),
    function("sinh(x)", f64::sinh, [-88.0, 88.0]),
    function("cosh(x)", f64::cosh, [-88.0, 88.0]),
    function("tanh(x)", f64::tanh, ALL),
    function("asinh(x)", f64::asinh, ALL),
    function("acosh(x)", f64::acosh, [1.0, f32::MAX]),
    function("atanh(x)", f64::atanh, [-0.999_999_9, 0.999_999_9]),
    function("fma(x, x, -1.0)", |x| x.mul_add(x, -1.0), [-2.0, 2.0]),
];

/// What was found of a function.
#[derive(Serialize)]
pub(crate) struct Found {
    function: &'static str,
    from: f32,
    to: f32,
    /// Largest error in units of the last place, and the argument there.
    most_ulp: f64,
    at: f32,
    /// Results of a hundred that are not the nearest float.
    not_nearest_percent: f64,
    /// Results that are NaN, infinite or zero where the exact one is a normal number.
    lost: u64,
    tried: u64,
}

impl Found {
    /// A line of the table.
    pub(crate) fn line(&self) -> String {
        let Found { function, from, to, most_ulp, at, not_nearest_percent, lost, tried } = self;
        let most = if *most_ulp < 1e7 { format!("{most_ulp:.2}") } else { format!("{most_ulp:.1e}") };
        let bits = at.to_bits();
        format!(
            "{function:<18}{from:>12.4e} .. {to:<12.4e}{most:>14} at {at:<14.6e} (0x{bits:08x}){not_nearest_percent:>9.2} %{lost:>8} of {tried}"
        )
    }
}

/// The line above the table.
pub(crate) const HEADING: &str =
    "function          arguments                     largest error, ulp                         not nearest      lost";

/// Arguments of a range, evenly among the bits.
fn arguments([low, high]: [f32; 2], count: usize) -> Vec<f32> {
    // Floats in the order of numbers.
    let key = |x: f32| if x < 0.0 { -i64::from((-x).to_bits()) } else { i64::from(x.to_bits()) };
    let float = |key: i64| if key < 0 { -f32::from_bits((-key) as u32) } else { f32::from_bits(key as u32) };
    let (first, last) = (key(low), key(high));
    let at = |i: usize| first + ((last - first) as i128 * i as i128 / (count as i128 - 1)) as i64;
    (0..count).map(|i| float(at(i))).collect()
}

/// The distance of two floats near the exact number.
fn unit(exact: f64) -> f64 {
    let exponent = ((exact.abs().to_bits() >> 52) as i32 - 1023).max(-126);
    2f64.powi(exponent - 23)
}

fn compare(function: &Function, arguments: &[f32], results: &[f32]) -> Found {
    let [from, to] = function.range;
    let mut found = Found {
        function: function.wgsl,
        from,
        to,
        most_ulp: 0.0,
        at: 0.0,
        not_nearest_percent: 0.0,
        lost: 0,
        tried: 0,
    };
    let mut other = 0_u64;
    for (&x, &result) in arguments.iter().zip(results) {
        let exact = (function.exact)(f64::from(x));
        let nearest = exact as f32;
        if !nearest.is_normal() || x.is_subnormal() {
            continue;
        }
        found.tried += 1;
        if !result.is_normal() {
            found.lost += 1;
            continue;
        }
        other += u64::from(result != nearest);
        let error = (f64::from(result) - exact).abs() / unit(exact);
        if error > found.most_ulp {
            (found.most_ulp, found.at) = (error, x);
        }
    }
    found.not_nearest_percent = 100.0 * other as f64 / found.tried.max(1) as f64;
    found
}

/// Asks the device for all functions, with so many arguments each.
pub(crate) fn measure(gpu: &Gpu, count: usize) -> Result<Vec<Found>, String> {
    FUNCTIONS.iter().map(|function| one(gpu, function, count)).collect()
}

fn one(gpu: &Gpu, function: &Function, count: usize) -> Result<Found, String> {
    let text = format!(
        "@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(256) fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {{
    let i = (w.y * 256u + w.x) * 256u + l;
    let x = a[i];
    b[i] = {};
}}",
        function.wgsl
    );
    let pipeline = gpu.pipeline(Source::Wgsl(&text), None)?;
    let arguments = arguments(function.range, count);
    let bytes: Vec<u8> = arguments.iter().flat_map(|x| x.to_le_bytes()).collect();
    let input = gpu.buffer(bytes.len() as u64, 0, &bytes, BufferUsages::STORAGE);
    let output = gpu.buffer(bytes.len() as u64, 0, &[], BufferUsages::STORAGE);
    let bound = [&input, &output].map(|buffer| buffer.as_entire_binding());
    let entries: Vec<wgpu::BindGroupEntry<'_>> =
        (0..).zip(bound).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
    let layout = &pipeline.get_bind_group_layout(0);
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(256, (count / 65536) as u32, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    let results = gpu.read(&output, 0, bytes.len() as u64)?;
    let results: Vec<f32> = results.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    Ok(compare(function, &arguments, &results))
}
