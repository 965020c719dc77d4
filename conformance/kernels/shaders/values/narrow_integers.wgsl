// Integers of 16 bits: counts and places of their bits, shifts, fields, and what floats become.
//! dispatch 1
//! a: [8] = 1 40000 65535 0x8001 0 3 12 17
//! f: [5] = 40000 -40000 70001 -3.7 inf
//! bits: [20] = zero
//! fields: [12] = zero
//! numbers: [12] = zero
//! expect bits = 15 32768 0 1  0 65535 0 16  16 0 16 0  0 -32767 0 2  2 65535 0 -1
//! expect fields = 8 8 0 0  -8 -1 0 0  4097 1 1 3
//! expect numbers = 32767 -32768 32767 -3 32767  40000 0 65535 0 65535  2 -16384
enable wgpu_int16;
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> f: array<f32>;
@group(0) @binding(2) var<storage, read_write> bits: array<i32>;
@group(0) @binding(3) var<storage, read_write> fields: array<i32>;
@group(0) @binding(4) var<storage, read_write> numbers: array<i32>;

fn unsigned_bits(at: u32, x: u16) {
    bits[at] = i32(countLeadingZeros(x));
    bits[at + 1u] = i32(reverseBits(x));
    bits[at + 2u] = i32(countTrailingZeros(x));
    bits[at + 3u] = i32(countOneBits(x));
}

fn signed_bits(at: u32, x: i16) {
    bits[at] = i32(countLeadingZeros(x));
    bits[at + 1u] = i32(reverseBits(x));
    bits[at + 2u] = i32(countTrailingZeros(x));
    bits[at + 3u] = i32(countOneBits(x));
}

@compute @workgroup_size(1)
fn main() {
    let least = i16(u16(a[3]));
    unsigned_bits(0u, u16(a[0]));
    unsigned_bits(4u, u16(a[2]));
    unsigned_bits(8u, u16(a[4]));
    signed_bits(12u, least);
    bits[16] = i32(firstTrailingBit(u16(a[6])));
    bits[17] = i32(firstLeadingBit(u16(a[4])));
    bits[18] = i32(firstTrailingBit(least));
    bits[19] = i32(firstLeadingBit(i16(u16(a[2]))));

    // A field ends with the 16 bits.
    fields[0] = i32(extractBits(u16(a[3]), a[6], a[6]));
    fields[1] = i32(extractBits(u16(a[3]), a[6], 4u));
    fields[2] = i32(extractBits(u16(a[3]), 16u, 4u));
    fields[3] = i32(extractBits(u16(a[3]), 1u, 14u));
    fields[4] = i32(extractBits(least, a[6], a[6]));
    fields[5] = i32(extractBits(least, 15u, 9u));
    fields[6] = i32(extractBits(least, a[7], 4u));
    fields[7] = i32(extractBits(least, 1u, 14u));
    fields[8] = i32(insertBits(u16(a[0]), u16(a[0]), a[6], a[6]));
    fields[9] = i32(insertBits(u16(a[0]), u16(a[2]), 16u, 4u));
    fields[10] = i32(insertBits(i16(u16(a[0])), least, a[7], 1u));
    fields[11] = i32(insertBits(i16(u16(a[0])), least, 1u, 4u));

    numbers[0] = i32(i16(f[0]));
    numbers[1] = i32(i16(f[1]));
    numbers[2] = i32(i16(f[2]));
    numbers[3] = i32(i16(f[3]));
    numbers[4] = i32(i16(f[4]));
    numbers[5] = i32(u16(f[0]));
    numbers[6] = i32(u16(f[1]));
    numbers[7] = i32(u16(f[2]));
    numbers[8] = i32(u16(f[3]));
    numbers[9] = i32(u16(f[4]));
    // Modulo the width.
    numbers[10] = i32(u16(a[0]) << a[7]);
    numbers[11] = i32(least >> a[7]);
}
