//! Size and shape of a launch.

use tilewise_ir::limits::MAX_RANK;

use super::super::rng::SeedRng;
use super::LaunchShape;

/// Draws domain and tile.
pub(super) fn shape(rng: &mut SeedRng, most: u32) -> LaunchShape {
    const TILES: &[&[u32]] = &[
        &[1],
        &[2],
        &[3],
        &[5],
        &[7],
        &[8],
        &[13],
        &[16],
        &[20],
        &[32],
        &[33],
        &[64],
        &[150],
        &[256],
        &[400],
        &[1024],
        &[1, 1],
        &[3, 5],
        &[4, 4],
        &[1, 9],
        &[7, 1],
        &[2, 16],
        &[8, 8],
        &[2, 20],
        &[3, 17],
        &[4, 32],
        &[16, 16],
        &[32, 32],
        &[40, 7],
        &[1, 1, 1],
        &[1, 7, 2],
        &[2, 2, 2],
        &[3, 1, 4],
        &[4, 2, 8],
        &[2, 3, 7],
        &[1, 2, 24],
        &[8, 8, 8],
        &[64, 1, 3],
    ];
    if rng.percent(60) {
        let fit: Vec<&[u32]> = TILES.iter().copied().filter(|tile| tile.iter().product::<u32>() <= most).collect();
        let tile = rng.pick(&fit).copied().unwrap_or(&[1]).to_vec();
        let tile_threads: u32 = tile.iter().product();
        let mut room = (most / tile_threads).clamp(1, 6);
        let mut extent: Vec<i32> = Vec::new();
        for &t in &tile {
            let tiles = rng.range(1, i64::from(room.min(3))) as u32;
            room /= tiles;
            extent.push((t * tiles) as i32);
        }
        let threads = extent.iter().map(|&e| e as u32).product();
        return LaunchShape { extent, tile: Some(tile), threads, tile_threads };
    }
    let rank = rank(rng, 5);
    let mut room = most;
    let mut extent = Vec::new();
    for d in 0..rank {
        let largest = if d + 1 == rank { room } else { room.min(7) };
        let one = if rank > 5 { 80 } else { 20 };
        let e = if rng.percent(one) { 1 } else { rng.range(1, i64::from(largest.max(1))) as u32 };
        room /= e;
        extent.push(e as i32);
    }
    if rng.percent(30) {
        extent.reverse();
    }
    let threads = extent.iter().map(|&e| e as u32).product();
    LaunchShape { extent, tile: None, threads, tile_threads: 1 }
}

/// A number of dimensions: mostly up to `usual`, sometimes any up to the maximum.
pub(super) fn rank(rng: &mut SeedRng, usual: i64) -> i64 {
    match rng.below(100) {
        0 => rng.range(usual, i64::from(MAX_RANK)),
        1..6 => rng.range(usual, 12),
        _ => rng.range(1, usual),
    }
}
