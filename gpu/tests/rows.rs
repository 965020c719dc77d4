//! Every row of the op table, for each of its scalars: lowered for all of them; and on the first GPU, as strict SPIR-V, bit for bit what the row means, on all pairs of edge values: with what the
//! probe found to be exact there, with comparisons as for a driver that takes denormals for zeros, and with all computed by bits that can be.
//!
//! Without a GPU those tests are ignored, and say so. A NaN is equal to any NaN.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tilewise_gpu::exact::{Exact, NativeOp};
use tilewise_gpu::lower::{LaunchPredicates, ModuleKey, lower};
use tilewise_gpu::run::{Adapter, GpuDevice, GpuKernel, GpuLaunchOptions, adapters};
use tilewise_gpu::shader_form::{ShaderForm, validate};
use tilewise_ir::bytes::{decode, encode};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::ops::{Instance, Op, OpRow, SlotScalar, SlotWidth};
use tilewise_ir::text::parse;
use tilewise_ir::types::{Data, Scalar, Stored};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let device = adapters().first().map(Adapter::open);
    let device = match device {
        Some(Ok(device)) if device.adapter().has_strict() && device.adapter().has_double() => Some(device),
        _ => None,
    };
    let here = device.clone();
    let qualified = move || here.as_ref().map_or(Err("no GPU is here".into()), qualifies);
    let mut trials = vec![Trial::test("the GPU is strict", qualified).with_ignored_flag(device.is_none())];
    for row in Op::ROWS {
        let lowered = move || instances(row).into_iter().try_for_each(|data| lowers(row, &data));
        trials.push(Trial::test(format!("{} is lowered", row.name), lowered));
        let here = device.clone();
        let exact = move || match &here {
            Some(device) => instances(row).into_iter().try_for_each(|data| is_exact(device, row, &data)),
            None => Err("no strict GPU with 64-bit types is here".into()),
        };
        let name =
            format!("{} means the same on {}", row.name, device.as_ref().map_or("a GPU", |d| d.adapter().name()));
        trials.push(Trial::test(name, exact).with_ignored_flag(device.is_none()));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Both formats can be had, and what is not exact is said with a value that shows it.
fn qualifies(device: &GpuDevice) -> Result<(), Failed> {
    let adapter = device.adapter();
    adapter.strict()?;
    let found = adapter.qualified()?;
    for scalar in [Scalar::F32, Scalar::F64] {
        if let Some(fault) = found.lacks(scalar) {
            return Err(format!("{} of {scalar}: {}", fault.own.name(), fault.witness).into());
        }
        for own in found.exact.list(scalar, false) {
            let fault = found.faults.iter().find(|fault| (fault.own, fault.scalar) == (own, scalar));
            let asked = !matches!(
                own,
                NativeOp::RootByStep
                    | NativeOp::StepNear
                    | NativeOp::RootNear
                    | NativeOp::InverseBySteps
                    | NativeOp::DivBySteps
            );
            let said = fault.is_some_and(|fault| !fault.witness.is_empty());
            assert!(said || !asked, "{} of {scalar}", own.name());
        }
    }
    Ok(())
}

/// What is left to the driver: what is exact, the same with comparisons that it is no help for but with normal numbers, and as little as can be, also with its roots for a start, plain and reciprocal.
fn configurations(device: &GpuDevice) -> Result<Vec<Exact>, Failed> {
    let found = device.adapter().qualified()?.exact;
    let mut near = found;
    for scalar in [Scalar::F32, Scalar::F64] {
        if found.has(NativeOp::CompareNormal, scalar) {
            near = near.without(NativeOp::Compare, scalar);
        }
    }
    let helped = |exact: Exact, scalar| exact.with(NativeOp::RootNear, scalar).with(NativeOp::CompareNormal, scalar);
    let helped = helped(helped(Exact::LEAST, Scalar::F32), Scalar::F64);
    let stepped = helped.with(NativeOp::StepNear, Scalar::F32).with(NativeOp::InverseBySteps, Scalar::F32);
    let stepped = stepped.with(NativeOp::DivBySteps, Scalar::F32);
    let mut all = vec![found, near, Exact::LEAST, helped, stepped];
    all.dedup();
    Ok(all)
}

/// Types of the arguments for each scalar of a row, narrow and wide.
fn instances(row: &OpRow) -> Vec<Vec<Data>> {
    let scalars = if row.class.is_empty() { &[Scalar::U32][..] } else { row.class };
    let mut out = Vec::new();
    for &scalar in scalars {
        let mut widths = vec![row.widths.0, row.widths.1];
        widths.dedup();
        for width in widths {
            let data = |slot: &tilewise_ir::ops::OperandSlot| Data {
                scalar: match slot.scalar {
                    SlotScalar::Fixed(fixed) => fixed,
                    SlotScalar::T => scalar,
                },
                width: match slot.width {
                    SlotWidth::Exactly(n) => n,
                    SlotWidth::Common => width,
                },
            };
            out.push(row.args.iter().map(data).collect());
        }
    }
    out
}

/// How a value travels through memory: a `bool` as a number.
fn stored(data: Data) -> Data {
    if data.scalar == Scalar::Bool { data.with(Scalar::U32) } else { data }
}

fn zero(data: Data) -> String {
    let number = match data.scalar {
        Scalar::U32 => "0u32",
        _ => "0",
    };
    if data.width == 1 { number.to_owned() } else { format!("splat({number}, {})", data.width) }
}

fn kernel(row: &OpRow, types: &[Data], instance: Instance) -> Result<Checked<Kernel>, Failed> {
    let mut text = String::from("kernel k(");
    let mut call = format!("{}(", row.name);
    for (i, &data) in types.iter().enumerate() {
        write!(text, "a{i}: view<{}, 1, read>, ", stored(data))?;
        let value = format!("a{i}[global[0]]");
        let value = if data.scalar == Scalar::Bool { format!("({value} != {})", zero(stored(data))) } else { value };
        write!(call, "{}{value}", if i == 0 { "" } else { ", " })?;
    }
    call += ")";
    if instance.result.scalar == Scalar::Bool {
        call = format!("to_u32({call})");
    }
    write!(text, "out: view<{}, 1, read_write>) rank(1) {{ out[global[0]] = {call}; }}", stored(instance.result))?;
    let kernel = parse("k.kir", &text).map_err(|failure| format!("{text}\n{failure}"))?;
    Ok(check(kernel).map_err(|rejected| format!("{text}\n{rejected}"))?)
}

fn instance(row: &OpRow, types: &[Data]) -> Result<Instance, Failed> {
    Ok(row.op.resolve(types).map_err(|misfit| format!("{}: {misfit:?}", row.name))?)
}

fn lowers(row: &OpRow, types: &[Data]) -> Result<(), Failed> {
    let kernel = kernel(row, types, instance(row, types)?)?;
    let arguments: Vec<Argument> =
        (0..=types.len()).map(|allocation| Argument::View(ViewArgument::dense(allocation, &[1]))).collect();
    let lowered =
        lower(&kernel, &ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([1]), &arguments))
            .map_err(|reason| reason.0)?;
    validate(&lowered.module).map_err(|reason| reason.0)?;
    Ok(())
}

