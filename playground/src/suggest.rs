//! The header that a text without one gets as a suggestion: a domain or dispatch, and an input for each
//! parameter.

use tilewise_header::bind::tail;
use tilewise_header::file::HeadedFile;
use tilewise_ir::kernel::{Kernel, Param, ParamKind};
use tilewise_ir::types::{Stored, TypeId};

use crate::launch::TextLanguage;

/// Threads of a suggested launch, and elements of a suggested input; more in large tiles.
const SIZE: u32 = 64;

/// The lines that launch the kernel of a file.
pub(crate) fn header(language: TextLanguage, file: &HeadedFile, kernel: &Kernel) -> String {
    let mut lines = match language {
        TextLanguage::Kir => format!("//! domain {}\n", domain(kernel)),
        TextLanguage::Wgsl => format!("//! dispatch {}\n", dispatch(kernel)),
    };
    for param in kernel.params() {
        if let Some(input) = input(file, kernel, param) {
            lines += &format!("//! {}{input}\n", param.name);
        }
    }
    lines
}

/// About [`SIZE`] threads in whole tiles.
fn domain(kernel: &Kernel) -> String {
    let extent = match kernel.tile() {
        Some(tile) => {
            let mut extent = tile.to_vec();
            let threads: u32 = extent.iter().fold(1, |product, &size| product.saturating_mul(size));
            if let Some(first) = extent.first_mut() {
                *first = first.saturating_mul((SIZE / threads.max(1)).max(1));
            }
            extent
        }
        None => cube(kernel.rank()),
    };
    join(&extent, "x")
}

/// Workgroups with about [`SIZE`] invocations. One of a single invocation is a program of its own more often
/// than not.
fn dispatch(kernel: &Kernel) -> u32 {
    let threads = kernel.tile().into_iter().flatten().fold(1_u32, |product, &size| product.saturating_mul(size));
    if threads == 1 { 1 } else { (SIZE / threads.max(1)).max(1) }
}

/// [`SIZE`] elements in some dimensions, as equal as can be.
fn cube(rank: u32) -> Vec<u32> {
    match rank {
        0 => Vec::new(),
        1 => vec![SIZE],
        2 => vec![8; 2],
        3 => vec![4; 3],
        more => vec![2; more as usize],
    }
}

fn join(sizes: &[u32], between: &str) -> String {
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

/// What stands behind the name of a parameter; nothing for the size of a texture, which its texture gives.
fn input(file: &HeadedFile, kernel: &Kernel, param: &Param) -> Option<String> {
    if file.shader.sized_texture(&param.name).is_some() {
        return None;
    }
    if file.shader.is_sampler(&param.name) {
        return Some(" = sampler linear".to_owned());
    }
    let data = |element| if !param.kind.is_writable() && counts(kernel, element) { "iota" } else { "zero" };
    Some(match param.kind {
        ParamKind::View(_) if file.shader.has_levels(&param.name) => ": [4, 4] = zero".to_owned(),
        ParamKind::View(view) => format!(": [{}] = {}", join(&cube(view.rank), ", "), data(view.element)),
        ParamKind::Buffer { ty, .. } => match tail(kernel.types(), ty, 0) {
            Some((0, _, element)) => format!(": [{SIZE}] = {}", data(element)),
            Some(_) => format!(": [{SIZE}] = zero"),
            None => format!(" = {}", data(ty)),
        },
        ParamKind::Uniform(ty) if only_scalar(kernel, ty).is_some() => " = 1".to_owned(),
        ParamKind::Uniform(_) => " = zero".to_owned(),
    })
}

/// The scalar that the type consists of, if it is one: other types may have billions.
fn only_scalar(kernel: &Kernel, ty: TypeId) -> Option<Stored> {
    let mut only = None;
    if kernel.types().measure(ty).leaves == 1 {
        kernel.types().leaves(ty, &mut |_, stored| only = Some(stored));
    }
    only
}

/// Is an element one number, so that elements can count?
fn counts(kernel: &Kernel, element: TypeId) -> bool {
    only_scalar(kernel, element).is_some_and(|stored| stored != Stored::Bool)
}
