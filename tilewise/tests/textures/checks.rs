//! The checks of `reference` see textures: their reports name the program's own line, the captured
//! texture and the texel's coordinates.

use tilewise::graphics::{Bits8, Sampler, Texture};
use tilewise::prelude::*;
use tilewise::vector::{Float2, Float4, UInt4};
use tilewise::{Accelerator, AcceleratorView, Checks, Launch};

fn checked() -> AcceleratorView {
    let reference = Accelerator::new(Accelerator::REFERENCE).expect("it is always there");
    reference.view_builder().checks(Checks::ALL).create().expect("it has all checks")
}

/// The text of an error, which must name this file and the line.
fn text(result: tilewise::Result<()>, line: u32) -> String {
    let text = result.expect_err("a check must find it").to_string();
    assert!(text.contains(&format!("checks.rs:{line}:")), "{text}");
    text
}

#[test]
fn a_get_and_a_set_out_of_range() -> tilewise::Result<()> {
    let target = checked();
    let picture = Texture::<UInt4, 2, Bits8>::builder((3, 4)).on(&target).build()?;
    let out = ArrayView::<u32>::without_source(4)?;
    let launch = || Launch::new(out.extent()).on(&target);
    let result = parallel_for_each!(launch(), |i| out[i] = picture.get((2, i[0] + 2)).x);
    let message = text(result, line!() - 1);
    assert!(
        message.contains("index 4 is out of range for dimension 1 of `view of picture`, whose extent is 4"),
        "{message}"
    );

    let result = parallel_for_each!(launch(), |i| out[i] = picture[(3, i[0])].x);
    let message = text(result, line!() - 1);
    assert!(
        message.contains("index 3 is out of range for dimension 0 of `view of picture`, whose extent is 3"),
        "{message}"
    );

    let result = parallel_for_each!(launch(), |i| picture.set((i[0] - 1, 0), UInt4::splat(out[i])));
    let message = text(result, line!() - 1);
    assert!(
        message.contains("index -1 is out of range for dimension 0 of `view of picture`, whose extent is 3"),
        "{message}"
    );
    Ok(())
}

#[test]
fn a_race_between_sets() -> tilewise::Result<()> {
    let target = checked();
    let picture = Texture::<UInt4, 2, Bits8>::builder((3, 4)).on(&target).build()?;
    let result = parallel_for_each!(Launch::new(Extent([8])).on(&target), |i| {
        picture.set((1, i[0] / 2), UInt4::splat(i[0] as u32));
    });
    let message = text(result, line!() - 2);
    assert!(message.contains("race"), "{message}");
    assert!(message.contains("`picture[1, 0]`"), "{message}");
    Ok(())
}

#[test]
fn samples_of_a_border_are_not_out_of_range() -> tilewise::Result<()> {
    let target = checked();
    let picture = Texture::<f32, 2>::builder((2, 2)).on(&target).build_from_iter([1.0, 2.0, 3.0, 4.0])?;
    let out = ArrayView::<f32>::without_source(9)?;
    let sampler = Sampler::LINEAR.with_border(Float4::splat(8.0));
    parallel_for_each!(Launch::new(out.extent()).on(&target), |i| {
        out[i] = picture.sample(&sampler, Float2::new(i[0] as f32 / 4.0 - 0.5, -1.0));
    })?;
    assert_eq!(out.to_vec()?, [8.0; 9]);
    Ok(())
}

#[test]
fn a_race_in_a_level_names_the_level() -> tilewise::Result<()> {
    let target = checked();
    let picture = Texture::<u32, 2, Bits8>::builder((8, 8)).mip_levels(0).on(&target).build()?;
    let (second, all) = (picture.level(1)?, picture.read_view());
    let out = ArrayView::<u32>::without_source(2)?;
    let result = parallel_for_each!(Launch::new(out.extent()).on(&target), |i| {
        second.set((2, 3), 7);
        out[i] = all.get_level((2, 3), 1);
    });
    let message = result.expect_err("threads write and read one texel").to_string();
    assert!(message.contains("`second[2, 3]`") || message.contains("`all[2, 3] of level 1`"), "{message}");
    Ok(())
}

#[test]
fn a_level_that_does_not_exist_names_the_texture_and_its_levels() -> tilewise::Result<()> {
    let target = checked();
    let picture = Texture::<u32, 2, Bits8>::builder((8, 8)).mip_levels(3).on(&target).build()?;
    let single = Texture::<f32, 2>::builder((4, 4)).on(&target).build()?;
    let (pixels, one) = (picture.read_view(), single.read_view());
    let out = ArrayView::<u32>::without_source(1)?;
    for level in [-1, 3, 70] {
        let result = parallel_for_each!(Launch::new(out.extent()).on(&target), |i| {
            out[i] = pixels.get_level((0, 0), level);
        });
        let message = text(result, line!() - 2);
        assert!(message.contains("the texture `pixels` has no such level: it has the levels 0 to 2"), "{message}");
        assert!(message.contains("access it only if the level is at least 0 and below 3"), "{message}");
    }
    let result = parallel_for_each!(Launch::new(out.extent()).on(&target), |i| {
        out[i] = one.get_level((i[0], 0), 1) as u32;
    });
    let message = text(result, line!() - 2);
    assert!(message.contains("the texture `one` has no such level: it has level 0 only"), "{message}");
    Ok(())
}

#[amp]
#[track_caller]
fn fifth(values: &ReadView<'_, i32>) -> i32 {
    values[4]
}

#[test]
fn a_function_that_tracks_its_caller_is_reported_at_the_call() -> tilewise::Result<()> {
    let target = checked();
    let (short, out) = (ArrayView::read_only(3, &[1, 2, 3])?, ArrayView::<i32>::without_source(1)?);
    let result = parallel_for_each!(Launch::new(out.extent()).on(&target), |i| out[i] = fifth(&short));
    let message = text(result, line!() - 1);
    assert!(message.contains("index 4 is out of range for `short`, whose extent is 3"), "{message}");
    Ok(())
}