/// Bit patterns where operations have their edges.
fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::I32 | Scalar::U32 => {
            let numbers: [u32; 14] =
                [0, 1, 2, 3, 7, 31, 32, 33, 0x8000, 0x1234_5678, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX];
            numbers.map(u64::from).to_vec()
        }
        Scalar::I64 | Scalar::U64 => {
            let most = i64::MAX as u64;
            vec![
                0,
                1,
                2,
                3,
                63,
                64,
                1 << 31,
                1 << 32,
                (1 << 53) + 1,
                0x0123_4567_89ab_cdef,
                most,
                most + 1,
                most + 2,
                u64::MAX,
            ]
        }
        Scalar::F32 => {
            let numbers = [
                0.0,
                0.1,
                0.5,
                1.0,
                1.5,
                2.5,
                3.0,
                127.5,
                65519.9,
                16_777_217.0,
                2_147_483_648.0,
                1e19,
                1e38,
                1e-40,
                1.2e-38,
                f32::MIN_POSITIVE,
                f32::from_bits(1),
                f32::MAX,
                f32::INFINITY,
                f32::NAN,
            ];
            numbers.iter().flat_map(|x| [x.to_bits(), (-x).to_bits()]).map(u64::from).collect()
        }
        Scalar::F64 => {
            let numbers = [
                0.0,
                0.1,
                0.5,
                1.0,
                1.5,
                2.5,
                3.0,
                127.5,
                65519.9,
                16_777_217.0,
                2_147_483_648.0,
                1e19,
                1e300,
                1e-310,
                1e-45,
                f64::MIN_POSITIVE,
                f64::from_bits(1),
                f64::MAX,
                f64::INFINITY,
                f64::NAN,
            ];
            numbers.iter().flat_map(|x| [x.to_bits(), (-x).to_bits()]).collect()
        }
    }
}

