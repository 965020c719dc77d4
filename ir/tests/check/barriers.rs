//! Barriers: `K05xx`.

use expect_test::expect;

use super::{accept, codes, reject};

/// 25 constructs around a statement, all of them uniform.
fn nested(inside: &str) -> String {
    let open = [
        "if n > 1 {",
        "while a < n {",
        "switch n { case 1: { v[1] = 1; } default: {",
        "loop {",
        "if tile[0] > 3 { v[2] = 1; } else {",
    ];
    let close = ["}", "a = a + 1; }", "} }", "if a > 7 { break; } } continuing { a = a + 1; break if a > n; }", "}"];
    let mut text = String::from("kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {\nvar a: i32 = 0;\n");
    (0..25).for_each(|i| text += &format!("{}\n", open[i % 5]));
    text += inside;
    (0..25).rev().for_each(|i| text += &format!("\n{}", close[i % 5]));
    text + "\n}\n"
}

#[test]
fn twenty_five_levels_of_uniform_control_are_fine() {
    accept(&nested("barrier;"));
    for index in ["local[0] % 2 == 0", "global[0] % 2 == 0"] {
        assert_eq!(codes(&nested(&format!("if {index} {{ barrier; }}"))), ["K0501"]);
    }
    assert_eq!(codes(&nested("if local[0] > 3 { return; } barrier;")), ["K0502"]);
}

