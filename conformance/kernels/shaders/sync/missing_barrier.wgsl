// The barrier between writing and reading is missing: the reference accelerator names the line.
//! dispatch 1
//! order-dependent because neighbours race
//! out: [8] = zero
//! expect out = 4*0 3 2 1 0
//! expect report K0802 "a data race on `row[4]` between threads of a tile" at #a thread 4 and at #b thread 3 times 8
var<workgroup> row: array<u32, 8>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    row[i] = i;
//  ^^^^^^^^^^ #a
    out[i] = row[7u - i];
//           ^^^^^^^^^^^ #b
}
