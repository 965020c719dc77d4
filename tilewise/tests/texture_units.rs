//! Texture units of GPUs, in Relaxed: what they compute against the library, which `jit` runs to the
//! bit. Linear samples of devices are measured: the largest error is printed with `--nocapture`.
//! Without a GPU all tests but one are ignored, and say so.
#![allow(clippy::redundant_pattern, reason = "a kernel in a macro binds the names that it captures")]

use std::process::{Command, ExitCode};

use approx::abs_diff_eq;
use libtest_mimic::{Arguments, Failed, Trial};
use tilewise::graphics::{
    AddressMode, Bits8, Bits16, Bits32, FilterMode, Norm4, Sampler, Texture, Unorm, Unorm2, Unorm4,
};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float3, Float4};
use tilewise::{Accelerator, AcceleratorView, Checks, FloatMode, Launch};

/// Accelerator views of all GPUs, in Relaxed.
fn relaxed() -> Vec<AcceleratorView> {
    let gpus = Accelerator::all().into_iter().filter(|accelerator| accelerator.path().starts_with("gpu/"));
    let view = |gpu: Accelerator| gpu.view_builder().float_mode(FloatMode::Relaxed).create().expect("it has queues");
    gpus.map(view).collect()
}

/// Numbers from 0 to 1 without a pattern.
fn noise(n: usize) -> Vec<f32> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / 16_777_216.0
    };
    (0..n).map(|_| next()).collect()
}

/// The largest difference of two lists of colours; NaN is the largest of all.
fn largest(a: &[Float4], b: &[Float4]) -> f32 {
    assert_eq!(a.len(), b.len());
    let of = |a: &Float4, b: &Float4| {
        let d = (*a - *b).abs();
        let largest = d.x.max(d.y).max(d.z).max(d.w);
        if (d.x + d.y + d.z + d.w).is_nan() { f32::INFINITY } else { largest }
    };
    a.iter().zip(b).map(|(a, b)| of(a, b)).fold(0.0, f32::max)
}

/// The colours that `texture.sample` gives along a path of places, by `$color`, on an accelerator view.
macro_rules! along {
    ($view:expr, $texture:expr, $n:expr, $sampler:expr, |$i:ident| $at:expr, $lod:expr, |$texel:ident| $color:expr) => {{
        let (texture, sampler, lod) = (&$texture, $sampler, $lod);
        let out = ArrayView::<Float4, 1>::without_source($n)?;
        parallel_for_each!(Launch::new(out.extent()).on(&$view), |i| {
            let $i = i[0] as f32;
            let $texel = texture.sample_lod(&sampler, $at, lod);
            out[i] = $color;
        })?;
        out.to_vec()?
    }};
}

/// Both accelerator views' textures of the same texels; the levels are those of `jit`.
macro_rules! both {
    ($view:expr, $t:ty, $n:literal, $bits:ty, $extent:expr, $levels:expr, $texels:expr) => {{
        let texels: Vec<$t> = $texels;
        let library = Accelerator::new("jit")?.default_view();
        let library = Texture::<$t, $n, $bits>::builder($extent).mip_levels($levels).on(&library);
        let library = library.build_from_iter(texels)?;
        library.generate_mips()?;
        let ours = Texture::<$t, $n, $bits>::builder($extent).mip_levels($levels).on(&$view).build()?;
        tilewise::graphics::copy(&library, &ours)?;
        (ours, library)
    }};
}

const PLACES: i32 = 4099;

/// Samples of both by all filters and address modes that devices have, at some level.
macro_rules! compare {
    ($what:literal, $view:expr, $t:ty, $n:literal, $bits:ty, $extent:expr, $texels:expr, |$i:ident| $at:expr, |$texel:ident| $color:expr) => {{
        let (ours, library) = both!($view, $t, $n, $bits, $extent, 0, $texels);
        let jit = library.accelerator_view();
        assert!(!library.is_native(), "only GPUs have texture units");
        let mut worst = 0.0_f32;
        for mode in MODES {
            for lod in [0.0_f32, 0.3, 1.0, 7.5] {
                let sampler = Sampler::new(FilterMode::Linear, mode);
                let got = along!($view, ours, PLACES, sampler, |$i| $at, lod, |$texel| $color);
                let want = along!(jit, library, PLACES, sampler, |$i| $at, lod, |$texel| $color);
                worst = worst.max(largest(&got, &want));
            }
        }
        let accelerator = $view.accelerator();
        let units = if ours.is_native() { "texture units" } else { "the library" };
        println!("{accelerator}: {}: {units}: largest error {:.3} / 256 of the range", $what, worst * 256.0);
        // Two weights of 256ths may each be off by one, and the level's, on the ranges of 0 to 1 here.
        let limit = if ours.is_native() { ($n as f32 + 1.0) / 256.0 } else { 1e-6 };
        assert!(worst <= limit, "{accelerator}: {}: {worst} > {limit}", $what);
        ours.is_native()
    }};
}

