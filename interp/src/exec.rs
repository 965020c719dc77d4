//! The bytecode loop: runs one thread until it stops.
//!
//! Every slot in an instruction lies in the frame, and every index in its table, because
//! [`compile`](super::compile) generated them.

use super::code::{Apply, AtomicCode, Bytecode, ExchangeCode, FrameSlot, Instr, MessageCode, OpMeaning};
use super::memory::{self, ByteSpace, SpaceAddress, SpaceId, Spaces};
use super::meter::Meter;
use super::place;
use super::views;
use super::watch::{LaunchWatch, PendingWrite, Scene};
use tilewise_ir::bytes;
use tilewise_ir::launch::OutputCollector;
use tilewise_ir::types::Stored;

/// The mutable state of a running launch.
pub(super) struct RunningLaunch<'a, 'm, W> {
    pub(super) code: &'a Bytecode,
    pub(super) spaces: Spaces<'m>,
    /// The frame of the current thread; it begins with the shared lanes.
    pub(super) frame: Vec<u64>,
    /// The private memory of the current thread.
    pub(super) private: SpaceAddress,
    /// Its linear index in the domain.
    pub(super) thread: u64,
    pub(super) output: OutputCollector,
    pub(super) watch: W,
    scratch: Vec<u8>,
    pub(super) meter: Meter<'a>,
}

/// Where and why a thread stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ThreadStop {
    /// At a barrier.
    Barrier(u32),
    /// At the end of the kernel, by the instruction with this index.
    Returned(u32),
    /// By `error` or `abort`.
    Inert,
    /// Too little fuel for the next run of instructions.
    OutOfFuel,
    /// The caller of the launch interrupted it.
    Interrupted,
    /// The watcher stopped the launch.
    Stopped,
}

impl<'a, 'm, W: LaunchWatch> RunningLaunch<'a, 'm, W> {
    /// A machine ready for the first thread.
    pub(super) fn new(code: &'a Bytecode, spaces: Spaces<'m>, meter: Meter<'a>, watch: W) -> Self {
        let mut frame = code.frame.shared.clone();
        frame.resize(code.frame.lanes as usize, 0);
        RunningLaunch {
            code,
            spaces,
            frame,
            private: SpaceAddress { space: code.launch.private_space, at: 0 },
            thread: 0,
            output: OutputCollector::default(),
            watch,
            scratch: Vec::new(),
            meter,
        }
    }

    /// The output, the number of instructions executed, and the watcher.
    pub(super) fn finish(self) -> (OutputCollector, u64, W) {
        (self.output, self.meter.used, self.watch)
    }

    /// The bytes of a space that the interpreter owns.
    pub(super) fn own(&mut self, space: SpaceId) -> Option<&mut Vec<u8>> {
        self.spaces.get_mut(space as usize)?.own()
    }

