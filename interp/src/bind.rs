//! Binds a launch: lays out the memory spaces besides the allocations, and resolves parameters.
//!
//! Spaces are numbered: the launch's allocations, then `tile_static`, constants (tables, uniforms),
//! private memory.

use super::memory::SpaceId;
use tilewise_ir::bytes;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain};

/// The facts about a launch that [`compile`](super::compile) needs.
#[derive(Debug)]
pub(super) struct LaunchPlan {
    /// For each parameter, in order.
    pub(super) params: Vec<BoundParam>,
    /// For each `tile_static` variable, the offset of its first byte.
    pub(super) tile_vars: Vec<u64>,
    /// For each table, the offset of its first byte.
    pub(super) tables: Vec<u64>,
    pub(super) tile_space: SpaceId,
    pub(super) constant_space: SpaceId,
    pub(super) private_space: SpaceId,
    pub(super) domain: Vec<u32>,
    /// All ones for an untiled kernel.
    pub(super) tile: Vec<u32>,
}

/// A parameter in a launch.
#[derive(Debug)]
pub(super) enum BoundParam {
    /// The lanes of a view, or of a uniform scalar or vector.
    Value(Vec<u64>),
    /// A place of that many bytes.
    Place { space: SpaceId, at: u64, size: u64 },
}

/// The plan, and the spaces besides the allocations; private memory is still empty.
pub(super) struct BoundLaunch {
    pub(super) plan: LaunchPlan,
    pub(super) spaces: [Vec<u8>; 3],
}

/// Binds arguments that [`validate`](tilewise_ir::launch::validate()) accepted. `allocations` is
/// the number of the launch's allocations.
pub(super) fn bind(kernel: &Kernel, domain: &Domain, allocations: usize, arguments: &[Argument]) -> BoundLaunch {
    let types = kernel.types();
    let tile_space = allocations as SpaceId;
    let constant_space = tile_space + 1;
    let mut constants = Vec::new();
    let mut tables = Vec::new();
    for table in kernel.tables() {
        let base = constants.len();
        tables.push(base as u64);
        constants.resize(base + types.size(table.ty) as usize, 0);
        let mut leaves = table.leaves.iter();
        types.leaves(table.ty, &mut |at, stored| {
            if let (Some(&bits), Some(to)) = (leaves.next(), constants.get_mut(base + at as usize..)) {
                bytes::encode(to, stored, bits);
            }
        });
    }
    let params = kernel.params().iter().zip(arguments).map(|(param, argument)| match (argument, param.kind) {
        (Argument::View(view), _) => {
            let mut lanes = vec![view.allocation as u64, view.offset];
            lanes.extend(view.extent.iter().map(|&e| e.max(0) as u64));
            lanes.extend(&view.strides);
            BoundParam::Value(lanes)
        }
        (&Argument::Buffer { allocation, offset, size }, _) => {
            BoundParam::Place { space: allocation as SpaceId, at: offset, size }
        }
        (Argument::Uniform(bytes), ParamKind::Uniform(ty)) if types.value(ty).is_some() => {
            let mut lanes = Vec::new();
            types.leaves(ty, &mut |at, stored| {
                lanes.push(bytes::decode(bytes.get(at as usize..).unwrap_or(&[]), stored));
            });
            BoundParam::Value(lanes)
        }
        (Argument::Uniform(bytes), _) => {
            let at = constants.len() as u64;
            constants.extend_from_slice(bytes);
            BoundParam::Place { space: constant_space, at, size: bytes.len() as u64 }
        }
    });
    let params = params.collect();
    let mut tile_static = 0;
    let mut tile_vars = Vec::new();
    for var in kernel.tile_vars() {
        tile_vars.push(tile_static);
        // Each variable begins at a multiple of the largest atomic word.
        tile_static = (tile_static + types.size(var.ty)).next_multiple_of(8);
    }
    let plan = LaunchPlan {
        params,
        tile_vars,
        tables,
        tile_space,
        constant_space,
        private_space: constant_space + 1,
        domain: domain.extent.iter().map(|&e| e as u32).collect(),
        tile: kernel.tile().map_or_else(|| vec![1; domain.extent.len()], <[u32]>::to_vec),
    };
    BoundLaunch { plan, spaces: [vec![0; tile_static as usize], constants, Vec::new()] }
}
