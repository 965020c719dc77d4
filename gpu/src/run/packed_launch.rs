//! A launch without a device: the lowered module, the bytes of the buffers that it binds, and its
//! dispatches. Whoever runs the shader elsewhere gets everything that a launch here would give it, and
//! reads the outcome from the buffers as a launch here does.

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, OutputCollector, Refusal, validate};
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_levels;

use super::launched::MESSAGES;
use super::message_readback;
use super::pack::{self, TileDispatch};
use crate::exact::Exact;
use crate::lower::{HEAD, LaunchPredicates, LoweredModule, ModuleKey, TAIL, binding, block, lower, messages};

/// A lowered kernel with the data of one launch.
#[derive(Clone, Debug)]
pub struct PackedLaunch {
    /// The module.
    pub lowered: LoweredModule,
    /// The storage buffers, in the order of their bindings; a shader's writes go into them.
    pub buffers: Vec<PackedBuffer>,
    /// The dispatches, in order.
    pub dispatches: Vec<TileDispatch>,
    /// The argument block, except for the words of a dispatch.
    words: Vec<u32>,
    /// For each allocation of the module: its number in the launch's memory.
    allocations: Vec<usize>,
}

/// A storage buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedBuffer {
    /// Its binding in group 0.
    pub binding: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl PackedLaunch {
    /// Lowers a kernel for a launch: Strict with the operations that the shader's runtime computes
    /// exactly, else Relaxed. `rounds` limits the iterations of a thread's loops.
    pub fn new(
        kernel: &Checked<Kernel>,
        domain: &Domain,
        memory: &LaunchMemory,
        arguments: &[Argument],
        strict: Option<Exact>,
        rounds: u32,
    ) -> Result<PackedLaunch, Refusal> {
        domain.check(kernel)?;
        validate(kernel, arguments, |allocation| memory.facts(allocation))?;
        let inlined = kernel.inlined();
        let wants = with_levels(inlined.levels(), || LaunchPredicates::of(kernel));
        let key = ModuleKey { strict, ..ModuleKey::of(inlined, &wants, domain, arguments) };
        let lowered = lower(kernel, &key).map_err(|why| Refusal::Unsupported(why.0))?;
        let mut words = pack::words(inlined, &lowered.layout, domain, arguments);
        words[block::BUDGET as usize] = rounds;
        words[block::MESSAGES as usize] = MESSAGES;
        let mut allocations = vec![0; lowered.allocations.len()];
        for (param, argument) in key.params.iter().zip(arguments) {
            let slot = param.allocation.and_then(|number| allocations.get_mut(number as usize));
            if let (Some(slot), Some(allocation)) = (slot, argument.allocation()) {
                *slot = allocation;
            }
        }
        let buffers = lowered.bindings().into_iter().filter_map(|number| {
            let bytes = match number {
                binding::BLOCK => return None,
                binding::MESSAGES => silence(),
                binding::CONSTANTS => pack::constants(inlined, &lowered.layout, arguments),
                number => with_head(&memory.allocations[allocations[(number - binding::ALLOCATIONS) as usize]]),
            };
            Some(PackedBuffer { binding: number, bytes })
        });
        let buffers = buffers.collect();
        let dispatches = pack::dispatches(inlined, domain, &key);
        Ok(PackedLaunch { lowered, buffers, dispatches, words, allocations })
    }

    /// The bytes of the uniform buffer of binding 0 for a dispatch.
    pub fn argument_block(&self, dispatch: TileDispatch) -> Vec<u8> {
        let mut words = self.words.clone();
        words[block::FIRST as usize] = dispatch.first;
        words[block::ROW as usize] = dispatch.tiles[0];
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Copies what the shader has written to the launch's memory.
    pub fn unpack(&self, memory: &mut LaunchMemory) {
        for (number, &allocation) in (binding::ALLOCATIONS..).zip(&self.allocations) {
            let Some(buffer) = self.buffers.iter().find(|buffer| buffer.binding == number) else { continue };
            let to = &mut memory.allocations[allocation];
            let head = HEAD as usize;
            let end = head + to.len();
            to.copy_from_slice(&buffer.bytes[head..end]);
        }
    }

    /// The outcome of the launch, from the messages of its threads.
    pub fn outcome(&self, kernel: &Checked<Kernel>, domain: &Domain) -> Outcome {
        match self.buffers.iter().find(|buffer| buffer.binding == binding::MESSAGES) {
            Some(buffer) => {
                let words =
                    buffer.bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                let words: Vec<u32> = words.collect();
                message_readback::outcome(&words, &self.lowered.sites, kernel.inlined(), domain)
            }
            None => OutputCollector::<Pos>::default().outcome(Ending::Completed, 0),
        }
    }
}

/// The message buffer before a launch.
fn silence() -> Vec<u8> {
    let mut bytes = vec![0; MESSAGES as usize * 4];
    for at in [messages::LOWEST, messages::LOWEST_TILE] {
        bytes[at as usize * 4..][..4].fill(u8::MAX);
    }
    bytes
}

/// An allocation as it is bound.
fn with_head(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; HEAD as usize];
    out.extend_from_slice(bytes);
    out.resize(HEAD as usize + bytes.len().next_multiple_of(4) + TAIL as usize, 0);
    out
}

#[cfg(test)]
mod tests {
    use tilewise_ir::launch::ViewArgument;

    use super::*;

    #[test]
    fn the_buffers_hold_the_memory_and_give_it_back() {
        let text = "kernel k(a: view<i32, 1, read>, out: view<i32, 1, read_write>) rank(1) {
            out[global[0]] = a[global[0]];
            print(\"here\");
        }";
        let kernel = tilewise_ir::text::parse("k.kir", text).expect("it parses");
        let kernel = tilewise_ir::check::check(kernel).expect("it is accepted");
        let mut memory = LaunchMemory::new(vec![vec![1; 12], vec![2; 12]]);
        let arguments = [0, 1].map(|allocation| Argument::View(ViewArgument::dense(allocation, &[3])));
        let domain = Domain::new([3]);
        let mut packed =
            PackedLaunch::new(&kernel, &domain, &memory, &arguments, Some(Exact::ALL), 9).expect("it fits");
        let bindings: Vec<u32> = packed.buffers.iter().map(|buffer| buffer.binding).collect();
        assert_eq!(bindings, [binding::MESSAGES, binding::ALLOCATIONS, binding::ALLOCATIONS + 1]);
        assert_eq!(packed.dispatches, [TileDispatch { first: 0, tiles: [1, 1] }]);
        let words = packed.argument_block(packed.dispatches[0]);
        assert_eq!(words.len(), packed.lowered.layout.words as usize * 4);
        assert_eq!(words[block::BUDGET as usize * 4], 9);
        assert_eq!(packed.outcome(&kernel, &domain).ending, Ending::Completed);
        packed.buffers[2].bytes[HEAD as usize] = 7;
        packed.unpack(&mut memory);
        assert_eq!(memory.allocations, [vec![1; 12], [vec![7], vec![2; 11]].concat()]);
    }
}