    /// Runs the current thread from instruction `pc` until it stops.
    pub(super) fn run(&mut self, pc: u32) -> ThreadStop {
        let RunningLaunch { code, spaces, frame, private, watch, meter, .. } = self;
        let code = *code;
        let private = *private;
        let instrs = code.instrs.as_slice();
        let frame = frame.as_mut_slice();
        let mut pc = pc as usize;
        macro_rules! scene {
            () => {
                Scene { code, spaces, frame, pc: pc - 1 }
            };
        }
        loop {
            let instr = instrs[pc];
            pc += 1;
            match instr {
                Instr::Count(n) => {
                    if let Some(stop) = meter.count(n) {
                        return stop;
                    }
                    if watch.stopped() {
                        return ThreadStop::Stopped;
                    }
                }
                Instr::Copy { to, from } => frame[to as usize] = frame[from as usize],
                Instr::CopyLanes { to, from, count } => {
                    frame.copy_within(from as usize..(from + count) as usize, to as usize);
                }
                Instr::Set { to, value } => frame[to as usize] = u64::from(value),
                Instr::Zero { to, count } => frame[to as usize..][..count as usize].fill(0),
                Instr::Binary { op, to, a, b } => frame[to as usize] = op.apply(frame[a as usize], frame[b as usize]),
                Instr::Unary { op, to, a } => frame[to as usize] = op.apply(frame[a as usize]),
                Instr::Select { to, condition, a, b } => {
                    let from = if frame[condition as usize] != 0 { a } else { b };
                    frame[to as usize] = frame[from as usize];
                }
                Instr::Apply(i) => apply(&code.applies[i as usize], frame),
                Instr::Arithmetic(i) => watch.arithmetic(scene!(), &code.arithmetic[i as usize]),
                Instr::Component { to, from, index, width } => {
                    let i = place::index(frame, index);
                    watch.lane(scene!(), i, width, false);
                    let value = if i < u64::from(width) { frame[from as usize + i as usize] } else { 0 };
                    frame[to as usize] = value;
                }
                Instr::SetComponent { to, from, index, width } => {
                    let i = place::index(frame, index);
                    watch.lane(scene!(), i, width, true);
                    if i < u64::from(width) {
                        frame[to as usize + i as usize] = frame[from as usize];
                    }
                }
                Instr::Narrow { at, stored, width } => {
                    for lane in &mut frame[at as usize..][..usize::from(width)] {
                        *lane = bytes::narrow(stored, *lane);
                    }
                }
                Instr::View(i) => {
                    if !views::make(&code.views[i as usize], frame) {
                        watch.misfit(scene!());
                    }
                }
                Instr::LoadWord { to, view, index } => {
                    let address = views::word(frame, view, index);
                    watch.read(scene!(), address, 4);
                    frame[to as usize] = address.map_or(0, |address| memory::load_word(spaces, address));
                }
                Instr::StoreWord { from, view, index } => {
                    let address = views::word(frame, view, index);
                    watch.write(scene!(), address, 4, PendingWrite::Lanes(from, Stored::U32, 1));
                    if let Some(address) = address {
                        memory::store_word(spaces, address, frame[from as usize]);
                    }
                }
                Instr::Load { to, place, stored, width } => {
                    let address = place::address(&code.places[place as usize], frame, private);
                    watch.read(scene!(), address, u64::from(stored.size()) * u64::from(width));
                    let to = &mut frame[to as usize..][..usize::from(width)];
                    match address {
                        Some(address) => memory::load(spaces, address, stored, to),
                        None => to.fill(0),
                    }
                }
                Instr::Store { from, place, stored, width } => {
                    let address = place::address(&code.places[place as usize], frame, private);
                    let size = u64::from(stored.size()) * u64::from(width);
                    watch.write(scene!(), address, size, PendingWrite::Lanes(from, stored, width));
                    if let Some(address) = address {
                        memory::store(spaces, address, stored, &frame[from as usize..][..usize::from(width)]);
                    }
                }
                Instr::ClearPrivate { at, size, unset } => {
                    watch.declare(SpaceAddress { at: private.at + u64::from(at), ..private }, size, unset);
                    let first = private.at as usize + at as usize;
                    let bytes = spaces
                        .get_mut(private.space as usize)
                        .and_then(ByteSpace::own)
                        .map_or(&mut [][..], Vec::as_mut_slice);
                    if let Some(bytes) = bytes.get_mut(first..first + size as usize) {
                        bytes.fill(0);
                    }
                }
                Instr::CopyPlace(i) => {
                    let copy = &code.copies[i as usize];
                    let at = |place: u32| place::address(&code.places[place as usize], frame, private);
                    let (to, from) = (at(copy.to), at(copy.from));
                    if to.is_some() {
                        copy.shape.gather(spaces, from, &mut self.scratch);
                    }
                    watch.copy(scene!(), to, from, &copy.shape, &self.scratch);
                    copy.shape.scatter(spaces, to, &self.scratch);
                }
                Instr::Atomic(i) => {
                    let atomic = &code.atomics[i as usize];
                    let address = place::address(&code.places[atomic.place as usize], frame, private);
                    let size = u64::from(atomic.scalar.stored().size());
                    watch.atomic(scene!(), address, size, atomic.stores);
                    change(atomic, aligned(address, size), frame, spaces);
                }
                Instr::CompareExchange(i) => {
                    let exchange = &code.exchanges[i as usize];
                    let address = place::address(&code.places[exchange.place as usize], frame, private);
                    let size = u64::from(exchange.scalar.stored().size());
                    watch.atomic(scene!(), address, size, false);
                    compare_exchange(exchange, aligned(address, size), frame, spaces);
                }
                Instr::Jump(to) => pc = to as usize,
                Instr::JumpIf { condition, to } => {
                    if frame[condition as usize] != 0 {
                        pc = to as usize;
                    }
                }
                Instr::JumpUnless { condition, to } => {
                    if frame[condition as usize] == 0 {
                        pc = to as usize;
                    }
                }
                Instr::JumpUnlessBinary { op, a, b, to } => {
                    if op.apply(frame[a as usize], frame[b as usize]) == 0 {
                        pc = to as usize;
                    }
                }
                Instr::Switch { selector, table } => {
                    let table = &code.switches[table as usize];
                    let value = frame[selector as usize] as u32;
                    let found = table.cases.binary_search_by_key(&value, |&(value, _)| value);
                    pc = found.map_or(table.default, |i| table.cases[i].1) as usize;
                }
                Instr::Round { counter } => frame[counter as usize] += 1,
                Instr::Barrier(i) => return ThreadStop::Barrier(i),
                Instr::Print(i) => self.output.print(self.thread, text(&code.messages[i as usize], frame)),
                Instr::Error(i) => {
                    let text = text(&code.messages[i as usize], frame);
                    self.output.fail(self.thread, Some(text), code.report.pos[pc - 1]);
                    return ThreadStop::Inert;
                }
                Instr::Abort => {
                    self.output.fail(self.thread, None, code.report.pos[pc - 1]);
                    return ThreadStop::Inert;
                }
                Instr::Watch(i) => {
                    watch.did(self.thread, code.watches[i as usize], frame);
                }
                Instr::Return => return ThreadStop::Returned(pc as u32 - 1),
            }
        }
    }
}