fn linear_samples_agree_within_the_weights_of_devices() -> tilewise::Result<()> {
    for view in relaxed() {
        let n = |n: usize| noise(n * 4).chunks(4).map(|c| Float4::new(c[0], c[1], c[2], c[3])).collect::<Vec<_>>();
        let mut native = Vec::new();
        native.push(compare!(
            "Unorm4 of 8 bits, 64 x 64",
            view,
            Unorm4,
            2,
            Bits8,
            (64, 64),
            n(4096).into_iter().map(Float4::as_unorm).collect(),
            |i| Float2::new(i * 0.000_731 - 1.0, i * 0.000_277 - 0.5),
            |t| t.as_float()
        ));
        native.push(compare!(
            "Unorm4 of 16 bits, 5 x 37",
            view,
            Unorm4,
            2,
            Bits16,
            (5, 37),
            n(185).into_iter().map(Float4::as_unorm).collect(),
            |i| Float2::new(i * 0.000_731 - 1.0, i * 0.000_277 - 0.5),
            |t| t.as_float()
        ));
        native.push(compare!(
            "Norm4 of 8 bits, 100 x 3",
            view,
            Norm4,
            2,
            Bits8,
            (100, 3),
            n(300).into_iter().map(|c| (c * 2.0 - Float4::splat(1.0)).as_norm()).collect(),
            |i| Float2::new(i * 0.000_731 - 1.0, i * 0.000_277 - 0.5),
            |t| t.as_float() * 0.5
        ));
        native.push(compare!(
            "Float4 of 16 bits, 17 x 33",
            view,
            Float4,
            2,
            Bits16,
            (17, 33),
            n(561),
            |i| Float2::new(i * 0.000_731 - 1.0, i * 0.000_277 - 0.5),
            |t| t
        ));
        native.push(compare!(
            "f32 of 32 bits, 64 x 9",
            view,
            f32,
            2,
            Bits32,
            (64, 9),
            noise(576),
            |i| Float2::new(i * 0.000_731 - 1.0, i * 0.000_277 - 0.5),
            |t| Float4::splat(t)
        ));
        native.push(compare!(
            "Unorm2 of 8 bits, 1000",
            view,
            Unorm2,
            1,
            Bits8,
            1000,
            noise(1000).chunks(1).map(|c| Float2::splat(c[0]).as_unorm()).collect(),
            |i| i * 0.000_731 - 1.0,
            |t| Float4::new(t.as_float().x, t.as_float().y, 0.0, 0.0)
        ));
        native.push(compare!(
            "Unorm of 8 bits, 9 x 11 x 13",
            view,
            Unorm,
            3,
            Bits8,
            (9, 11, 13),
            noise(1287).into_iter().map(Unorm::from).collect(),
            |i| Float3::new(i * 0.000_731 - 1.0, i * 0.000_277 - 0.5, i * 0.000_513),
            |t| Float4::splat(t.get())
        ));
        // 8 bits and 16-bit floats are textures of every device.
        let of_all = [native[0], native[2], native[3], native[5], native[6]];
        assert_eq!(of_all, [true; 5], "{} has no texture units", view.accelerator());
    }
    Ok(())
}

