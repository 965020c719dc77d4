//! What it costs to use the device through this project's own runtime: a launch that is waited for, launches that are queued, and bytes sent both ways.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tilewise_gpu::run::{Adapter, Buffer, GpuKernel, GpuLaunchOptions, GpuQueue};
use tilewise_gpu::shader_form::ShaderForm;
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_ir::text::parse;

/// A kernel that does as good as nothing, in memory that it might have written.
const NOTHING: &str =
    "kernel nothing(a: view<u32, 1, read_write>, n: i32) rank(1) { if n > 1 { a[global[0]] = 1u32; } }";

/// A measurement: the median, the shortest, and in what.
#[derive(Serialize)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) unit: &'static str,
    pub(crate) median: f64,
    pub(crate) shortest: f64,
}

impl Figure {
    /// Of measurements of which each takes the seconds it gives; `per` of them are one.
    fn of(
        what: String,
        runs: usize,
        per: f64,
        mut once: impl FnMut() -> Result<f64, String>,
    ) -> Result<Figure, String> {
        let mut all = Vec::new();
        // The first prepares what is used again.
        for run in 0..=runs {
            let seconds = once()?;
            if run > 0 {
                all.push(seconds / per * 1e6);
            }
        }
        all.sort_by(f64::total_cmp);
        Ok(Figure { what, unit: "us", median: all[all.len() / 2], shortest: all[0] })
    }

    /// The same as a rate.
    fn rate(self, bytes: u64) -> Figure {
        let rate = |us: f64| bytes as f64 / us * 1e-3;
        Figure { unit: "GB/s", median: rate(self.median), shortest: rate(self.shortest), ..self }
    }

    pub(crate) fn line(&self) -> String {
        format!("{:<44}{:>12.3}{:>12.3} {}", self.what, self.median, self.shortest, self.unit)
    }
}

/// Queued launches of one measurement.
const MANY: u32 = 10_000;

struct Bench {
    queue: GpuQueue,
    kernel: GpuKernel,
    buffer: Buffer,
    options: GpuLaunchOptions,
}

impl Bench {
    fn launch(&self) -> Result<(), String> {
        let arguments = [Argument::View(ViewArgument::dense(0, &[256])), Argument::Uniform(vec![1, 0, 0, 0])];
        let buffers = std::slice::from_ref(&self.buffer);
        let launched = self.queue.launch(&self.kernel, &Domain::new([256]), buffers, &arguments, &self.options);
        launched.map(drop).map_err(|refusal| refusal.to_string())
    }

    fn wait(&self) -> Result<(), String> {
        self.queue.wait().map_err(|failed| failed.to_string())
    }
}

/// All figures of an adapter.
pub(crate) fn measure(adapter: &Adapter, large: bool, runs: usize) -> Result<Vec<Figure>, String> {
    let device = adapter.open().map_err(|failed| failed.to_string())?;
    let kernel = parse("nothing.kir", NOTHING).map_err(|failure| failure.to_string())?;
    let kernel = GpuKernel::new(Arc::new(check(kernel).map_err(|rejected| rejected.to_string())?));
    let buffer = device.allocate(1024, true).map_err(|failed| failed.to_string())?;
    let options = GpuLaunchOptions { way: ShaderForm::Module, ..GpuLaunchOptions::default() };
    let bench = Bench { queue: device.queue(), kernel, buffer, options };
    let mut out = Vec::new();
    out.push(Figure::of("a launch, waited for".into(), runs.max(7) * 30, 1.0, || {
        let begin = Instant::now();
        bench.launch()?;
        bench.wait()?;
        Ok(begin.elapsed().as_secs_f64())
    })?);
    let many = f64::from(MANY);
    out.push(Figure::of(format!("each of {MANY} queued launches, to queue"), runs, many, || {
        let begin = Instant::now();
        (0..MANY).try_for_each(|_| bench.launch())?;
        let queued = begin.elapsed().as_secs_f64();
        bench.wait()?;
        Ok(queued)
    })?);
    out.push(Figure::of(format!("each of {MANY} queued launches, done"), runs, many, || {
        let begin = Instant::now();
        (0..MANY).try_for_each(|_| bench.launch())?;
        bench.wait()?;
        Ok(begin.elapsed().as_secs_f64())
    })?);
    let sizes: &[u64] = if large { &[4 << 10, 1 << 20, 64 << 20, 1 << 30] } else { &[4 << 10, 1 << 20, 64 << 20] };
    for &size in sizes {
        out.extend(transfers(&bench.queue, size, runs)?);
    }
    Ok(out)
}

/// There and back.
fn transfers(queue: &GpuQueue, size: u64, runs: usize) -> Result<[Figure; 2], String> {
    let device = queue.device();
    let buffer = device.allocate(size, false).map_err(|failed| failed.to_string())?;
    let bytes: Vec<u8> = (0..size).map(|i| (i * 7 + i / 256) as u8).collect();
    let mut back = vec![0_u8; size as usize];
    let name = |way: &str| format!("{way} {} KiB", size >> 10);
    let up = Figure::of(name("to the device,"), runs, 1.0, || {
        let begin = Instant::now();
        queue.upload(&buffer, &[(0, &bytes)]).map_err(|failed| failed.to_string())?;
        queue.wait().map_err(|failed| failed.to_string())?;
        Ok(begin.elapsed().as_secs_f64())
    })?;
    let down = Figure::of(name("from the device,"), runs, 1.0, || {
        let begin = Instant::now();
        let write = |at: u64, bytes: &[u8]| back[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        queue.read(&buffer, &[(0, size)], write).map_err(|failed| failed.to_string())?;
        Ok(begin.elapsed().as_secs_f64())
    })?;
    if back != bytes {
        return Err(format!("{size} bytes came back as others"));
    }
    Ok([up.rate(size), down.rate(size)])
}
