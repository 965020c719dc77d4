//! Textures of the device that are copies of a buffer: they have what was written last, whoever wrote it, and where a launch can write both there is no copy.

use libtest_mimic::Failed as Fault;
use tilewise_gpu::run::{Adapter, Buffer, GpuKernel, GpuLaunchOptions, GpuQueue, texture_copies};
use tilewise_ir::launch::{Argument, ChannelKind, Domain, LevelExtent, TexelFormat, ViewArgument};

use crate::{equal, prepared};

/// Rows and columns of the texture, and of its second level.
const SIZES: [[i32; 2]; 2] = [[6, 10], [3, 5]];
/// The first texel of the second level.
const SECOND: u64 = 64;

const SHAPE: &str = "struct Shape { y: i32, x: i32 }\n";

/// Kernels over the texture: what a texture unit reads is the texel, what the library's function would read is -1.
const READ: &str =
    "fn graphics::get_level(texels: view<u32, 1, read>, shape: &Shape, y: i32, x: i32, level: i32) -> f32x4 {
    return f32x4(-1.0, -1.0, -1.0, -1.0);
}
kernel read(t: view<u32, 1, read>, s: Shape, level: i32, out: view<f32, 2, read_write>) rank(2) {
    var i: i32 = 0;
    while i < 1 { out[global[0], global[1]] = graphics::get_level(t, &s, global[0], global[1], level).x; i = i + 1; }
}";
const WRITE: &str = "kernel write(t: view<u32, 1, read_write>, s: Shape, value: u32) rank(2) {
    let texels = view_as(t, [s.y, s.x]);
    texels[global[0], global[1]] = value + to_u32(global[0] * 10 + global[1]);
}";
/// The same, but threads write the texels of others.
const WRITE_TURNED: &str = "kernel write(t: view<u32, 1, read_write>, s: Shape, value: u32) rank(2) {
    let texels = view_as(t, [s.y, s.x]);
    let y = s.y - 1 - global[0];
    let x = s.x - 1 - global[1];
    texels[y, x] = value + to_u32(y * 10 + x);
}";
/// The same, and another parameter is written too.
const WRITE_TWO: &str =
    "kernel write(t: view<u32, 1, read_write>, s: Shape, value: u32, other: view<u32, 1, read_write>) rank(2) {
    let texels = view_as(t, [s.y, s.x]);
    texels[global[0], global[1]] = value + to_u32(global[0] * 10 + global[1]);
    other[global[0] + global[1] + 1] = 200u32;
}";

/// A texture of two levels in a buffer, and what it has to hold.
struct Picture {
    buffer: Buffer,
    out: Buffer,
    want: [Vec<u32>; 2],
}

fn shape([y, x]: [i32; 2]) -> Argument {
    Argument::Uniform([y.to_le_bytes(), x.to_le_bytes()].concat())
}

fn number(value: u32) -> Argument {
    Argument::Uniform(value.to_le_bytes().to_vec())
}

fn level(level: usize) -> LevelExtent {
    LevelExtent { start: if level == 0 { 0 } else { SECOND }, extent: SIZES[level].to_vec() }
}

/// All texels.
fn texels() -> ViewArgument {
    ViewArgument {
        levels: vec![level(0), level(1)],
        texels: Some(TexelFormat { kind: ChannelKind::UnsignedNorm, bits: 8, channels: 4 }),
        ..ViewArgument::dense(0, &[SECOND as i32 + 15])
    }
}

impl Picture {
    /// Launches a kernel of those above on a level, over a domain.
    fn write(
        &mut self,
        queue: &GpuQueue,
        kernel: &GpuKernel,
        value: u32,
        at: usize,
        domain: [i32; 2],
    ) -> Result<(), Fault> {
        let view = ViewArgument { offset: level(at).start * 4, ..texels() };
        let view = if at == 0 {
            view
        } else {
            ViewArgument { levels: vec![LevelExtent { start: 0, ..level(1) }], extent: vec![15], ..view }
        };
        let mut arguments = vec![Argument::View(view), shape(SIZES[at]), number(value)];
        let has_other = kernel.kernel().params().len() > 3;
        if has_other {
            arguments.push(Argument::View(texels()));
        }
        let options = GpuLaunchOptions::default();
        queue.launch(kernel, &Domain::new(domain), std::slice::from_ref(&self.buffer), &arguments, &options)?;
        let [rows, columns] = SIZES[at];
        for (y, x) in (0..domain[0].min(rows)).flat_map(|y| (0..domain[1].min(columns)).map(move |x| (y, x))) {
            self.want[at][(y * columns + x) as usize] = value + (y * 10 + x) as u32;
        }
        if has_other {
            self.want[0][1] = 200;
        }
        Ok(())
    }

