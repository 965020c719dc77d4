//! PoCL: kernels in OpenCL's C.
#![allow(unsafe_code, reason = "OpenCL takes kernels and their arguments on trust")]

use std::sync::Arc;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_TRUE;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::by_hand;
use super::plan::DriverPlan;

/// What to do where there is none.
const INSTALL: &str = "Debian: `apt-get install pocl-opencl-icd`";

/// A processor, with the kernels built for it.
pub(super) struct OpenClDevice(Arc<OpenClOpen>);

struct OpenClOpen {
    context: Context,
    queue: CommandQueue,
    program: Program,
}

/// A kernel with its memory.
pub(super) struct OpenClWork {
    open: Arc<OpenClOpen>,
    plan: DriverPlan,
    kernel: Kernel,
    buffers: Vec<Buffer<u32>>,
}

fn said(error: impl std::fmt::Display) -> String {
    format!("OpenCL says: {error}")
}

impl OpenClDevice {
    /// Looks for PoCL, and builds the kernels.
    pub(super) fn open() -> Result<OpenClDevice, String> {
        let platforms = get_platforms().map_err(|error| format!("there is no OpenCL ({error}); {INSTALL}"))?;
        let is_pocl = |name: &String| name.contains("Portable Computing Language");
        let platform = platforms.iter().find(|platform| platform.name().as_ref().is_ok_and(is_pocl));
        let platform = platform.ok_or_else(|| format!("none of the OpenCL platforms is PoCL; {INSTALL}"))?;
        let devices = platform.get_devices(opencl3::device::CL_DEVICE_TYPE_CPU).map_err(said)?;
        let device = opencl3::device::Device::new(*devices.first().ok_or("PoCL has no processor")?);
        let context = Context::from_device(&device).map_err(said)?;
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0).map_err(said)?;
        let program = Program::create_and_build_from_source(&context, by_hand::OPENCL, "").map_err(said)?;
        Ok(OpenClDevice(Arc::new(OpenClOpen { context, queue, program })))
    }

    pub(super) fn prepare(&self, plan: DriverPlan) -> Result<OpenClWork, String> {
        let open = Arc::clone(&self.0);
        let kernel = Kernel::create(&open.program, plan.name).map_err(said)?;
        let mut buffers = Vec::new();
        for words in &plan.buffers {
            // SAFETY: OpenCL allocates the memory: no pointer is given.
            let buffer = unsafe { Buffer::create(&open.context, CL_MEM_READ_WRITE, words.len(), std::ptr::null_mut()) };
            buffers.push(buffer.map_err(said)?);
        }
        let mut work = OpenClWork { open, plan, kernel, buffers };
        for buffer in 0..work.buffers.len() {
            work.write(buffer)?;
        }
        Ok(work)
    }
}

impl OpenClWork {
    /// Writes the initial contents of a buffer.
    fn write(&mut self, buffer: usize) -> Result<(), String> {
        let (to, words) = (&mut self.buffers[buffer], &self.plan.buffers[buffer]);
        // SAFETY: the buffer has as many words, and the call returns when they are copied.
        let written = unsafe { self.open.queue.enqueue_write_buffer(to, CL_TRUE, 0, words, &[]) };
        written.map(drop).map_err(said)
    }

    fn launch(&self, buffers: &[usize]) -> Result<(), String> {
        let plan = &self.plan;
        let dimensions = if plan.threads[1] > 1 { 2 } else { 1 };
        let mut launch = ExecuteKernel::new(&self.kernel);
        for &buffer in buffers {
            // SAFETY: the kernel's first parameters are as many buffers of words or floats.
            unsafe { launch.set_arg(&self.buffers[buffer]) };
        }
        for number in &plan.numbers {
            // SAFETY: the others are 32-bit numbers.
            unsafe { launch.set_arg(number) };
        }
        launch.set_global_work_sizes(&plan.threads[..dimensions]);
        if plan.tiled {
            launch.set_local_work_sizes(&plan.tile[..dimensions]);
        }
        // SAFETY: each thread of the kernels touches elements below the number of threads, or of
        // the size that it is given, which the buffers have.
        unsafe { launch.enqueue_nd_range(&self.open.queue) }.map(drop).map_err(said)
    }
}

impl PreparedWork for OpenClWork {
    fn restore(&mut self) -> Result<(), String> {
        for buffer in self.plan.changed.clone() {
            self.write(buffer)?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), String> {
        for buffers in &self.plan.launches {
            self.launch(buffers)?;
        }
        self.open.queue.finish().map_err(said)
    }

    fn output(&self) -> Result<PeerOutput, String> {
        let mut all = Vec::new();
        for &buffer in &self.plan.output {
            let mut words = vec![0; self.plan.buffers[buffer].len()];
            // SAFETY: the buffer has as many words, and the call returns when they are copied.
            unsafe { self.open.queue.enqueue_read_buffer(&self.buffers[buffer], CL_TRUE, 0, &mut words, &[]) }
                .map_err(said)?;
            all.extend(words);
        }
        Ok(self.plan.result(all))
    }
}