fn nearest_texels_and_gathers_are_those_of_the_library() -> tilewise::Result<()> {
    for view in relaxed() {
        let texels: Vec<Unorm4> =
            noise(35 * 4).chunks(4).map(|c| Float4::new(c[0], c[1], c[2], c[3]).as_unorm()).collect();
        let (ours, library) = both!(view, Unorm4, 2, Bits8, (7, 5), 1, texels.clone());
        assert!(ours.is_native());
        let jit = library.accelerator_view().clone();
        for mode in MODES {
            let sampler = Sampler::new(FilterMode::Point, mode).with_border(Float4::splat(0.25)).address(mode);
            let run = |view: &AcceleratorView, texture: &Texture<Unorm4, 2>| {
                // Sixteen places a texel, none at an edge, and two textures to each side.
                let out = ArrayView::<Float4, 3>::without_source((3, 7 * 20, 5 * 20))?;
                parallel_for_each!(Launch::new(out.extent()).on(view), |i| {
                    let at = Float2::new((i[2] as f32 + 0.5) / 20.0 - 2.0, (i[1] as f32 + 0.5) / 28.0 - 2.0);
                    out[i] = match i[0] {
                        0 => texture.sample(&sampler, at).as_float(),
                        1 => texture.gather_green(&sampler, at).as_float(),
                        _ => texture.gather_alpha(&sampler, at).as_float(),
                    };
                })?;
                out.to_vec()
            };
            let (got, want) = (run(&view, &ours)?, run(&jit, &library)?);
            let error = largest(&got, &want);
            assert!(error <= 1e-6, "{} {mode:?}: {error}", view.accelerator());
        }
    }
    Ok(())
}

fn reads_are_those_of_the_library_also_out_of_range() -> tilewise::Result<()> {
    for view in relaxed() {
        let texels: Vec<Unorm4> =
            noise(9 * 7 * 4).chunks(4).map(|c| Float4::new(c[0], c[1], c[2], c[3]).as_unorm()).collect();
        let (ours, library) = both!(view, Unorm4, 2, Bits8, (9, 7), 0, texels.clone());
        let volume: Vec<f32> = noise(60);
        let (deep, deep_library) = both!(view, f32, 3, Bits16, (3, 4, 5), 2, volume.clone());
        let (line, line_library) = both!(
            view,
            Unorm2,
            1,
            Bits16,
            33,
            0,
            noise(33).into_iter().map(|c| Float2::new(c, 1.0 - c).as_unorm()).collect()
        );
        assert!(ours.is_native() && deep.is_native());
        let jit = library.accelerator_view().clone();
        let run = |view: &AcceleratorView,
                   flat: &Texture<Unorm4, 2>,
                   deep: &Texture<f32, 3, Bits16>,
                   line: &Texture<Unorm2, 1, Bits16>| {
            // Indices from before the texture to behind it, and such levels.
            let view = view.accelerator().view_builder().checks(Checks::NONE).float_mode(view.float_mode()).create()?;
            let out = ArrayView::<Float4, 3>::without_source((7, 14, 12))?;
            parallel_for_each!(Launch::new(out.extent()).on(&view), |i| {
                let (level, y, x) = (i[0] - 2, i[1] - 2, i[2] - 2);
                let mut sum = flat.get((y, x)).as_float() + flat.get_level((y, x), level).as_float() * 2.0;
                for z in 0..4 {
                    sum += Float4::splat(deep.get((z - 1, y, x)) * 4.0 + deep.get_level((z, y, x), level) * 8.0);
                }
                let ends = line.get(x).as_float() + line.get_level(x * 3, level).as_float();
                out[i] = sum + Float4::new(ends.x, ends.y, line[y].as_float().x, line[y + 30].as_float().y);
            })?;
            out.to_vec()
        };
        let got = run(&view, &ours, &deep, &line)?;
        let want = run(&jit, &library, &deep_library, &line_library)?;
        let error = largest(&got, &want);
        assert!(error <= 1e-5, "{}: {error}", view.accelerator());
        assert!(want.iter().any(|c| c.w > 1.0) && want.iter().any(|c| c.w == 0.0), "some are inside, some outside");
    }
    Ok(())
}