    /// Reads both levels through a texture. Returns how often the texels were copied for that.
    fn copies(&self, queue: &GpuQueue, read: &GpuKernel) -> Result<u64, Fault> {
        let before = texture_copies();
        for (at, [rows, columns]) in SIZES.into_iter().enumerate() {
            let out = ViewArgument::dense(1, &[rows, columns]);
            let arguments = [Argument::View(texels()), shape(SIZES[0]), number(at as u32), Argument::View(out)];
            let buffers = [self.buffer.clone(), self.out.clone()];
            queue.launch(read, &Domain::new([rows, columns]), &buffers, &arguments, &GpuLaunchOptions::default())?;
            let count = u64::from((rows * columns) as u32);
            let mut got = Vec::new();
            queue.download(&self.out, &[(0, count * 4)])?.wait(|_, bytes| {
                let float = |c: &[u8]| (f32::from_le_bytes([c[0], c[1], c[2], c[3]]) * 255.0).round() as i32 as u32;
                got = bytes.chunks_exact(4).map(float).collect();
            })?;
            let want: Vec<u32> = self.want[at].iter().map(|word| word & 255).collect();
            equal((at, got), (at, want))?;
        }
        Ok(texture_copies() - before)
    }
}

pub(crate) fn textures_have_what_was_written_last(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (queue, other) = (device.queue(), device.queue());
    let [read, write, turned, two] =
        [READ, WRITE, WRITE_TURNED, WRITE_TWO].map(|text| prepared(&format!("{SHAPE}{text}")));
    let (read, write, turned, two) = (read?, write?, turned?, two?);
    let buffer = device.allocate((SECOND + 15) * 4, true)?;
    let mut picture = Picture { buffer, out: device.allocate(400, true)?, want: [vec![0; 60], vec![0; 15]] };
    let [first, second] = SIZES;
    equal(picture.copies(&queue, &read)?, 1)?;
    equal(("nothing was written", picture.copies(&queue, &read)?), ("nothing was written", 0))?;
    for round in 1..8 {
        picture.write(&queue, &write, round, 0, first)?;
        equal((round, picture.copies(&queue, &read)?), (round, 1))?;
    }
    // It was copied often: what is written goes to the texture too.
    for round in 8..20 {
        picture.write(&queue, &write, round, 0, first)?;
        equal((round, picture.copies(&queue, &read)?), (round, 0))?;
        picture.write(&queue, &write, round + 100, 1, second)?;
        equal((round + 100, picture.copies(&queue, &read)?), (round + 100, 0))?;
    }
    picture.write(&queue, &write, 20, 0, first)?;
    picture.write(&queue, &write, 21, 1, second)?;
    equal(
        ("both levels, one after the other", picture.copies(&queue, &read)?),
        ("both levels, one after the other", 0),
    )?;
    // Part of the texels, and more than there are.
    picture.write(&queue, &write, 22, 0, [4, 9])?;
    equal(("a part", picture.copies(&queue, &read)?), ("a part", 0))?;
    picture.write(&queue, &write, 23, 0, [4, 12])?;
    equal(("threads without a texel", picture.copies(&queue, &read)?), ("threads without a texel", 1))?;
    picture.write(&queue, &write, 24, 0, [7, 3])?;
    equal(("threads without a texel", picture.copies(&queue, &read)?), ("threads without a texel", 1))?;
    // It is not sampled between.
    picture.write(&queue, &write, 25, 0, first)?;
    picture.write(&queue, &write, 26, 0, first)?;
    equal(("written twice", picture.copies(&queue, &read)?), ("written twice", 1))?;
    // In other ways.
    picture.write(&queue, &turned, 27, 0, first)?;
    equal(
        ("threads that write others' texels", picture.copies(&queue, &read)?),
        ("threads that write others' texels", 1),
    )?;
    picture.write(&queue, &two, 28, 0, [1, 1])?;
    equal(("two parameters in one buffer", picture.copies(&queue, &read)?), ("two parameters in one buffer", 1))?;
    queue.upload(&picture.buffer, &[(8, &[7, 0, 0, 0])])?;
    picture.want[0][2] = 7;
    equal(("an upload", picture.copies(&queue, &read)?), ("an upload", 1))?;
    picture.write(&queue, &write, 29, 0, first)?;
    queue.upload(&picture.buffer, &[(12, &[8, 0, 0, 0])])?;
    picture.want[0][3] = 8;
    equal(("a launch and an upload", picture.copies(&queue, &read)?), ("a launch and an upload", 1))?;
    queue.upload(&picture.buffer, &[(16, &[9, 0, 0, 0])])?;
    picture.want[0][4] = 9;
    picture.write(&queue, &write, 30, 1, second)?;
    equal(("an upload and a launch", picture.copies(&queue, &read)?), ("an upload and a launch", 1))?;
    // On two queues in turns.
    for round in 31..40 {
        let (one, another) = if round % 2 == 0 { (&queue, &other) } else { (&other, &queue) };
        picture.write(one, &write, round, 0, first)?;
        one.flush()?;
        equal((round, picture.copies(another, &read)?), (round, 1))?;
        picture.write(another, &write, round + 50, 0, first)?;
        equal((round, picture.copies(another, &read)?), (round, 0))?;
        another.flush()?;
    }
    // Not by texture units.
    let options = GpuLaunchOptions { textures: false, ..GpuLaunchOptions::default() };
    let arguments = [Argument::View(texels()), shape(first), number(99)];
    queue.launch(&write, &Domain::new(first), std::slice::from_ref(&picture.buffer), &arguments, &options)?;
    picture.want[0] = (0..60).map(|n| 99 + n).collect();
    equal(("a launch without textures", picture.copies(&queue, &read)?), ("a launch without textures", 1))
}
