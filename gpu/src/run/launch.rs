//! A launch, from arguments to outcome.

use std::time::Duration;

use tilewise_ir::launch::{Argument, Domain, Ending, Memory, Outcome, Output, Refusal, check_arguments};
use wgpu::{BufferDescriptor, BufferUsages};

use super::device::{Device, Open};
use super::pack;
use super::pipeline::{Pipeline, Prepared};
use super::told;
use crate::lower::{HEAD, Key, TAIL, binding, block, messages};
use crate::ways::Way;

/// How to launch.
#[derive(Clone, Copy, Debug)]
pub struct LaunchOptions {
    /// How the kernel reaches the driver.
    pub way: Way,
    /// Rounds of loops that each thread may take; past them the launch ends with [`Ending::Interrupted`].
    pub rounds: Option<u32>,
    /// How long the device may take; past that it is given up.
    pub time_limit: Option<Duration>,
}

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions { way: Way::Module, rounds: None, time_limit: Some(Duration::from_secs(10)) }
    }
}

/// Rounds of loops for a thread if nobody says: a second or so.
const ROUNDS: u32 = 1 << 27;
/// Words of the message buffer: room for all the output that a launch keeps.
const MESSAGES: u32 = 1 << 20;

impl Device {
    /// Launches a kernel in pieces of bytes, as the interpreter's `run` does. What the device or the way cannot do is [`Refusal::Unsupported`], before anything has run.
    pub fn run(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        memory: &mut Memory,
        arguments: &[Argument],
        options: &LaunchOptions,
    ) -> Result<Outcome, Refusal> {
        domain.check(kernel.kernel())?;
        check_arguments(kernel.kernel(), memory, arguments)?;
        let unsupported = |text: String| Refusal::Unsupported(text);
        let rounds = self.adapter().rounds();
        let key = Key { strict: options.way == Way::Strict, rounds, ..Key::of(kernel.kernel(), domain, arguments) };
        let mut pieces = vec![0; key.params.iter().filter_map(|param| param.home).max().map_or(0, |n| n as usize + 1)];
        for (param, argument) in key.params.iter().zip(arguments) {
            let piece = match argument {
                Argument::View(view) => view.piece,
                Argument::Buffer { piece, .. } => *piece,
                Argument::Uniform(_) => continue,
            };
            if let Some(home) = param.home {
                pieces[home as usize] = piece;
            }
        }
        let most = self.adapter().limits().max_storage_buffer_binding_size;
        if let Some(piece) = pieces.iter().find(|&&piece| memory.pieces[piece].len() as u64 + 128 > most) {
            let size = memory.pieces[*piece].len();
            return Err(unsupported(format!(
                "{size} bytes in one piece are more than the {most} that the adapter binds"
            )));
        }
        let pipeline = kernel.pipeline(self, options.way, key.clone()).map_err(|reason| unsupported(reason.0))?;
        let open = self.opened().map_err(unsupported)?;
        let driver = self.adapter().rounds();
        let asked = options.rounds.unwrap_or(ROUNDS);
        let rounds = driver.map_or(asked, |most| most.min(asked));
        let job = Job { device: self, open: &open, key: &key, pipeline: &pipeline, pieces: &pieces, rounds };
        let outcome = job.run(kernel, domain, memory, arguments, options).map_err(unsupported)?;
        if outcome.ending == Ending::Interrupted && driver.is_some_and(|most| most < asked) {
            let why = format!(
                "the driver of `{}` ends loops of a thread after {rounds} rounds or some more",
                self.adapter().name()
            );
            return Err(unsupported(why));
        }
        Ok(outcome)
    }
}

struct Job<'a> {
    device: &'a Device,
    open: &'a Open,
    key: &'a Key,
    pipeline: &'a Pipeline,
    /// The piece that each home is.
    pieces: &'a [usize],
    rounds: u32,
}

/// Buffers of a launch.
struct Buffers {
    messages: Option<wgpu::Buffer>,
    constants: Option<wgpu::Buffer>,
    homes: Vec<wgpu::Buffer>,
}