/// Its rows are more than a dispatch of the kernel that copies texels has tiles for.
fn a_volume_of_many_rows_is_sampled() -> tilewise::Result<()> {
    const SIZE: (i32, i32, i32) = (1024, 1024, 2);
    for view in relaxed() {
        let texels = (0..SIZE.0 * SIZE.1 * SIZE.2).map(|n| Float4::splat((n % 251) as f32 / 255.0).as_unorm());
        let volume = Texture::<Unorm4, 3>::builder(SIZE).on(&view).build_from_iter(texels)?;
        let sampler = Sampler::new(FilterMode::Point, AddressMode::Clamp);
        let out = ArrayView::<f32, 1>::without_source(4)?;
        parallel_for_each!(Launch::new(out.extent()).on(&view), |i| {
            // The texels (z, y, x) of 1023, 512, 1 and so on.
            let (z, y, x) = (1023 - i[0] * 300, 512 + i[0], 1 - i[0] % 2);
            let at = Float3::new((x as f32 + 0.5) / 2.0, (y as f32 + 0.5) / 1024.0, (z as f32 + 0.5) / 1024.0);
            out[i] = (volume.sample_lod(&sampler, at, 0.0).as_float().x * 255.0).round();
        })?;
        let texel = |i: i32| (((1023 - i * 300) * 1024 + 512 + i) * 2 + 1 - i % 2) % 251;
        let wanted: Vec<f32> = (0..4).map(|i| texel(i) as f32).collect();
        assert_eq!(out.to_vec()?, wanted, "{}", view.accelerator());
    }
    Ok(())
}

fn a_texture_that_changes_is_sampled_anew() -> tilewise::Result<()> {
    for view in relaxed() {
        let texture = Texture::<Unorm, 2>::builder((4, 4)).mip_levels(2).on(&view).build()?;
        let other = view.accelerator().view_builder().float_mode(FloatMode::Relaxed).create()?;
        let sampled = |on: &AcceleratorView, lod: f32| {
            let (texture, sampler) = (&texture, Sampler::LINEAR);
            let out = ArrayView::<f32, 1>::without_source(1)?;
            parallel_for_each!(Launch::new(out.extent()).on(on), |i| {
                out[i] = texture.sample_lod(&sampler, Float2::new(0.5, 0.5), lod).get();
            })?;
            Ok::<f32, tilewise::Error>((out.to_vec()?[0] * 255.0).round())
        };
        assert_eq!(sampled(&view, 0.0)?, 0.0);
        let fill = |value: f32| {
            let (texture, value) = (&texture, Unorm::from(value / 255.0));
            parallel_for_each!(texture.extent(), |i| texture.set(i, value))
        };
        for (round, value) in [10.0, 250.0, 30.0].into_iter().enumerate() {
            fill(value)?;
            assert_eq!(sampled(&view, 0.0)?, value, "a kernel wrote it, round {round}");
            assert_eq!(sampled(&other, 0.0)?, value, "on another queue, round {round}");
        }
        assert_eq!(sampled(&view, 1.0)?, 0.0, "the other level");
        texture.generate_mips()?;
        assert_eq!(sampled(&view, 1.0)?, 30.0);
        tilewise::graphics::copy(&[Unorm::from(1.0); 16], &texture.section_of(0, (0, 0), (4, 4))?)?;
        assert_eq!(sampled(&view, 0.0)?, 255.0, "the host wrote it");
        assert_eq!(sampled(&view, 1.0)?, 30.0);
        let clone = texture.try_clone()?;
        fill(7.0)?;
        tilewise::graphics::copy(&clone, &texture)?;
        assert_eq!(sampled(&view, 0.0)?, 255.0, "a copy on the device");
    }
    Ok(())
}

