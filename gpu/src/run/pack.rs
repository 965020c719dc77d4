//! What a launch hands over: the words of the argument block, the bytes of the constants.

use tilewise_ir::bytes::encode;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain};

use crate::lower::{HEAD, Layout, ParamWords, TAIL, UNTILED, block};

/// How many tiles a launch has; of an untiled kernel, of 64 threads.
pub fn tiles(kernel: &Kernel, domain: &Domain) -> u64 {
    let size = kernel.tile().map_or(u64::from(UNTILED), |tile| tile.iter().map(|&size| u64::from(size)).product());
    domain.threads().div_ceil(size)
}

/// The argument block, but for what each dispatch has of its own.
pub fn words(kernel: &Kernel, layout: &Layout, domain: &Domain, arguments: &[Argument]) -> Vec<u32> {
    let mut words = vec![0; layout.words as usize];
    let rank = kernel.rank() as usize;
    let first = block::DOMAIN as usize;
    for (d, &extent) in domain.extent.iter().enumerate() {
        words[first + d] = extent as u32;
        let size = kernel.tile().and_then(|tile| tile.get(d).copied()).unwrap_or(1);
        words[first + rank + d] = extent as u32 / size.max(1);
    }
    words[block::TOTAL as usize] = match kernel.tile() {
        Some(_) => tiles(kernel, domain) as u32,
        None => domain.threads() as u32,
    };
    for ((param, place), argument) in kernel.params().iter().zip(&layout.params).zip(arguments) {
        match (place, argument) {
            (&ParamWords::View { at, size }, Argument::View(view)) => {
                let at = at as usize;
                words[at] = (view.offset as u32).wrapping_add(HEAD);
                for (d, (&extent, &stride)) in view.extent.iter().zip(&view.strides).enumerate() {
                    words[at + 1 + d] = extent as u32;
                    words[at + 1 + view.extent.len() + d] = (stride as u32).wrapping_mul(size);
                }
            }
            (&ParamWords::Buffer { at }, &Argument::Buffer { offset, size, .. }) => {
                words[at as usize] = (offset as u32).wrapping_add(HEAD);
                words[at as usize + 1] = size as u32;
            }
            (&ParamWords::Value { at }, Argument::Uniform(bytes)) => {
                let ParamKind::Uniform(ty) = param.kind else { continue };
                let mut at = at as usize;
                kernel.types().leaves(ty, &mut |offset, stored| {
                    let bits = tilewise_ir::bytes::decode(bytes.get(offset as usize..).unwrap_or(&[]), stored);
                    words[at] = bits as u32;
                    at += 1;
                    if stored.value().bits() == 64 {
                        words[at] = (bits >> 32) as u32;
                        at += 1;
                    }
                });
            }
            _ => {}
        }
    }
    words
}

/// The constants: tables, then uniform aggregates, behind the head that every buffer has.
pub fn constants(kernel: &Kernel, layout: &Layout, arguments: &[Argument]) -> Vec<u8> {
    let head = HEAD as usize;
    let mut bytes = vec![0; head + layout.constants as usize + TAIL as usize];
    for (table, &at) in kernel.tables().iter().zip(&layout.tables) {
        let mut leaves = table.leaves.iter();
        kernel.types().leaves(table.ty, &mut |offset, stored| {
            if let (Some(&bits), Some(to)) = (leaves.next(), bytes.get_mut(head + at as usize + offset as usize..)) {
                encode(to, stored, bits);
            }
        });
    }
    for (place, argument) in layout.params.iter().zip(arguments) {
        if let (&ParamWords::Aggregate { at }, Argument::Uniform(from)) = (place, argument)
            && let Some(to) = bytes.get_mut(head + at as usize..head + at as usize + from.len())
        {
            to.copy_from_slice(from);
        }
    }
    bytes
}
