//! Loads, stores and copies: bounds of every kind of place, layouts, lives of variables.

use tilewise_ir::launch::{Argument, ViewArgument};

use crate::case::{Case, float_bytes, gives, gives_with, int_bytes};

#[test]
fn each_dimension_of_a_view_has_its_own_bound() {
    let text = "kernel k(v: view<i32, 2, read_write>, out: view<i32, 1, read_write>) rank(1) {
        let minus = global[0] - 1;
        out[0] = v[0, 2];
        out[1] = v[0, 3];
        out[2] = v[1, minus];
        out[3] = v[minus, 4];
        out[4] = v[1u32, 4294967295u32];
        out[5] = v[2, 0];
        v[0, 3] = 100;
        v[minus, 0] = 100;
        v[2, 0] = 100;
        v[1, 1] = 7;
    }";
    let case = Case::new(text, &[1]).shaped(&int_bytes(&[1, 2, 3, 4, 5, 6]), &[2, 3]).ints(&[9; 6]).run();
    assert_eq!(case.as_ints(1), [3, 0, 0, 0, 0, 0]);
    assert_eq!(case.as_ints(0), [1, 2, 3, 4, 7, 6]);
}

#[test]
fn indices_of_vectors_are_bounded() {
    let text =
        "kernel k(v: view<i32x3, 1, read_write>, at: view<i32, 1, read>, out: view<i32, 1, read_write>) rank(1) {
        let two = at[0];
        let three = at[1];
        let minus = at[2];
        let x = v[0];
        out[0] = x[two];
        out[1] = x[three];
        out[2] = x[minus];
        out[3] = v[1][two];
        out[4] = v[0][three];
        var l: i32x3 = x;
        l[two] = 50;
        l[three] = 60;
        l[minus] = 70;
        l.y = 40;
        out[5] = l.x * 10000 + l.y * 100 + l.z;
        out[6] = l[two];
        v[0][three] = 99;
        v[0][two] = 33;
        v[1].x = 44;
    }";
    let case = Case::new(text, &[1]).bytes(&int_bytes(&[1, 2, 3, 4, 5, 6]), 2).ints(&[2, 3, -1]).zeros(7).run();
    assert_eq!(case.as_ints(2), [3, 0, 0, 6, 0, 14050, 50]);
    assert_eq!(case.as_ints(0), [1, 2, 33, 44, 5, 6]);
}

#[test]
fn indices_of_local_arrays_and_tables_are_bounded() {
    gives_with(
        "const table: [i32; 3] = [10, 20, 30];",
        "var a: [i32; 4] = zero;
        var b: [i32; 4] = zero;
        var i: i32 = 0;
        while i < 6 { a[i] = i + 1; b[i - 2] = 100 + i; i = i + 1; }
        out[0] = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];
        out[1] = a[i];
        out[2] = b[0];
        out[3] = table[i - 5];
        out[4] = table[i];
        out[5] = table[i - 7];",
        &[1234, 0, 102, 20, 0, 0],
    );
}

#[test]
fn indices_of_tile_static_arrays_are_bounded() {
    let text = "kernel k(out: view<i32, 1, read_write>) tile(4) {
        tile_static a: [i32; 4];
        tile_static b: [[i32; 2]; 2];
        a[local[0] + 2] = local[0] + 1;
        b[0][local[0]] = 5 + local[0];
        barrier;
        out[global[0]] = a[local[0]] * 100 + a[local[0] + 4] * 10 + b[1][local[0]] + b[0][local[0]];
    }";
    let case = Case::new(text, &[4]).zeros(4).run();
    assert_eq!(case.as_ints(0), [5, 6, 100, 200]);
}

#[test]
fn tile_static_is_zero_when_a_tile_begins() {
    let text = "kernel k(out: view<i32, 1, read_write>) tile(2) {
        tile_static sum: i32;
        atomic_add(sum, global[0] + 1);
        barrier;
        out[global[0]] = sum;
    }";
    let case = Case::new(text, &[6]).zeros(6).run();
    assert_eq!(case.as_ints(0), [3, 3, 7, 7, 11, 11]);
}

#[test]
fn a_runtime_sized_array_is_as_long_as_its_buffer() {
    let text = "struct List { count: i32, items: [i32x2] }
    kernel k(list: buffer<List, read_write>, plain: buffer<[i32], read>, out: view<i32, 1, read_write>) rank(1) {
        out[0] = array_length(list.items) as i32;
        out[1] = array_length(plain) as i32;
        out[2] = list.items[1].y;
        out[3] = list.items[array_length(list.items)].x;
        out[4] = plain[2] + plain[3] + plain[global[0] - 1];
        list.items[2].x = 7;
        list.items[0].x = 8;
        out[5] = list.count;
    }";
    // 4 + 2 * 8 bytes and a rest of 4 that is no whole element.
    let case =
        Case::new(text, &[1]).buffer(&int_bytes(&[42, 1, 2, 3, 4, 5])).buffer(&int_bytes(&[1, 2, 3])).zeros(6).run();
    assert_eq!(case.as_ints(2), [2, 3, 4, 0, 3, 42]);
    assert_eq!(case.as_ints(0), [42, 8, 2, 3, 4, 5]);
}