/// Two textures of which each kernel reads one and writes the other, with other writes between, on two queues. Only
/// bytes are moved, so both accelerators have the same.
fn textures_that_are_read_and_written_in_turns_are_those_of_the_library() -> tilewise::Result<()> {
    for view in relaxed() {
        let run = |on: &AcceleratorView| {
            let other = on.accelerator().view_builder().float_mode(FloatMode::Relaxed).create()?;
            let texel = |c: &[f32]| Float4::new(c[0], c[1], c[2], c[3]).as_unorm();
            let texels: Vec<Unorm4> = noise(63 * 4).chunks(4).map(texel).collect();
            let make = || Texture::<Unorm4, 2>::builder((9, 7)).mip_levels(2).on(on).build_from_iter(texels.clone());
            let pictures = [make()?, make()?];
            let mut all = Vec::new();
            for round in 0..40 {
                let (from, to) = (&pictures[round % 2], &pictures[(round + 1) % 2]);
                let on = if round % 9 == 8 { &other } else { on };
                parallel_for_each!((on, to.extent()), |i| {
                    let (y, x) = (i[0], i[1]);
                    let (a, b) = (from.get(i).as_float(), from.get(((y + 1) % 9, x)).as_float());
                    let (c, d) = (from.get((y, (x + 1) % 7)).as_float(), from.get_level((y / 2, x / 2), 1).as_float());
                    to.set(i, Float4::new(a.y, b.z, c.w, d.x).as_unorm());
                })?;
                let level = to.level(1)?;
                match round % 8 {
                    1 => tilewise::graphics::copy(&[17_u8; 8], &to.section_of(0, (1, 1), (1, 2))?)?,
                    2 => to.set((8, 6), texels[round])?,
                    3 | 4 => parallel_for_each!((on, level.extent()), |i| level.set(i, from.get((i[0] * 2, i[1]))))?,
                    5 => parallel_for_each!((on, to.extent()), |i| {
                        let (old, before) = (to.get(i).as_float(), to.get(i).as_float());
                        let (a, b) = (to.get(i).as_float(), to.get(i).as_float());
                        to.set(i, Float4::new(old.w, before.x, a.y, b.z).as_unorm());
                    })?,
                    6 => parallel_for_each!((on, Extent([3, 20])), |i| to.set(i, from.get((i[1] % 9, i[0]))))?,
                    7 => tilewise::graphics::copy(from, to)?,
                    _ => {}
                }
                if round % 7 == 6 {
                    all.push(to.to_bytes()?);
                }
            }
            all.extend([pictures[0].to_bytes()?, pictures[1].to_bytes()?]);
            Ok::<_, tilewise::Error>(all)
        };
        let jit = Accelerator::new("jit")?.default_view();
        assert_eq!(run(&view)?, run(&jit)?, "{}", view.accelerator());
    }
    Ok(())
}

fn a_kernel_that_writes_what_it_samples_and_one_that_chooses_a_sampler_do_as_the_library() -> tilewise::Result<()> {
    for view in relaxed() {
        let texels: Vec<f32> = noise(64);
        let (ours, library) = both!(view, f32, 2, Bits32, (8, 8), 2, texels.clone());
        let run = |texture: &Texture<f32, 2>| {
            let view = texture.accelerator_view().clone();
            let out = ArrayView::<f32, 1>::without_source(8)?;
            let level = texture.mips(1, 1)?;
            let (linear, point) = (Sampler::LINEAR, Sampler::POINT.address(AddressMode::Wrap));
            let target = texture.level(0)?.writeonly_view()?;
            parallel_for_each!(Launch::new(out.extent()).on(&view), |i| {
                let at = Float2::new(i[0] as f32 * 0.2, 0.4);
                let sampler = if i[0] % 2 == 0 { linear } else { point };
                let sample = level.sample(&sampler, at);
                target.set((0, i[0]), sample);
                out[i] = level.sample(&linear, at) + sample;
            })?;
            let mut all = out.to_vec()?;
            all.extend(texture.to_vec()?);
            Ok::<_, tilewise::Error>(all)
        };
        let (got, want) = (run(&ours)?, run(&library)?);
        assert!(got.iter().zip(&want).all(|(a, b)| abs_diff_eq!(a, b, epsilon = 1e-5)), "{got:?} {want:?}");
    }
    Ok(())
}

/// Started again by the test below, with the environment variable that it names; by itself, texture
/// units are used.
fn a_relaxed_texture_is_native_unless_the_environment_says_otherwise() -> tilewise::Result<()> {
    let are_used = std::env::var("TILEWISE_TEXTURES").as_deref() != Ok("buffers");
    for view in relaxed() {
        let texels: Vec<Unorm> = noise(30).into_iter().map(Unorm::from).collect();
        let (ours, library) = both!(view, Unorm, 2, Bits8, (5, 6), 1, texels.clone());
        assert_eq!(ours.is_native(), are_used);
        let strict = view.accelerator().view_builder().float_mode(FloatMode::Strict).create()?;
        assert!(!Texture::<Unorm, 2>::builder((5, 6)).on(&strict).build()?.is_native());
        let jit = library.accelerator_view().clone();
        let got =
            along!(view, ours, PLACES, Sampler::LINEAR, |i| Float2::new(i * 0.000_91, i * 0.000_77), 0.0_f32, |t| {
                Float4::splat(t.get())
            });
        let want =
            along!(jit, library, PLACES, Sampler::LINEAR, |i| Float2::new(i * 0.000_91, i * 0.000_77), 0.0_f32, |t| {
                Float4::splat(t.get())
            });
        let worst = largest(&got, &want);
        assert!(are_used || worst < 1e-6, "the library computes it: {worst}");
    }
    Ok(())
}

