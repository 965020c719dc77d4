//! Barriers: phases, arrival, divergence. Conditions are loaded from a writable view, so that only the run can tell.

use tilewise_interp::ThreadOrder;
use tilewise_ir::launch::{Arrival, Divergence, Ending};

use crate::case::{Case, float_bytes};

/// Runs `body` over tiles of 4 with `c: view<i32, 1, read_write>`, and expects divergence.
fn diverges(body: &str, c: &[i32]) -> Divergence {
    let text = format!("kernel k(c: view<i32, 1, read_write>) tile(4) {{\n{body}\n}}");
    let launch = |order| {
        let outcome = Case::new(&text, &[c.len() as i32]).ints(c).order(order).outcome();
        match outcome.ending {
            Ending::BarrierDivergence(divergence) => divergence,
            other => panic!("{other:?}"),
        }
    };
    let divergence = launch(ThreadOrder::Linear);
    if c.len() == 4 {
        assert_eq!(launch(ThreadOrder::Shuffled(4)), divergence, "the order of threads shows");
    }
    divergence
}

fn sides(divergence: &Divergence) -> Vec<(Arrival, u32, &[u32])> {
    divergence.sides.iter().map(|side| (side.did.clone(), side.pos.line, &side.threads[..])).collect()
}

fn at(rounds: &[u64]) -> Arrival {
    Arrival::Barrier { rounds: rounds.to_vec() }
}

#[test]
fn what_was_written_before_a_barrier_is_seen_behind_it() {
    let text = "kernel k(input: view<f32, 2, read>, sums: view<f32, 1, read_write>) tile(1, 8) {
        tile_static partial: [f32; 8];
        let row = global[0];
        let lane = local[1];
        var sum: f32 = 0.0;
        var column: i32 = lane;
        while column < extent(input, 1) {
            sum = sum + input[row, column];
            column = column + 8;
        }
        partial[lane] = sum;
        barrier;
        var half: i32 = 4;
        while half > 0 {
            if lane < half { partial[lane] = partial[lane] + partial[lane + half]; }
            barrier;
            half = half / 2;
        }
        if lane == 0 { sums[tile[0]] = partial[0]; }
    }";
    let input: Vec<f32> = (0..40).map(|i| i as f32).collect();
    let case = Case::new(text, &[2, 8]).shaped(&float_bytes(&input), &[2, 20]).zeros(2).run();
    assert_eq!(case.as_floats(1), [190.0, 590.0]);
}

#[test]
fn values_and_variables_survive_a_barrier() {
    let text = "kernel k(c: view<i32, 1, read_write>) tile(4) {
        let mine = c[global[0]];
        let v = i32x3(mine, mine + 1, mine + 2);
        let s = section(c, [tile_origin[0]], [4]);
        var n: i32 = mine * 2;
        barrier(global);
        s[3 - local[0]] = mine * 1000 + v.z * 100 + n;
    }";
    let case = Case::new(text, &[8]).ints(&[0, 1, 2, 3, 4, 5, 6, 7]).run();
    assert_eq!(case.as_ints(0), [3506, 2404, 1302, 200, 7914, 6812, 5710, 4608]);
}

#[test]
fn one_barrier_reached_in_different_rounds_is_divergence() {
    let d = diverges("var i: i32 = 0; while i < 3 { if i == c[global[0]] {\nbarrier; } i = i + 1; }", &[0, 2, 0, 2]);
    assert_eq!(sides(&d), [(at(&[0]), 3, &[0, 2][..]), (at(&[2]), 3, &[1, 3])]);
    assert_eq!(d.tile, [0]);
}

#[test]
fn rounds_of_all_loops_around_a_barrier_count() {
    let d = diverges(
        "var i: i32 = 0;
        while i < 2 {
            var j: i32 = 0;
            loop { if i * 2 + j == c[global[0]] { barrier; } } continuing { j = j + 1; break if j == 2 }
            i = i + 1;
        }",
        &[1, 1, 3, 2],
    );
    assert_eq!(sides(&d), [(at(&[0, 1]), 5, &[0, 1][..]), (at(&[1, 1]), 5, &[2]), (at(&[1, 0]), 5, &[3])]);
}