impl Job<'_> {
    fn run(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        memory: &mut Memory,
        arguments: &[Argument],
        options: &LaunchOptions,
    ) -> Result<Outcome, String> {
        let lowered = &self.pipeline.lowered;
        let inlined = kernel.kernel().inlined();
        let mut words = pack::words(inlined, &lowered.layout, domain, arguments);
        words[block::BUDGET as usize] = self.rounds;
        words[block::MESSAGES as usize] = MESSAGES;
        let constants = pack::constants(inlined, &lowered.layout, arguments);
        let buffers = self.buffers(memory, &constants)?;
        let mut parts = Vec::new();
        for pack::Dispatch { first, tiles: [x, y] } in pack::dispatches(inlined, domain, self.key) {
            words[block::FIRST as usize] = first;
            words[block::ROW as usize] = x;
            parts.push((self.bind(&words, &buffers)?, x, y));
        }
        let (back, submission) = self.open.checked(|device| {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(&self.pipeline.pipeline);
                for (group, x, y) in &parts {
                    pass.set_bind_group(0, group, &[]);
                    pass.dispatch_workgroups(*x, *y, 1);
                }
            }
            let written = buffers.homes.iter().zip(&lowered.homes).map(|(buffer, written)| written.then_some(buffer));
            let from: Vec<Option<&wgpu::Buffer>> = written.chain([buffers.messages.as_ref()]).collect();
            let mut back = Vec::new();
            for from in from {
                back.push(from.map(|from| {
                    let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
                    let size = from.size();
                    let to =
                        device.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
                    encoder.copy_buffer_to_buffer(from, 0, &to, 0, size);
                    to
                }));
            }
            let submission = self.open.queue.submit([encoder.finish()]);
            back.iter().flatten().for_each(|buffer| buffer.map_async(wgpu::MapMode::Read, .., |_| ()));
            (back, submission)
        })?;
        if !self.open.wait(submission, options.time_limit) {
            let why = "the device did not answer within the time limit";
            self.device.park(why, (parts, buffers, back));
            return Ok(Output::<tilewise_ir::pos::Pos>::default().outcome(Ending::Interrupted, 0));
        }
        if let Some(lost) = self.device.lost() {
            return Err(lost);
        }
        let read = |buffer: &wgpu::Buffer| -> Result<Vec<u8>, String> {
            let bytes =
                buffer.get_mapped_range(..).map_err(|error| format!("a buffer cannot be read: {error}"))?.to_vec();
            buffer.unmap();
            Ok(bytes)
        };
        let said = back.last().and_then(Option::as_ref).map(read).transpose()?.unwrap_or_default();
        for (buffer, &piece) in back.iter().zip(self.pieces) {
            if let Some(buffer) = buffer {
                let bytes = read(buffer)?;
                let to = &mut memory.pieces[piece];
                let from = HEAD as usize..HEAD as usize + to.len();
                to.copy_from_slice(bytes.get(from).ok_or("a buffer came back too short")?);
            }
        }
        let said: Vec<u32> = said.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        Ok(told::outcome(&said, &lowered.sites, inlined, domain))
    }

    fn buffers(&self, memory: &Memory, constants: &[u8]) -> Result<Buffers, String> {
        let lowered = &self.pipeline.lowered;
        self.open.checked(|device| {
            let make = |size: u64| {
                let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
                device.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
            };
            let queue = &self.open.queue;
            let homes = self.pieces.iter().map(|&piece| {
                let bytes = &memory.pieces[piece];
                let size = (bytes.len() as u64).next_multiple_of(4);
                let buffer = make(u64::from(HEAD) + size + u64::from(TAIL));
                let whole = bytes.len() / 4 * 4;
                queue.write_buffer(&buffer, u64::from(HEAD), &bytes[..whole]);
                if whole < bytes.len() {
                    let mut last = [0; 4];
                    last[..bytes.len() - whole].copy_from_slice(&bytes[whole..]);
                    queue.write_buffer(&buffer, u64::from(HEAD) + whole as u64, &last);
                }
                buffer
            });
            let homes = homes.collect();
            let messages = lowered.messages.then(|| {
                let buffer = make(u64::from(MESSAGES) * 4);
                let all = u32::MAX.to_le_bytes();
                queue.write_buffer(&buffer, u64::from(messages::LOWEST) * 4, &all);
                buffer
            });
            let constants = (lowered.layout.constants > 0).then(|| {
                let buffer = make(constants.len() as u64);
                queue.write_buffer(&buffer, 0, constants);
                buffer
            });
            Buffers { messages, constants, homes }
        })
    }

    /// The argument block of a dispatch, bound with the rest.
    fn bind(&self, words: &[u32], buffers: &Buffers) -> Result<wgpu::BindGroup, String> {
        self.open.checked(|device| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
            let size = bytes.len() as u64;
            let arguments =
                device.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
            self.open.queue.write_buffer(&arguments, 0, &bytes);
            let mut more = vec![(binding::BLOCK, arguments)];
            let mut add = |binding: u32, buffer: &'_ wgpu::Buffer| more.push((binding, buffer.clone()));
            buffers.messages.iter().for_each(|buffer| add(binding::MESSAGES, buffer));
            buffers.constants.iter().for_each(|buffer| add(binding::CONSTANTS, buffer));
            (0..).zip(&buffers.homes).for_each(|(home, buffer)| add(binding::HOMES + home, buffer));
            let entries: Vec<wgpu::BindGroupEntry<'_>> = more
                .iter()
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding: *binding,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &self.pipeline.layout,
                entries: &entries,
            })
        })
    }
}
