//! Atomics.

use tilewise_interp::Checks;
use tilewise_ir::launch::{Ending, Finding};

use crate::case::{Case, float_bytes, gives, int_bytes};

#[test]
fn an_atomic_gives_the_value_before() {
    let text = "kernel k(a: view<i32, 1, read_write>, out: view<i32, 1, read_write>) rank(1) {
        out[0] = atomic_add(a[0], 2147483647);
        out[1] = atomic_sub(a[1], 5);
        out[2] = atomic_min(a[2], -5);
        out[3] = atomic_max(a[3], -5);
        out[4] = atomic_and(a[4], 6);
        out[5] = atomic_or(a[5], 6);
        out[6] = atomic_xor(a[6], 6);
        out[7] = atomic_exchange(a[7], 6);
        out[8] = atomic_inc(a[8]);
        out[9] = atomic_dec(a[9]);
    }";
    let case = Case::new(text, &[1]).ints(&[3; 10]).zeros(10).run();
    assert_eq!(case.as_ints(0), [i32::MIN + 2, -2, -5, 3, 2, 7, 5, 6, 4, 2]);
    assert_eq!(case.as_ints(1), [3; 10]);
}

#[test]
fn unsigned_and_wide_atomics_compare_as_their_type() {
    let text =
        "kernel k(a: view<u32, 1, read_write>, b: view<i64, 1, read_write>, c: view<u64, 1, read_write>) rank(1) {
        atomic_min(a[0], 4294967295u32);
        atomic_max(a[1], 4294967295u32);
        atomic_min(b[0], -1i64);
        atomic_add(b[1], 4294967296i64);
        atomic_max(c[0], 18446744073709551615u64);
        atomic_dec(c[1]);
    }";
    let case = Case::new(text, &[1]).ints(&[3, 3]).bytes(&[0; 16], 2).bytes(&[0; 16], 2).run();
    assert_eq!(case.as_ints(0), [3, -1]);
    assert_eq!(case.memory.allocations[1], [(-1i64).to_le_bytes(), (1i64 << 32).to_le_bytes()].concat());
    assert_eq!(case.memory.allocations[2], [0xff; 16]);
}

#[test]
fn floats_add_and_exchange() {
    let text = "kernel k(a: view<f32, 1, read_write>, out: view<f32, 1, read_write>) rank(1) {
        out[0] = atomic_add(a[0], 0.25);
        out[1] = atomic_exchange(a[1], -0.0);
    }";
    let case = Case::new(text, &[1]).bytes(&float_bytes(&[1.5, 2.5]), 2).bytes(&[0; 8], 2).run();
    assert_eq!(case.memory.allocations[0], float_bytes(&[1.75, -0.0]));
    assert_eq!(case.as_floats(1), [1.5, 2.5]);
}

#[test]
fn compare_exchange_stores_only_what_was_expected() {
    let text = "kernel k(a: view<i32, 1, read_write>, out: view<i32, 1, read_write>) rank(1) {
        let (x, first) = atomic_compare_exchange(a[0], 3, 8);
        let (y, second) = atomic_compare_exchange(a[0], 3, 9);
        let (z, outside) = atomic_compare_exchange(a[1], 0, 9);
        let (_, ignored) = atomic_compare_exchange(a[global[0] - 1], 0, 9);
        out[0] = x * 10 + first as i32;
        out[1] = y * 10 + second as i32;
        out[2] = z * 10 + outside as i32 + ignored as i32;
    }";
    let case = Case::new(text, &[1]).ints(&[3]).ints(&[7; 3]).run();
    assert_eq!(case.as_ints(0), [8]);
    assert_eq!(case.as_ints(1), [31, 80, 0]);
}

#[test]
fn out_of_range_nothing_changes_and_the_value_is_zero() {
    gives(
        "let n = extent(out, 0);
        out[0] = atomic_add(out[n], 5);
        out[1] = atomic_exchange(out[-n], 5);
        let s = section(out, [1], [1]);
        out[2] = atomic_inc(s[1]);",
        &[0, 0, 0],
    );
}

#[test]
fn atomics_work_in_buffers_and_tiles() {
    let text = "struct Counters { plain: u32, slots: [i32; 2] }
    kernel k(c: buffer<Counters, read_write>) tile(4) {
        tile_static sum: [u32; 2];
        atomic_add(sum[1], global[0] as u32);
        atomic_max(c.slots[local[0] % 2], global[0]);
        barrier;
        if local[0] == 0 { atomic_add(c.plain, sum[1]); }
    }";
    let case = Case::new(text, &[8]).buffer(&int_bytes(&[0, 0, 0])).run();
    assert_eq!(case.as_ints(0), [28, 6, 7]);
}

#[test]
fn threads_count_together() {
    let text = "kernel k(n: view<i32, 1, read_write>) rank(2) { atomic_add(n[global[0] % 2], 1); }";
    let mut case = Case::new(text, &[100, 30]).zeros(2);
    assert_eq!(case.outcome().ending, Ending::Completed);
    assert_eq!(case.as_ints(0), [1500, 1500]);
}

#[test]
fn an_exchange_whose_result_is_not_used_is_no_read() {
    let reports = |body: &str| {
        let text = format!("kernel k(out: view<i32, 1, read_write>) tile(4) {{ tile_static t: [i32; 8]; {body} }}");
        let mut case = Case::new(&text, &[4]).zeros(4);
        case.options.checks = Checks::all();
        case.outcome().reports.into_iter().map(|report| report.finding).collect::<Vec<_>>()
    };
    let none: [Finding; 0] = [];
    // It writes: what it has stored can be read, and other atomics find it.
    let stored =
        "atomic_exchange(t[local[0]], 5); barrier; out[global[0]] = t[3 - local[0]] + atomic_add(t[local[0]], 1);";
    assert_eq!(reports(stored), none);
    assert_eq!(reports("if local[0] == 0 { atomic_exchange(t[1], 5); } barrier; out[global[0]] = t[1];"), none);
    let used = reports("out[global[0]] = atomic_exchange(t[local[0]], 5);");
    assert_eq!(used.len(), 1, "{used:?}");
    // All others read what they change, whether or not anybody looks at it.
    assert_eq!(reports("atomic_add(t[local[0]], 5);").len(), 1);
    assert_eq!(reports("atomic_exchange(t[local[0]], 5); out[global[0]] = t[local[0] + 4];").len(), 1);
    // It is as atomic as before: it races with plain accesses, and not with its like.
    assert_eq!(reports("atomic_exchange(t[1], 5);"), none);
    assert_eq!(reports("atomic_exchange(t[1], 5); out[global[0]] = t[1];").len(), 0);
    assert_eq!(reports("atomic_exchange(t[1], 5); if local[0] == 2 { t[1] = 3; }").len(), 1);
}