fn the_environment_keeps_a_process_to_the_library() -> tilewise::Result<()> {
    let again = |value: &str| {
        let mut program = Command::new(std::env::current_exe().expect("this is a program"));
        let test = "a_relaxed_texture_is_native_unless_the_environment_says_otherwise";
        program.args(["--exact", test, "--nocapture"]).env("TILEWISE_TEXTURES", value);
        let output = program.output().expect("it starts");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(again("buffers"), (true, String::new()));
    let (passed, said) = again("hardware");
    let warned =
        said.contains("TILEWISE_TEXTURES is `hardware`, which is taken for `native`; it can be `native` or `buffers`");
    assert!(passed && warned, "{said}");
    Ok(())
}

/// A test, by its name.
type Test = (&'static str, fn() -> tilewise::Result<()>);

macro_rules! tests {
    ($($test:ident)*) => { &[$((stringify!($test), $test)),*] };
}

const TESTS: &[Test] = tests! {
    linear_samples_agree_within_the_weights_of_devices
    nearest_texels_and_gathers_are_those_of_the_library
    reads_are_those_of_the_library_also_out_of_range
    channels_that_a_texture_lacks_are_zero_beside_those_that_are_sampled
    a_volume_of_many_rows_is_sampled
    a_texture_that_changes_is_sampled_anew
    textures_that_are_read_and_written_in_turns_are_those_of_the_library
    a_kernel_that_writes_what_it_samples_and_one_that_chooses_a_sampler_do_as_the_library
    a_relaxed_texture_is_native_unless_the_environment_says_otherwise
    the_environment_keeps_a_process_to_the_library
};

fn main() -> ExitCode {
    let is_missing = relaxed().is_empty();
    let on_gpus = TESTS.iter().map(|&(name, test)| {
        let name = if is_missing { format!("{name} (no GPU: not run)") } else { name.to_owned() };
        let run = move || test().map_err(|error| Failed::from(error.to_string()));
        Trial::test(name, run).with_ignored_flag(is_missing)
    });
    let everywhere = Trial::test("no_other_accelerator_has_texture_units", || {
        no_other_accelerator_has_texture_units().map_err(|error| Failed::from(error.to_string()))
    });
    libtest_mimic::run(&Arguments::from_args(), on_gpus.chain([everywhere]).collect()).exit_code()
}

/// The address modes.
const MODES: [AddressMode; 4] = [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Clamp, AddressMode::Border];

fn no_other_accelerator_has_texture_units() -> tilewise::Result<()> {
    for name in ["native", "reference", "jit"] {
        let view = Accelerator::new(name)?.view_builder().float_mode(FloatMode::Relaxed).create()?;
        assert!(!Texture::<Unorm4, 2>::builder((4, 4)).on(&view).build()?.is_native(), "{name}");
    }
    Ok(())
}

fn channels_that_a_texture_lacks_are_zero_beside_those_that_are_sampled() -> tilewise::Result<()> {
    for view in relaxed() {
        let texels = noise(16).into_iter().map(|c| Float2::new(c, 1.0 - c).as_unorm()).collect();
        let (ours, library) = both!(view, Unorm2, 2, Bits8, (4, 4), 1, texels);
        assert!(ours.is_native());
        let jit = library.accelerator_view().clone();
        let run = |view: &AcceleratorView, texture: &Texture<Unorm2, 2>| {
            let out = ArrayView::<Float4, 1>::without_source(16)?;
            let sampler = Sampler::POINT;
            parallel_for_each!(Launch::new(out.extent()).on(view), |i| {
                let at = Float2::new(0.5, (i[0] as f32 + 0.5) / 16.0);
                let (sample, alpha) = (texture.sample(&sampler, at).as_float(), texture.gather_alpha(&sampler, at));
                let blue = texture.gather_blue(&sampler, at);
                out[i] = Float4::new(sample.x, sample.y, alpha.as_float().x, blue.as_float().y);
            })?;
            out.to_vec()
        };
        let (got, want) = (run(&view, &ours)?, run(&jit, &library)?);
        assert!(want.iter().all(|color| color.z == 0.0 && color.w == 0.0 && color.x + color.y > 0.9));
        let error = largest(&got, &want);
        assert!(error <= 1e-6, "{}: {error}: {got:?}", view.accelerator());
    }
    Ok(())
}
