// A storage buffer that ends in a runtime-sized array, and its length.
//! dispatch 2
//! data: [6] = 100 1 2 3 4 5 6 7 8 9 10 11 12 13
//! expect data = 100 1 2 207 4 407 6 607 8 807 10 1007 12 1207
struct Item { a: u32, b: u32 }
struct Data { scale: u32, fill: u32, items: array<Item> }
@group(0) @binding(0) var<storage, read_write> data: Data;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&data.items)) { return; }
    data.items[id.x].b = data.items[id.x].a * data.scale + arrayLength(&data.items) + data.fill;
}
