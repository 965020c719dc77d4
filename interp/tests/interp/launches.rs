//! Domains, arguments, what a thread knows, fuel.

use tilewise_interp::ThreadOrder;
use tilewise_ir::launch::{Argument, Ending, Refusal, ViewArgument};

use crate::case::{Case, int_bytes};

#[test]
fn the_last_component_of_an_index_is_the_fastest() {
    let text = r#"kernel k() rank(3) { print("{} {} {}", global[0], global[1], global[2]); }"#;
    for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(9)] {
        let outcome = Case::new(text, &[2, 2, 3]).order(order).outcome();
        let expected = [
            "0 0 0", "0 0 1", "0 0 2", "0 1 0", "0 1 1", "0 1 2", "1 0 0", "1 0 1", "1 0 2", "1 1 0", "1 1 1", "1 1 2",
        ];
        assert!(outcome.printed.iter().map(|line| line.text.as_str()).eq(expected));
        assert!(outcome.printed.iter().map(|line| line.thread).eq(0..12));
    }
}

#[test]
fn an_untiled_domain_has_any_rank() {
    let text = "kernel k(out: view<i32, 1, read_write>) rank(7) {
        out[global[0] * 2 + global[6]] = 10 * global[0] + domain_extent[6] + domain_extent[3];
    }";
    let case = Case::new(text, &[2, 1, 1, 1, 1, 1, 2]).zeros(4).run();
    assert_eq!(case.as_ints(0), [3, 3, 13, 13]);
}

#[test]
fn a_thread_knows_its_tile() {
    let text = "kernel k(out: view<i32, 2, read_write>) tile(2, 3) {
        let packed = local[0] * 10000 + local[1] * 1000 + tile[0] * 100 + tile[1] * 10 + tile_count[0];
        let sums = tile_origin[0] + local[0] - global[0] + tile_origin[1] + local[1] - global[1];
        let sizes = tile_extent[0] * tile_count[0] - domain_extent[0] + tile_extent[1] * tile_count[1] - domain_extent[1];
        out[global[0], global[1]] = packed + sums * 7 + sizes * 11;
    }";
    let case = Case::new(text, &[4, 6]).shaped(&[0; 96], &[4, 6]).run();
    let expected: Vec<i32> =
        (0..4).flat_map(|i| (0..6).map(move |j| i % 2 * 10000 + j % 3 * 1000 + i / 2 * 100 + j / 3 * 10 + 2)).collect();
    assert_eq!(case.as_ints(0), expected);
}

#[test]
fn print_gives_the_linear_index_in_the_domain_not_in_tiles() {
    let outcome = Case::new(r#"kernel k() tile(2, 2) { print("{}", global[0] * 4 + global[1]); }"#, &[2, 4]).outcome();
    assert!(outcome.printed.iter().all(|line| line.text == line.thread.to_string()));
    assert!(outcome.printed.iter().map(|line| line.thread).eq(0..8));
}

#[test]
fn a_wrong_domain_is_refused() {
    for (rank, domain) in [
        ("rank(2)", &[4][..]),
        ("rank(1)", &[0]),
        ("rank(1)", &[-1]),
        ("rank(2)", &[65536, 65536]),
        ("tile(2, 2)", &[4, 3]),
        ("tile(4)", &[2]),
    ] {
        let refusal = Case::new(&format!("kernel k() {rank} {{}}"), domain).try_run();
        assert!(matches!(refusal, Err(Refusal::InvalidComputeDomain(_))), "{rank} over {domain:?}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let text = "kernel k(v: view<i32, 2, read>) rank(1) {}";
    let view = |offset, extent: [i32; 2], strides: [u64; 2]| {
        Argument::View(ViewArgument::new(0, offset, extent.to_vec(), strides.to_vec()))
    };
    let launch = |argument: Argument| {
        let mut case = Case::new(text, &[1]);
        case.allocation(vec![0; 32]);
        case.bind(argument).try_run().map(|_| ())
    };
    assert_eq!(launch(view(0, [2, 4], [4, 1])), Ok(()));
    assert_eq!(launch(view(100, [0, 4], [4, 1])), Ok(()), "a view without elements lies anywhere");
    for bad in [
        view(4, [2, 4], [4, 1]),
        view(0, [2, 4], [u64::MAX, 1]),
        view(u64::MAX, [1, 1], [1, 1]),
        view(0, [-1, 4], [4, 1]),
        Argument::Uniform(vec![0; 4]),
    ] {
        assert!(matches!(launch(bad), Err(Refusal::BadArgument(_))));
    }
}

#[test]
fn a_large_domain_is_walked_without_a_list_of_its_threads() {
    let text = "kernel k(out: view<u32, 1, read_write>) rank(2) { atomic_inc(out[0]); }";
    for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(3)] {
        let mut case = Case::new(text, &[65535, 65537]).zeros(1).order(order);
        case.options.fuel = Some(1000);
        assert_eq!(case.outcome().ending, Ending::OutOfFuel { fuel: 1000 });
        assert!(case.as_ints(0)[0] > 300);
    }
}

#[test]
fn fuel_counts_instructions_and_rounds() {
    let text = "kernel k(n: i32) rank(1) { var i: i32 = 0; while i < n { i = i + 1; } }";
    let mut case = Case::new(text, &[3]).bind(Argument::Uniform(int_bytes(&[5])));
    // The thread; var, loop; six starts of a round, six times load and compare, five times load, add, store.
    let each = 1 + 2 + 6 + 12 + 15;
    assert_eq!(case.outcome().instructions, 3 * each);
    case.options.fuel = Some(3 * each);
    assert_eq!(case.outcome().ending, Ending::Completed);
    case.options.fuel = Some(3 * each - 1);
    let outcome = case.outcome();
    assert_eq!(outcome.ending, Ending::OutOfFuel { fuel: 3 * each - 1 });
    assert!(outcome.instructions < 3 * each);
}

#[test]
fn an_endless_loop_ends_by_fuel() {
    let text = "kernel k(on: i32) rank(1) { while on == 0 { } loop { if on == 7 { break; } } }";
    for on in [0, 1] {
        let mut case = Case::new(text, &[3]).bind(Argument::Uniform(int_bytes(&[on])));
        assert_eq!(case.outcome().ending, Ending::OutOfFuel { fuel: 10_000_000 });
    }
}

#[test]
fn values_and_aggregates_travel_with_a_launch() {
    let text = "struct Pair { a: i32, b: f32 }
    kernel k(n: i32, on: bool, v: f32x3, pair: Pair, row: [i32; 3], out: view<i32, 1, read_write>) rank(1) {
        out[0] = n;
        if on { out[1] = 1; }
        out[2] = (v.x + v.y * v.z) as i32;
        out[3] = pair.a + pair.b as i32;
        out[4] = row[2] + row[n];
    }";
    let float = |x: f32| x.to_le_bytes();
    let case = Case::new(text, &[1])
        .bind(Argument::Uniform(int_bytes(&[1])))
        .bind(Argument::Uniform(vec![1]))
        .bind(Argument::Uniform([float(1.0), float(2.0), float(4.0)].concat()))
        .bind(Argument::Uniform([5i32.to_le_bytes(), float(2.5)].concat()))
        .bind(Argument::Uniform(int_bytes(&[10, 20, 30])))
        .zeros(5)
        .run();
    assert_eq!(case.as_ints(0), [1, 1, 9, 7, 50]);
}
