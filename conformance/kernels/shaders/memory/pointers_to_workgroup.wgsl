// Functions take pointers to memory of the workgroup: to atomics, to rows, to what a uniform load reads.
//! dispatch 2
//! o: [8] = zero
//! c = zero
//! expect o = 10 120 7 48 10 120 7 48
//! expect c = 32 0 16 8
requires unrestricted_pointer_parameters;

struct Counters { tickets: atomic<u32>, rest: array<atomic<u32>, 3> }
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: Counters;

var<workgroup> count: atomic<u32>;
var<workgroup> rows: array<array<u32, 4>, 4>;
var<workgroup> chosen: u32;

fn take(p: ptr<workgroup, atomic<u32>>, n: u32) { atomicAdd(p, n); }

fn bump(p: ptr<storage, atomic<u32>, read_write>, n: u32) -> u32 { return atomicAdd(p, n); }

fn bump_third(p: ptr<storage, array<atomic<u32>, 3>, read_write>, i: i32) { _ = bump(&(*p)[i], 1u); }

fn fill(p: ptr<workgroup, array<u32, 4>>, from_number: u32) {
    for (var i = 0u; i < 4u; i++) { (*p)[i] = from_number + i; }
}

fn sum(p: ptr<workgroup, array<array<u32, 4>, 4>>) -> u32 {
    var all = 0u;
    for (var i = 0; i < 4; i++) { all += row_sum(&p[i]); }
    return all;
}

fn row_sum(p: ptr<workgroup, array<u32, 4>>) -> u32 {
    let row = *p;
    return row[0] + (*p)[1] + row[2] + p[3];
}

fn agreed(p: ptr<workgroup, u32>) -> u32 { return workgroupUniformLoad(p); }

fn all_taken(p: ptr<workgroup, atomic<u32>>) -> u32 { return atomicLoad(p); }

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    take(&count, select(0u, 1u, i < 10u));
    if i < 4u { fill(&rows[i], i * 4u); }
    if i == 9u { chosen = 7u; }
    workgroupBarrier();
    let same = agreed(&chosen);
    if i == same {
        o[group.x * 4u] = all_taken(&count);
        o[group.x * 4u + 1u] = sum(&rows);
        o[group.x * 4u + 2u] = same;
        o[group.x * 4u + 3u] = row_sum(&rows[2]) + row_sum(&rows[(i + 1u) % 8u]) + 4u;
    }
    _ = bump(&c.tickets, 1u);
    if i % 2u == 0u { bump_third(&c.rest, 1); }
    if i < 4u { _ = bump(&c.rest[2u], 1u); }
}
