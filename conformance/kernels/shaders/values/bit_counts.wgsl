// Counts and places of bits, of the lowest, the highest and no bit set.
//! dispatch 1
//! out: [32] = zero
//! expect out = (0 0 32 32 0 0 4294967295 4294967295) (1 2147483648 0 31 0 2 0 0) (1 1 31 0 0 0 31 31) (4 301989960 3 3 9 16 3 28)
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let bits = array(0u, 1u, 0x80000000u, 0x12000048u)[id.x];
    let at = id.x * 8u;
    out[at] = countOneBits(bits);
    out[at + 1u] = reverseBits(bits);
    out[at + 2u] = countTrailingZeros(bits);
    out[at + 3u] = countLeadingZeros(bits);
    out[at + 4u] = extractBits(bits, 3u, 5u);
    out[at + 5u] = insertBits(0u, bits, 1u, 4u);
    out[at + 6u] = firstTrailingBit(bits);
    out[at + 7u] = firstLeadingBit(bits);
}
