//! Chooses the number of lanes for a launch.

use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::Domain;

use crate::emit::CodeForm;

/// A launch of up to this many threads with columns beyond the last whole vector runs at width 1: a
/// second program costs more than it gains.
const FEW: u64 = 128;

/// The maximum number of lanes of an emitter's code on this machine.
pub(super) fn widest(form: CodeForm) -> u32 {
    match form {
        CodeForm::Cranelift => crate::emit::widest(),
        CodeForm::Avx2 | CodeForm::Avx512 => GROUPED,
    }
}

/// The most lanes of wide code: several vectors for each value, whose instructions overlap.
const GROUPED: u32 = 64;

/// Strips of a row at least, if several vectors are together: the first and the last one often take
/// a longer path, as those do whose neighbours lie outside.
const STRIPS: u32 = 8;

/// Vectors of that many lanes leave few columns over: none, or so few beside the others that it does
/// not matter that they run one at a time.
fn leaves_few(columns: u32, width: u32) -> bool {
    columns >= width && (columns.is_multiple_of(width) || columns >= 1024 * width)
}

/// The number of lanes for a launch on a machine with at most `widest`. If `asked` is given, that
/// number or the next lower one.
pub(super) fn choose(kernel: &Kernel, domain: &Domain, widest: u32, asked: Option<u32>) -> u32 {
    let most = asked.unwrap_or(widest).min(widest);
    if most < 4 {
        return 1;
    }
    let largest = |most: u32| [64, 32, 16, 8, 4].into_iter().find(|&width| width <= most).unwrap_or(1);
    let last = domain.extent.last().map_or(1, |&e| e.max(1) as u32);
    let Some(tile) = kernel.tile() else {
        let strips = if domain.extent.len() > 1 { STRIPS } else { 1 };
        let suits = |width: u32| width <= most && leaves_few(last, width) && last >= strips * width;
        let grouped = [64, 32].into_iter().find(|&width| suits(width));
        let width = match asked {
            Some(_) => largest(most.min(last)),
            None => grouped.unwrap_or_else(|| largest(most.min(last).min(16))),
        };
        let few = domain.threads() <= FEW && !last.is_multiple_of(width);
        return if few && asked.is_none() { 1 } else { width };
    };
    if asked.is_some() {
        return largest(most);
    }
    let tile = tile.last().copied().unwrap_or(1).max(1);
    // Minimise the idle lanes in the vectors of a row; among equals prefer the wider.
    let waste = |width: u32| tile.next_multiple_of(width) - tile;
    let widths = [64, 32, 16, 8, 4].into_iter().filter(|&width| width <= widest);
    widths.min_by_key(|&width| (waste(width), u32::MAX - width)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::text::parse;

    #[test]
    fn lanes_are_as_many_as_have_something_to_do() {
        let choice = |tile: &str, extent: &[i32], widest, asked| {
            let shape = if tile.is_empty() { format!("rank({})", extent.len()) } else { tile.to_owned() };
            let kernel = parse("k.kir", &format!("kernel k() {shape} {{ }}"));
            let kernel = kernel.unwrap_or_else(|failure| panic!("{failure}"));
            choose(&kernel, &Domain::new(extent), widest, asked)
        };
        for (last, width) in [(1, 4), (3, 4), (4, 4), (5, 8), (8, 8), (12, 4), (16, 16), (20, 4), (24, 8), (256, 16)] {
            assert_eq!(choice(&format!("tile({last})"), &[last * 3], 16, None), width, "{last}");
        }
        assert_eq!(choice("tile(16)", &[16], 8, None), 8);
        assert_eq!(choice("tile(16)", &[16], 1, None), 1);
        assert_eq!(choice("tile(16)", &[16], 16, Some(1)), 1);
        assert_eq!(choice("tile(16)", &[16], 8, Some(16)), 8);
        assert_eq!([choice("", &[100], 16, Some(16)), choice("", &[5], 16, Some(16))], [16, 4]);
        // Wide code has several vectors for each value.
        assert_eq!([choice("", &[1000], 64, None), choice("", &[128], 64, None)], [16, 64]);
        assert_eq!([128, 256, 512].map(|columns| choice("", &[9, columns], 64, None)), [16, 32, 64]);
        for (extent, width) in
            [(&[1][..], 1), (&[3], 1), (&[16], 16), (&[100], 1), (&[1000], 16), (&[1000, 3], 1), (&[1000, 9], 8)]
        {
            assert_eq!(choice("", extent, 16, None), width, "{extent:?}");
        }
    }
}