#[test]
fn a_barrier_under_the_threads_own_index() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    let even = local[0] % 2;
    if even == 0 {
        barrier;
    }
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:5:9
              |
            3 |     let even = local[0] % 2;
              |                ------------
              |                |
              |                `even` differs between threads
              |                `local[0]` is another in each thread of the tile
            4 |     if even == 0 {
              |     -- threads of one tile take different branches here
            5 |         barrier;
              |         ^^^^^^^ threads wait here for others that took another branch
              |
              = note: in a tile that reaches it, the thread with `local` [0] waits for all, and the thread with `local` [15] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_barrier_under_the_global_index() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    switch global[0] {
        case 1: { barrier; }
        default: { v[0] = 1; }
    }
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:4:19
              |
            3 |     switch global[0] {
              |     ------ --------- `global[0]` is another in each thread
              |     |
              |     threads of one tile take different cases here
            4 |         case 1: { barrier; }
              |                   ^^^^^^^ threads wait here for others that took another branch
              |
              = note: in the first tile, the thread with `local` [1] waits for all, and the thread with `local` [0] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_barrier_in_a_loop_of_different_length() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var i: i32 = local[0];
    while i < 16 {
        barrier;
        i = i + 1;
    }
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:5:9
              |
            3 |     var i: i32 = local[0];
              |     ---------------------
              |     |            |
              |     |            `local[0]` is another in each thread of the tile
              |     `i` is set differently in different threads
            4 |     while i < 16 {
              |           ------ threads of one tile leave the loop in different iterations
            5 |         barrier;
              |         ^^^^^^^ threads wait here for others that took another branch
              |
              = note: in a tile that reaches it, the thread with `local` [0] waits for all, and the thread with `local` [15] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_barrier_behind_a_return_of_some() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    if local[0] > 3 {
        return;
    }
    v[0] = 1;
    barrier;
}
"#,
        expect![[r#"
            error[K0502]: a barrier that some threads of the tile never reach, because they have left
             --> k.kir:7:5
              |
            3 |     if local[0] > 3 {
              |     -- -------- `local[0]` is another in each thread of the tile
              |     |
              |     threads of one tile take different branches here
            4 |         return;
              |         ------ some threads of a tile leave here
            ...
            7 |     barrier;
              |     ^^^^^^^ threads wait here for others that have left
              |
              = note: in a tile that reaches it, the thread with `local` [0] waits for all, and the thread with `local` [15] ends without
              = help: let all threads reach it: instead of leaving, make the code in between conditional
        "#]],
    );
}

#[test]
fn a_barrier_in_a_loop_that_some_leave() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var i: i32 = 0;
    loop {
        barrier;
        i = i + 1;
        if i > local[0] { break; }
    }
}
"#,
        expect![[r#"
            error[K0502]: a barrier that some threads of the tile never reach, because they have left
             --> k.kir:5:9
              |
            5 |         barrier;
              |         ^^^^^^^ threads wait here for others that have left
            6 |         i = i + 1;
            7 |         if i > local[0] { break; }
              |         --     --------   ----- some threads of a tile leave here
              |         |      |
              |         |      `local[0]` is another in each thread of the tile
              |         threads of one tile take different branches here
              |
              = note: in a tile that reaches it, the thread with `local` [15] waits for all, and the thread with `local` [0] ends without
              = help: let all threads reach it: instead of leaving, make the code in between conditional
        "#]],
    );
}

#[test]
fn a_barrier_that_some_continue_past() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var i: i32 = 0;
    while i < 4 {
        i = i + 1;
        if local[0] < i { continue; }
        barrier;
    }
}
"#,
        expect![[r#"
            error[K0502]: a barrier that some threads of the tile never reach, because they have left
             --> k.kir:7:9
              |
            6 |         if local[0] < i { continue; }
              |         -- --------       -------- some threads of a tile leave here
              |         |  |
              |         |  `local[0]` is another in each thread of the tile
              |         threads of one tile take different branches here
            7 |         barrier;
              |         ^^^^^^^ threads wait here for others that have left
              |
              = note: in a tile that reaches it, the thread with `local` [15] waits for all, and the thread with `local` [0] ends without
              = help: let all threads reach it: instead of leaving, make the code in between conditional
        "#]],
    );
}

#[test]
fn a_condition_that_some_threads_set() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var flag: i32 = 0;
    if local[0] == 3 {
        flag = 1;
    }
    if flag == 1 {
        barrier;
    }
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:8:9
              |
            4 |     if local[0] == 3 {
              |     -- -------- `local[0]` is another in each thread of the tile
              |     |
              |     threads of one tile take different branches here
            5 |         flag = 1;
              |         -------- `flag` is set by some threads only
            6 |     }
            7 |     if flag == 1 {
              |     -- threads of one tile take different branches here
            8 |         barrier;
              |         ^^^^^^^ threads wait here for others that took another branch
              |
              = note: in a tile that reaches it, the thread with `local` [3] waits for all, and the thread with `local` [0] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_condition_set_differently_in_rounds() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var count: i32 = 0;
    var i: i32 = 0;
    while i < local[0] { i = i + 1; count = count + 2; }
    if count > 4 { barrier; }
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:6:20
              |
            5 |     while i < local[0] { i = i + 1; count = count + 2; }
              |           ------------              ----------------- `count` is set by some threads only
              |           |   |
              |           |   `local[0]` is another in each thread of the tile
              |           threads of one tile leave the loop in different iterations
            6 |     if count > 4 { barrier; }
              |     --             ^^^^^^^ threads wait here for others that took another branch
              |     |
              |     threads of one tile take different branches here
              |
              = note: in a tile that reaches it, the thread with `local` [15] waits for all, and the thread with `local` [0] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_short_circuit() {
    reject(
        r#"
kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {
    if n > 1 && local[0] > 1 { barrier; }
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:3:32
              |
            3 |     if n > 1 && local[0] > 1 { barrier; }
              |     --          --------       ^^^^^^^ threads wait here for others that took another branch
              |     |           |
              |     |           `local[0]` is another in each thread of the tile
              |     threads of one tile take different branches here
              |
              = note: in a tile that reaches it, the thread with `local` [15] waits for all, and the thread with `local` [0] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_barrier_in_a_function() {
    reject(
        r#"
fn meet(n: i32) {
    if n < 4 {
        barrier;
    }
}
kernel k(v: view<i32, 1, read_write>) tile(16) {
    meet(local[0]);
    meet(tile[0]);
}
"#,
        expect![[r#"
            error[K0501]: a barrier that not all threads of the tile reach
             --> k.kir:4:9
              |
            3 |     if n < 4 {
              |     -- threads of one tile take different branches here
            4 |         barrier;
              |         ^^^^^^^ threads wait here for others that took another branch
            ...
            8 |     meet(local[0]);
              |          -------- `local[0]` is another in each thread of the tile
              |
              = note: in a tile that reaches it, the thread with `local` [0] waits for all, and the thread with `local` [15] ends without
              = help: move the barrier out, so that all threads reach it, and leave only the work inside
        "#]],
    );
}

#[test]
fn a_function_that_some_leave_early_and_then_a_barrier_in_it() {
    reject(
        r#"
fn f(n: i32, v: view<i32, 1, read_write>) {
    if n < 4 { return; }
    barrier;
}
kernel k(v: view<i32, 1, read_write>) tile(16) {
    f(local[0], v);
    barrier;
}
"#,
        expect![[r#"
            error[K0502]: a barrier that some threads of the tile never reach, because they have left
             --> k.kir:4:5
              |
            3 |     if n < 4 { return; }
              |     --         ------ some threads of a tile leave here
              |     |
              |     threads of one tile take different branches here
            4 |     barrier;
              |     ^^^^^^^ threads wait here for others that have left
            ...
            7 |     f(local[0], v);
              |       -------- `local[0]` is another in each thread of the tile
              |
              = note: in a tile that reaches it, the thread with `local` [15] waits for all, and the thread with `local` [0] reaches another barrier
              = help: let all threads reach it: instead of leaving, make the code in between conditional
        "#]],
    );
}

#[test]
fn uniform_sources() {
    accept(
        r#"
struct U { list: [i32; 4] }
const table: [i32; 2] = [1, 0];
fn meets(n: i32) -> bool { if n > 3 { return true; } return false; }
kernel k(v: view<i32, 1, read_write>, n: i32, u: U) tile(16) {
    if tile[0] == 1 { barrier; }
    if n > 2 && tile_origin[0] < domain_extent[0] { barrier; }
    if extent(v, 0) > 3 { barrier(global); }
    if table[tile[0]] > 0 { barrier(tile_static); }
    if u.list[n] > 0 { barrier; }
    var i: i32 = 0;
    while i < tile_extent[0] { barrier; i = i + 1; if i == n { break; } }
    if meets(n) { barrier; }
}
"#,
    );
}

#[test]
fn ranges_decide() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    if local[0] < 16 { barrier; }
    if local[0] / 16 == 0 { barrier; }
    if (local[0] & 15) >= 16 { barrier; }
    if max(local[0], 20) == 20 { barrier; }
    if (local[0] as u32 >> 4u32) == 0u32 { barrier; }
}
"#,
    );
}

#[test]
fn a_dimension_of_one_thread() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(1, 16) {
    if global[0] > 3 { barrier; }
    if local[0] == 0 { barrier; }
}
"#,
    );
}

#[test]
fn all_are_back_behind_a_loop_or_scope() {
    accept(
        r#"
fn f(n: i32, v: view<i32, 1, read_write>) {
    if n < 4 { return; }
    v[n] = 1;
}
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var i: i32 = 0;
    loop { if i > local[0] { break; } i = i + 1; }
    barrier;
    's: { if local[0] > 3 { break 's; } v[local[0]] = 1; }
    barrier;
    f(local[0], v);
    barrier;
    i = 0;
    while i < 3 {
        'body: { if local[0] > i { break 'body; } v[i] = 1; }
        barrier;
        i = i + 1;
    }
}
"#,
    );
}