#[test]
fn fields_lie_where_the_struct_says() {
    let text = "struct Odd size(12) align(1) { late: i32 @ 7, early: i16 @ 1 }
    struct Holder size(40) align(1) { odd: Odd @ 3, row: [u16; 3 stride 5] @ 16 }
    kernel k(v: view<Holder, 1, read_write>) rank(1) {
        v[1].odd.late = 0x01020304;
        v[1].odd.early = -2;
        v[1].row[global[0] + 2] = 0xabcdu32;
        v[0].row[1] = v[1].row[2];
    }";
    let mut expected = vec![0x55; 80];
    expected[40 + 3 + 7..][..4].copy_from_slice(&[4, 3, 2, 1]);
    expected[40 + 3 + 1..][..2].copy_from_slice(&[0xfe, 0xff]);
    expected[40 + 16 + 10..][..2].copy_from_slice(&[0xcd, 0xab]);
    expected[16 + 5..][..2].copy_from_slice(&[0xcd, 0xab]);
    let case = Case::new(text, &[1]).bytes(&[0x55; 80], 2).run();
    assert_eq!(case.memory.allocations[0], expected);
}

#[test]
fn copy_leaves_gaps_alone() {
    let text = "struct Gap size(16) align(4) { a: i32 @ 0, b: u8 @ 5, c: [u8; 2 stride 3] @ 8 }
    kernel k(v: view<Gap, 1, read_write>) rank(1) {
        copy(v[1], v[0]);
        var l: Gap = zero;
        copy(l, v[0]);
        l.a = l.a + 1;
        copy(v[2], l);
        copy(v[3], v[4]);
        copy(v[4], v[0]);
    }";
    let first: Vec<u8> = (1..=16).collect();
    let bytes = [first.clone(), vec![0xee; 48]].concat();
    let case = Case::new(text, &[1]).bytes(&bytes, 4).run();
    let filled = |a: u8, at: &[u8]| {
        let mut gap = vec![0xee; 16];
        gap[..4].copy_from_slice(&[a, at[1], at[2], at[3]]);
        for i in [5, 8, 11] {
            gap[i] = at[i];
        }
        gap
    };
    let expected = [first.clone(), filled(1, &first), filled(2, &first), filled(0, &[0; 16])].concat();
    assert_eq!(case.memory.allocations[0], expected);
}

#[test]
fn copy_reads_everything_before_it_writes() {
    // Two views of one allocation, a word apart.
    let text =
        "kernel k(a: view<[i32; 3], 1, read_write>, b: view<[i32; 3], 1, read_write>) rank(1) { copy(b[0], a[0]); }";
    let mut case = Case::new(text, &[1]);
    let allocation = case.allocation(int_bytes(&[1, 2, 3, 4]));
    let view = |offset| Argument::View(ViewArgument::new(allocation, offset, vec![1], vec![1]));
    let case = case.bind(view(0)).bind(view(4)).run();
    assert_eq!(case.as_ints(0), [1, 1, 2, 3]);
}

#[test]
fn overlapping_views_see_the_same_bytes_in_program_order() {
    let text = "kernel k(a: view<u32, 1, read_write>, b: view<u8, 1, read>, c: view<f32, 1, read_write>, out: view<u32, 1, read_write>) rank(1) {
        a[0] = 0x04030201u32;
        out[0] = b[2];
        c[0] = 1.0;
        out[1] = a[0];
        out[2] = b[3];
    }";
    let mut case = Case::new(text, &[1]);
    let allocation = case.allocation(vec![0; 4]);
    let view = |extent| Argument::View(ViewArgument::dense(allocation, &[extent]));
    let case = case.bind(view(1)).bind(view(4)).bind(view(1)).zeros(3).run();
    assert_eq!(case.as_ints(1), [3, 0x3f80_0000, 0x3f]);
}

#[test]
fn strides_may_be_any() {
    let text =
        "kernel k(v: view<i32, 2, read_write>) rank(2) { v[global[0], global[1]] = v[global[0], global[1]] + 100; }";
    let mut case = Case::new(text, &[2, 3]);
    let allocation = case.allocation(int_bytes(&(0..12).collect::<Vec<_>>()));
    let case = case.bind(Argument::View(ViewArgument::new(allocation, 4, vec![2, 3], vec![1, 3]))).run();
    assert_eq!(case.as_ints(0), [0, 101, 102, 3, 104, 105, 6, 107, 108, 9, 10, 11]);
}

#[test]
fn an_unaligned_base_is_fine_for_plain_access() {
    let text = "kernel k(v: view<f32, 1, read_write>) rank(1) { v[global[0]] = v[global[0]] * 2.0; }";
    let mut case = Case::new(text, &[2]);
    let allocation = case.allocation([vec![9], float_bytes(&[1.5, 2.5]), vec![9]].concat());
    let case = case.bind(Argument::View(ViewArgument::new(allocation, 1, vec![2], vec![1]))).run();
    assert_eq!(case.memory.allocations[0], [vec![9], float_bytes(&[3.0, 5.0]), vec![9]].concat());
}

#[test]
fn a_declaration_resets_its_variable_each_time() {
    gives(
        "var i: i32 = 0;
        while i < 3 {
            var fresh: i32 = zero;
            var row: [i32; 2];
            fresh = fresh + 1;
            row[i % 2] = row[i % 2] + 1;
            out[i] = fresh * 100 + row[0] * 10 + row[1];
            i = i + 1;
        }",
        &[110, 101, 110],
    );
}

#[test]
fn threads_do_not_see_each_others_variables() {
    let text = "kernel k(out: view<i32, 1, read_write>) tile(3) {
        var mine: [i32; 2] = zero;
        var n: i32 = local[0] * 10;
        mine[0] = local[0];
        barrier;
        mine[0] = mine[0] + 1;
        n = n + 1;
        barrier;
        out[global[0]] = mine[0] * 100 + n + mine[1];
    }";
    let case = Case::new(text, &[6]).zeros(6).run();
    assert_eq!(case.as_ints(0), [101, 211, 321, 101, 211, 321]);
}
