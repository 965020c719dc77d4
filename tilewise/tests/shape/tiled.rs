//! `tiled_extent` and `tiled_index` as far as no launch is needed: TEX-1 to TEX-5, TIX-3.

use crate::checks;
use tilewise::{Extent, TiledExtent, TiledIndex};

checks! {
    tex_1_default_copy_and_from: [i32; 6] = [0, 0, 20, 24, 20, 24]; {
        let zero = TiledExtent::<2, 5, 4>::default().extent();
        let tiled = TiledExtent::<2, 5, 4>::from(Extent::new((20, 24)));
        let mut copy = TiledExtent::<2, 5, 4>::default();
        copy = if copy == tiled { copy } else { tiled };
        [zero[0], zero[1], tiled.extent()[0], tiled.extent()[1], copy.extent()[0], copy.extent()[1]]
    }

    tex_2_tile_extent_and_its_constants: [i32; 10] = [16, 5, 4, 8, 4, 2, 16, 5, 4, 2]; {
        let one = Extent::new(64).tile::<16>().tile_extent();
        let two = Extent::new((20, 24)).tile::<5, 4>().tile_extent();
        let three = Extent::new((8, 8, 8)).tile::<8, 4, 2>().tile_extent();
        [
            one[0], two[0], two[1], three[0], three[1], three[2],
            TiledExtent::<1, 16>::TILE_DIM0 as i32, TiledExtent::<2, 5, 4>::TILE_DIM0 as i32, TiledExtent::<2, 5, 4>::TILE_DIM1 as i32,
            TiledExtent::<3, 8, 4, 2>::TILE_DIM2 as i32,
        ]
    }

    tex_3_pad_rounds_up: [i32; 9] = [28, 56, 96, 28, 8, 0, 20, 12, 16]; {
        let (a, b, c) = (Extent::new(25).tile::<4>().pad(), Extent::new(51).tile::<8>().pad(), Extent::new(85).tile::<16>().pad());
        let (whole, least, none) = (Extent::new(28).tile::<4>().pad(), Extent::new(1).tile::<8>().pad(), Extent::new(0).tile::<8>().pad());
        let three = Extent::new((19, 9, 16)).tile::<2, 4, 8>().pad().extent();
        [
            a.extent()[0], b.extent()[0], c.extent()[0], whole.extent()[0], least.extent()[0], none.extent()[0], three[0], three[1], three[2],
        ]
    }

    tex_4_truncate_rounds_down: [i32; 9] = [24, 48, 80, 28, 0, 0, 18, 8, 16]; {
        let (a, b, c) =
            (Extent::new(25).tile::<4>().truncate(), Extent::new(51).tile::<8>().truncate(), Extent::new(85).tile::<16>().truncate());
        let (whole, least, none) =
            (Extent::new(28).tile::<4>().truncate(), Extent::new(7).tile::<8>().truncate(), Extent::new(0).tile::<8>().truncate());
        let three = Extent::new((19, 9, 16)).tile::<2, 4, 8>().truncate().extent();
        [
            a.extent()[0], b.extent()[0], c.extent()[0], whole.extent()[0], least.extent()[0], none.extent()[0], three[0], three[1], three[2],
        ]
    }

    tex_3_and_4_give_new_values: [i32; 3] = [25, 28, 24]; {
        let tiled = Extent::new(25).tile::<4>();
        let (padded, truncated) = (tiled.pad(), tiled.truncate());
        [tiled.extent()[0], padded.extent()[0], truncated.extent()[0]]
    }

    tex_3_and_4_of_negative_and_huge_components: [i32; 4] = [-4, -4, -2_147_483_644, 2_147_483_644]; {
        // Towards zero, and wrapping.
        let (negative, huge) = (Extent::new(-7).tile::<4>(), Extent::new(i32::MAX).tile::<4>());
        [negative.pad().extent()[0], negative.truncate().extent()[0], huge.pad().extent()[0], huge.truncate().extent()[0]]
    }

    tex_5_equal_when_the_extents_are: [i32; 4] = [1, 0, 0, 1]; {
        let (a, same, other) =
            (Extent::new((20, 24)).tile::<5, 4>(), Extent::new((20, 24)).tile::<5, 4>(), Extent::new((20, 28)).tile::<5, 4>());
        [(a == same) as i32, (a != same) as i32, (a == other) as i32, (a != other) as i32]
    }

    tix_3_rank_and_tile_dimensions: [i32; 6] = [2, 5, 4, 3, 8, 2]; {
        [
            TiledIndex::<2, 5, 4>::RANK as i32, TiledIndex::<2, 5, 4>::TILE_DIM0 as i32, TiledIndex::<2, 5, 4>::TILE_DIM1 as i32,
            TiledIndex::<3, 8, 4, 2>::RANK as i32, TiledIndex::<3, 8, 4, 2>::TILE_DIM0 as i32, TiledIndex::<3, 8, 4, 2>::TILE_DIM2 as i32,
        ]
    }
}