#[test]
fn a_barrier_in_a_continuing_part_meets_those_who_continued() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var i: i32 = 0;
    while i < 4 { if local[0] < i { continue; } v[i] = 1; } continuing { barrier; i = i + 1; }
}
"#,
    );
}

#[test]
fn abort_and_error_are_no_control_flow() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    if local[0] == 3 { abort; }
    if local[0] == 5 { error("five"); }
    barrier;
}
"#,
    );
}

#[test]
fn what_is_unproven_is_left_to_a_vote() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    v[1] = 1;
    if v[0] > 3 { barrier; }
    if v[local[0]] > 3 { return; }
    barrier;
    if local[0] * v[0] > 3 { barrier; }
}
"#,
    );
}

#[test]
fn a_vector_is_followed_by_component() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    let p = i32x2(local[0], tile[0]);
    if p.y > 3 { barrier; }
    let q = (p + i32x2(1, 2)).yx;
    if q.x > 3 { barrier; }
    var r: i32x2 = zero;
    r.x = local[0];
    r.y = tile[0];
    if r.y == 1 { barrier; }
}
"#,
    );
}

#[test]
fn a_variable_set_anew() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    var x: i32 = local[0];
    v[x] = 1;
    x = 4;
    if x > tile[0] { barrier; }
    if local[0] > 3 { x = 7; } else { x = 7; }
    if x > tile[0] { barrier; }
}
"#,
    );
}