/// Evaluates an operation by its row's meaning.
fn apply(code: &Apply, frame: &mut [u64]) {
    let mut args = [[0; 4]; 4];
    for (arg, &(from, width)) in args.iter_mut().zip(&code.args) {
        let width = usize::from(width);
        arg[..width].copy_from_slice(&frame[from as usize..][..width]);
    }
    match code.meaning {
        OpMeaning::Each(each) => {
            for i in 0..usize::from(code.width) {
                frame[code.to as usize + i] = each([args[0][i], args[1][i], args[2][i], args[3][i]]);
            }
        }
        OpMeaning::Whole(whole) => {
            let result = whole(args, usize::from(code.width));
            let width = usize::from(code.result_width);
            frame[code.to as usize..][..width].copy_from_slice(&result[..width]);
        }
    }
}

fn set(frame: &mut [u64], to: Option<FrameSlot>, value: u64) {
    if let Some(to) = to {
        frame[to as usize] = value;
    }
}

/// The address of an atomic operation's word if it is a multiple of the word's size; each space,
/// and in it each `tile_static` variable, begins at such a multiple.
fn aligned(address: Option<SpaceAddress>, size: u64) -> Option<SpaceAddress> {
    address.filter(|address| address.at.is_multiple_of(size))
}

fn change(code: &AtomicCode, address: Option<SpaceAddress>, frame: &mut [u64], spaces: &mut Spaces<'_>) {
    let value = code.value.map_or(0, |value| frame[value as usize]);
    let old = address.map_or(0, |address| memory::atomic(spaces, address, code.op, code.scalar, value));
    set(frame, code.to, old);
}

fn compare_exchange(code: &ExchangeCode, address: Option<SpaceAddress>, frame: &mut [u64], spaces: &mut Spaces<'_>) {
    let (expected, new) = (frame[code.expected as usize], frame[code.new as usize]);
    let (old, equal) = match address {
        Some(address) => memory::compare_exchange(spaces, address, code.scalar, expected, new),
        None => (0, false),
    };
    set(frame, code.to, old);
    set(frame, Some(code.equal), u64::from(equal));
}

/// The text of a message.
fn text(code: &MessageCode, frame: &[u64]) -> String {
    let values = code.values.iter().map(|&(slot, data)| (data, &frame[slot as usize..][..usize::from(data.width)]));
    tilewise_ir::print::message(&code.message, values)
}
