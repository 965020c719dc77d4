// Functions take pointers to buffers and uniforms, and to parts of them; an index is computed once, before the call.
//! dispatch 1
//! v: [24] = iota
//! s = 100 1 2 3 4 5 6 7 8 9 10 11 12 13 14
//! u = 3 4 5 6
//! o: [10] = zero
//! expect v = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 120 20 21 22 1023
//! expect s = 107 1 2 3 50 6 70 7 8 9 10 40 12 60 14
//! expect o = 24 9 19 23 27 107 3 10 10 73
requires unrestricted_pointer_parameters;

struct Item { position: vec3f, weight: f32, counts: array<u32, 3> }
struct Scene { total: f32, items: array<Item, 2> }
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> s: Scene;
@group(0) @binding(2) var<uniform> u: vec4f;
@group(0) @binding(3) var<storage, read_write> o: array<u32>;

var<private> turn: u32;

fn next() -> u32 { turn += 1u; return turn; }

fn length_of(p: ptr<storage, array<u32>, read_write>) -> u32 { return arrayLength(p); }

fn element(p: ptr<storage, array<u32>, read_write>, i: u32) -> u32 { return (*p)[i]; }

fn add(p: ptr<storage, u32, read_write>, x: u32) -> u32 {
    let before = *p;
    // The place stays, whatever becomes of the index.
    turn += 4u;
    *p = before + x;
    *p += 1u;
    return before;
}

fn total(p: ptr<storage, Scene, read_write>) -> u32 {
    p.total += f32(p.items[0].counts[2]);
    return u32(p.total);
}

fn item(p: ptr<storage, Item, read_write>, x: f32) -> u32 {
    (*p).weight = x;
    p.counts[1] = u32(x) + 20u;
    return u32(p.position.z);
}

fn component(p: ptr<uniform, vec4f>, i: u32) -> u32 { return u32((*p)[i]) + u32(p.w); }

fn both(p: ptr<storage, array<u32, 3>, read_write>, q: ptr<uniform, vec4f>) -> u32 {
    p[0] = u32(q.w);
    return (*p)[1] + u32((*q).x);
}

@compute @workgroup_size(1) fn main() {
    o[0] = length_of(&v);
    o[1] = element(&v, 9u);
    turn = 18u;
    o[2] = add(&v[next()], 100u);
    let last = &v[turn];
    o[3] = add(last, 999u);
    o[4] = turn;
    o[5] = total(&s);
    var k = 0u;
    o[6] = item(&s.items[k], 50.0);
    k = 1u;
    o[7] = item(&s.items[k], 40.0);
    o[8] = component(&u, k);
    o[9] = both(&s.items[0].counts, &u);
}