#[test]
fn loops_beside_a_barrier_do_not_count() {
    let text = "kernel k(c: view<i32, 1, read_write>) tile(4) {
        var i: i32 = c[global[0]];
        while i > 0 { i = i - 1; }
        barrier;
        c[global[0]] = i + 10;
    }";
    let case = Case::new(text, &[4]).ints(&[3, 0, 2, 9]).run();
    assert_eq!(case.as_ints(0), [10; 4]);
}

#[test]
fn different_barriers_are_divergence() {
    let d = diverges("if c[global[0]] > 0 {\nbarrier; } else {\nbarrier; }", &[0, 1, 1, 0]);
    assert_eq!(sides(&d), [(at(&[]), 4, &[0, 3][..]), (at(&[]), 3, &[1, 2])]);
}

#[test]
fn a_thread_that_returned_does_not_arrive() {
    let d = diverges("if c[global[0]] > 0 {\nreturn; }\nbarrier;", &[0, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(sides(&d), [(at(&[]), 4, &[0, 2, 3][..]), (Arrival::Returned, 3, &[1])]);
    assert_eq!(d.tile, [1]);
    let d = diverges("if c[global[0]] > 0 {\nbarrier; }", &[0, 1, 1, 1]);
    assert_eq!(sides(&d), [(Arrival::Returned, 0, &[0][..]), (at(&[]), 3, &[1, 2, 3])]);
}

#[test]
fn all_threads_may_return_together() {
    let text = "kernel k(c: view<i32, 1, read_write>) tile(4) {
        var i: i32 = 0;
        loop {
            barrier;
            if c[tile[0]] == i { return; }
            barrier;
            if local[0] == 0 { c[tile[0] + 2] = c[tile[0] + 2] + 1; }
            i = i + 1;
        }
    }";
    let case = Case::new(text, &[8]).ints(&[3, 1, 0, 0]).run();
    assert_eq!(case.as_ints(0), [3, 1, 3, 1]);
}

#[test]
fn divergence_ends_the_launch() {
    let text = "kernel k(c: view<i32, 1, read_write>) tile(2) {
        if c[global[0]] == 1 { barrier; }
        c[global[0]] = 7;
    }";
    let mut case = Case::new(text, &[6]).ints(&[0, 0, 0, 1, 0, 0]);
    assert!(matches!(case.outcome().ending, Ending::BarrierDivergence(_)));
    assert_eq!(case.as_ints(0), [7, 7, 7, 1, 0, 0], "tiles in front are done, the third has not begun");
}

#[test]
fn a_barrier_in_a_function_is_a_barrier() {
    let text = "fn meet(x: &mut i32) { barrier; x = x + 1; }
    kernel k(c: view<i32, 1, read_write>) tile(4) {
        tile_static t: [i32; 4];
        t[local[0]] = c[global[0]];
        var n: i32 = 0;
        meet(&mut n);
        let other = t[3 - local[0]];
        meet(&mut n);
        c[global[0]] = other * 10 + n;
    }";
    let case = Case::new(text, &[4]).ints(&[1, 2, 3, 4]).run();
    assert_eq!(case.as_ints(0), [42, 32, 22, 12]);
}

#[test]
fn a_tile_of_any_shape_meets() {
    let text = "kernel k(out: view<i32, 3, read_write>) tile(2, 3, 2) {
        tile_static t: [[[i32; 2]; 3]; 2];
        t[local[0]][local[1]][local[2]] = local[0] * 100 + local[1] * 10 + local[2];
        barrier(tile_static);
        out[global[0], global[1], global[2]] = t[1 - local[0]][2 - local[1]][1 - local[2]] + tile[2] * 1000;
    }";
    let case = Case::new(text, &[2, 3, 4]).shaped(&[0; 96], &[2, 3, 4]).run();
    let expected: Vec<i32> = (0..24)
        .map(|i| (i / 12, i / 4 % 3, i % 4))
        .map(|(x, y, z)| (1 - x) * 100 + (2 - y) * 10 + (1 - z % 2) + z / 2 * 1000)
        .collect();
    assert_eq!(case.as_ints(0), expected);
}
