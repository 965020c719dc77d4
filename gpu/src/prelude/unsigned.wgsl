// Rows for unsigned integers U of twice HALF bits.
fn mul_hi_U(a: U, b: U) -> U {
    let mask = ((~0SU) >> HALFu);
    let al = a & mask;
    let ah = a >> HALFu;
    let bl = b & mask;
    let bh = b >> HALFu;
    let ll = al * bl;
    let lh = al * bh;
    let hl = ah * bl;
    let middle = (ll >> HALFu) + (lh & mask) + (hl & mask);
    return ah * bh + (lh >> HALFu) + (hl >> HALFu) + (middle >> HALFu);
}
fn div_U(a: U, b: U) -> U { if b == 0SU { return a; } return a / b; }
fn rem_U(a: U, b: U) -> U { if b == 0SU { return b; } return a % b; }
fn add_overflows_U(a: U, b: U) -> bool { return a + b < a; }
fn sub_overflows_U(a: U, b: U) -> bool { return a < b; }
fn mul_overflows_U(a: U, b: U) -> bool { return mul_hi_U(a, b) != 0SU; }
fn add_sat_U(a: U, b: U) -> U { if add_overflows_U(a, b) { return ~(a & 0SU); } return a + b; }
fn sub_sat_U(a: U, b: U) -> U { if a < b { return a & 0SU; } return a - b; }
fn mul_sat_U(a: U, b: U) -> U { if mul_overflows_U(a, b) { return ~(a & 0SU); } return a * b; }
fn div_euclid_U(a: U, b: U) -> U { return div_U(a, b); }
fn rem_euclid_U(a: U, b: U) -> U { return rem_U(a, b); }
fn isqrt_U(x: U) -> U {
    var rest = x;
    var root = x & 0SU;
    var bit = 1SU << (HALFu + HALFu - 2u);
    for (var i = 0u; i < HALFu; i = i + 1u) {
        if rest >= root + bit {
            rest = rest - (root + bit);
            root = (root >> 1u) + bit;
        } else {
            root = root >> 1u;
        }
        bit = bit >> 2u;
    }
    return root;
}
