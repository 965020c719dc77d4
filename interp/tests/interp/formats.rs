//! Stored formats: what a load gives, what a store leaves, and that neighbours are not disturbed.

use crate::case::{Case, gives, int_bytes};

#[test]
fn narrow_integers_widen_when_read() {
    let text = "kernel k(a: view<i8, 1, read>, b: view<u8, 1, read>, c: view<i16, 1, read>, d: view<u16, 1, read>, out: view<i32, 1, read_write>) rank(1) {
        out[0] = a[0];
        out[1] = b[0] as i32;
        out[2] = c[0];
        out[3] = d[0] as i32;
    }";
    let case = Case::new(text, &[1])
        .bytes(&[0x80], 1)
        .bytes(&[0x80], 1)
        .bytes(&[0xfe, 0xff], 1)
        .bytes(&[0xfe, 0xff], 1)
        .zeros(4)
        .run();
    assert_eq!(case.as_ints(4), [-128, 128, -2, 65534]);
}

#[test]
fn stores_truncate_and_leave_neighbours() {
    let text =
        "kernel k(a: view<i8, 1, read_write>, b: view<u16, 1, read_write>, c: view<u8x4, 1, read_write>) rank(1) {
        a[1] = 0x1ff;
        a[2] = -129;
        b[1] = 0x12345678u32;
        c[1].z = 0xabcu32;
    }";
    let case = Case::new(text, &[1]).bytes(&[1, 2, 3, 4], 4).bytes(&[1, 2, 3, 4, 5, 6], 3).bytes(&[9; 12], 3).run();
    assert_eq!(case.memory.allocations[0], [1, 0xff, 0x7f, 4]);
    assert_eq!(case.memory.allocations[1], [1, 2, 0x78, 0x56, 5, 6]);
    assert_eq!(case.memory.allocations[2], [9, 9, 9, 9, 9, 9, 0xbc, 9, 9, 9, 9, 9]);
}

#[test]
fn half_precision_rounds_to_nearest_even() {
    let text = "kernel k(a: view<f16, 1, read_write>, x: view<f32, 1, read>, back: view<f32, 1, read_write>) rank(1) {
        a[global[0]] = x[global[0]];
        back[global[0]] = a[global[0]];
    }";
    let cases: [(f32, u16, f32); 8] = [
        (1.0, 0x3c00, 1.0),
        // Halfway between 2048 and 2050, then between 2050 and 2052: to the even significand.
        (2049.0, 0x6800, 2048.0),
        (2051.0, 0x6802, 2052.0),
        (65504.0, 0x7bff, 65504.0),
        (65520.0, 0x7c00, f32::INFINITY),
        // The smallest denormal, and half of it.
        (5.9604645e-8, 0x0001, 5.9604645e-8),
        (2.9802322e-8, 0x0000, 0.0),
        (-0.0, 0x8000, -0.0),
    ];
    let x: Vec<u8> = cases.iter().flat_map(|(x, _, _)| x.to_le_bytes()).collect();
    let n = cases.len() as i32;
    let case = Case::new(text, &[n]).bytes(&vec![0; 2 * cases.len()], n).bytes(&x, n).zeros(n).run();
    let halves: Vec<u16> = case.memory.allocations[0].chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
    assert_eq!(halves, cases.map(|(_, half, _)| half));
    let bits = |floats: &[f32]| floats.iter().map(|f| f.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&case.as_floats(2)), bits(&cases.map(|(_, _, back)| back)));
}

#[test]
fn variables_of_narrow_formats_are_narrow() {
    gives(
        "var a: i8 = zero;
        var b: u8x2 = zero;
        var h: f16 = zero;
        var i: i32 = 1;
        a = 200;
        out[0] = a;
        b.y = 0x1ffu32;
        out[1] = b.y as i32;
        b[i] = 0x2feu32;
        out[2] = b[1] as i32;
        h = 2049.0;
        out[3] = h as i32;",
        &[-56, 255, 254, 2048],
    );
}

#[test]
fn truth_values_live_in_variables_and_tiles() {
    let text = "kernel k(out: view<i32, 1, read_write>) tile(4) {
        tile_static odd: [bool; 4];
        var mine: bool = local[0] == 2;
        odd[local[0]] = local[0] % 2 == 1;
        barrier;
        if odd[3 - local[0]] { out[global[0]] = 1; }
        if mine { out[global[0]] = out[global[0]] + 10; }
    }";
    let case = Case::new(text, &[4]).zeros(4).run();
    assert_eq!(case.as_ints(0), [1, 0, 11, 0]);
}

#[test]
fn wide_scalars_and_vectors_keep_all_bits() {
    let text = "kernel k(a: view<i64, 1, read_write>, b: view<f64x2, 1, read_write>) rank(1) {
        a[1] = a[0] * 3i64 - 1i64;
        b[0] = f64x2(b[0].y, b[0].x * 0.5f64);
    }";
    let longs: Vec<u8> = [1i64 << 40, 0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let doubles: Vec<u8> = [0.1f64, 0.3].iter().flat_map(|v| v.to_le_bytes()).collect();
    let case = Case::new(text, &[1]).bytes(&longs, 2).bytes(&doubles, 1).run();
    assert_eq!(case.memory.allocations[0][8..], ((3i64 << 40) - 1).to_le_bytes());
    assert_eq!(case.memory.allocations[1], [0.3f64, 0.05].map(f64::to_le_bytes).concat());
}

#[test]
fn a_table_holds_any_type() {
    let text = "struct Entry { a: i8, b: [u16; 2], c: f32x2 }
    const entries: [Entry; 2] = [{-1, [1u32, 65535u32], [0.5, 1.5]}, zero];
    kernel k(out: view<i32, 1, read_write>) rank(1) {
        let i = global[0];
        out[0] = entries[i].a + entries[i].b[1] as i32;
        out[1] = (entries[i].c.y * 2.0) as i32;
        out[2] = entries[i + 1].b[0] as i32;
        var copied: Entry = zero;
        copy(copied, entries[i]);
        out[3] = copied.a;
    }";
    let case = Case::new(text, &[1]).bytes(&int_bytes(&[9; 4]), 4).run();
    assert_eq!(case.as_ints(0), [65534, 3, 0, -1]);
}