#[test]
fn what_only_divergent_code_knows_stays_there() {
    accept(
        r#"
kernel k(v: view<i32, 1, read_write>) tile(16) {
    if local[0] > 3 { var i: i32 = 0; while i < 4 { v[i] = 1; i = i + 1; } }
    var j: i32 = 0;
    while j < 4 { barrier; j = j + 1; }
}
"#,
    );
}

/// The warnings of an accepted text, rendered.
#[track_caller]
fn warnings(text: &str) -> String {
    let checked = accept(text);
    tilewise_ir::diag::render(checked.warnings(), checked.sources(), tilewise_ir::diag::Colour::Never)
}

#[test]
fn what_is_not_proved_to_part_the_tile_is_a_warning() {
    expect![[r#"
        warning[K0503]: a barrier that perhaps not all threads of the tile reach
         --> k.kir:4:9
          |
        3 |     if global[0] < n {
          |     -- --------- `global[0]` is another in each thread
          |     |
          |     threads of one tile take different branches here
        4 |         barrier;
          |         ^^^^^^^ it cannot be shown that all threads reach it together
          |
          = note: while the kernel runs, the threads of each tile vote before this barrier; if some do not reach it, the launch ends with an error that names them
          = help: if the condition is the same in all threads of a tile, compute it from constants, captured values and the tile's own index: then there is no vote
    "#]].assert_eq(&warnings(
        r#"
kernel k(n: i32, v: view<i32, 1, read_write>) tile(16) {
    if global[0] < n {
        barrier;
        v[global[0]] = 1;
    }
}
"#,
    ));
}

#[test]
fn right_programs_that_depend_on_the_index_are_accepted() {
    let kernels = [
        // All rounds are the same in number.
        "var i: i32 = local[0]; while i < local[0] + n { barrier; i = i + 1; }",
        "var i: i32 = local[0]; while i < local[0] + 3 { barrier; i = i + 1; }",
        // The barrier is in the rounds that all make.
        "var i: i32 = 0; while i < local[0] + 3 { if i < 3 { barrier; } i = i + 1; }",
        "var i: i32 = 0; while i < local[0] + n { if i < n { barrier; } i = i + 1; }",
        // True in every thread.
        "if local[0] / 16 == 0 { barrier; }",
        "if local[0] * n == 0 { barrier; }",
        // Only a thread that fails does not come.
        "if local[0] == 3 { abort; } barrier;",
        "if local[0] == 3 { if n > 1 { abort; } return; } barrier;",
        // Where it would part the tile nobody comes.
        "let m = select(n > 1, local[0], 3); if m < 4 { barrier; }",
        "if n > 1 || local[0] > 1 { barrier; }",
    ];
    for inside in kernels {
        let text = format!("kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {{ {inside} }}");
        assert_eq!(codes(&text), Vec::<&str>::new(), "{inside}");
    }
}

#[test]
fn what_parts_the_tile_wherever_it_is_reached_is_an_error() {
    let kernels = [
        "if n > 1 { if local[0] > 1 { barrier; } }",
        "var i: i32 = 0; while i < n { if local[0] == i { barrier; } i = i + 1; }",
        "var i: i32 = 0; while i < 3 { if i == 2 && local[0] == 5 { barrier; } i = i + 1; }",
        "var i: i32 = 0; while i < local[0] + 3 { if i < 4 { barrier; } i = i + 1; }",
        "let even = (local[0] & 1) == 0; if even { barrier; } else { barrier(tile_static); }",
        "if v[0] > 1 { v[1] = 2; } if local[0] < 8 { barrier; }",
        "'out: { if local[0] == 7 { break 'out; } barrier; }",
        "let pair = i32x2(local[0], 3); if pair.x > pair.y { barrier; }",
        "var pair: i32x2 = i32x2(0, 3); pair.x = local[0]; if pair.x > pair.y { barrier; }",
    ];
    for inside in kernels {
        let text = format!("kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {{ {inside} }}");
        let found = codes(&text);
        assert!(found.first().is_some_and(|code| ["K0501", "K0502"].contains(code)), "{inside}: {found:?}");
    }
}