fn is_exact(device: &GpuDevice, row: &OpRow, types: &[Data]) -> Result<(), Failed> {
    let instance = instance(row, types)?;
    let kernel = kernel(row, types, instance)?;
    // Each argument walks through its edges at its own pace, so that all pairs meet.
    let count = 2048usize;
    let mut lanes = vec![vec![[0u64; 4]; count]; types.len()];
    for (arg, data) in types.iter().enumerate() {
        let edges = edges(data.scalar);
        for (i, lane) in lanes[arg].iter_mut().enumerate() {
            for (component, to) in lane.iter_mut().take(usize::from(data.width)).enumerate() {
                let step = [i, i / edges.len(), i / 7, i / 11 + i][arg.min(3)];
                *to = edges[(step + component * 5) % edges.len()];
            }
        }
    }
    let mut memory = LaunchMemory::default();
    let mut arguments = Vec::new();
    for (allocation, data) in types.iter().copied().chain([instance.result]).enumerate() {
        let data = stored(data);
        let format: Stored = data.scalar.stored();
        let (size, width) = (format.size() as usize, usize::from(data.width));
        let mut bytes = vec![0xa5; count * size * width];
        if let Some(values) = lanes.get(allocation) {
            for (i, lane) in values.iter().enumerate() {
                for (c, &bits) in lane.iter().take(width).enumerate() {
                    encode(&mut bytes[(i * width + c) * size..], format, bits);
                }
            }
        }
        memory.allocations.push(bytes);
        arguments.push(Argument::View(ViewArgument::dense(allocation, &[count as i32])));
    }
    let prepared = GpuKernel::new(Arc::new(kernel));
    for exact in configurations(device)? {
        let mut memory = memory.clone();
        let options = GpuLaunchOptions { way: ShaderForm::Strict, exact: Some(exact), ..GpuLaunchOptions::default() };
        device
            .run(&prepared, &Domain::new([count as i32]), &mut memory, &arguments, &options)
            .map_err(|r| r.to_string())?;
        agree(row, types, instance, &lanes, &memory).map_err(|why| format!("{why} with {exact:?}"))?;
    }
    Ok(())
}

/// Is the last allocation of memory what the row means?
fn agree(
    row: &OpRow,
    types: &[Data],
    instance: Instance,
    lanes: &[Vec<[u64; 4]>],
    memory: &LaunchMemory,
) -> Result<(), String> {
    let count = lanes.first().map_or(0, Vec::len);
    let out = memory.allocations.last().ok_or("there is no result")?;
    let result = stored(instance.result);
    let (format, width) = (result.scalar.stored(), usize::from(result.width));
    for i in 0..count {
        let args: Vec<[u64; 4]> = lanes.iter().map(|values| values[i]).collect();
        let want = row.op.eval(instance, &args);
        for (c, &want) in want.iter().take(width).enumerate() {
            let got = decode(&out[(i * width + c) * format.size() as usize..], format);
            let nan = |bits: u64| match result.scalar {
                Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
                Scalar::F64 => f64::from_bits(bits).is_nan(),
                _ => false,
            };
            if got != want && !(nan(got) && nan(want)) {
                let name = row.name;
                return Err(format!("{name} of {types:?} component {c}: {args:x?} gives {got:#x}, not {want:#x}"));
            }
        }
    }
    Ok(())
}
