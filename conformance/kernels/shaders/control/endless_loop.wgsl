// Functions that end in a loop which only `return` leaves; loops whose condition is constant; calls that never come back.
//! dispatch 1
//! c = 5
//! out: [8] = zero
//! expect c = 6
//! expect out = 5 12 103 7 20 21 3 6
@group(0) @binding(0) var<storage, read_write> c: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

fn claim() -> u32 {
    loop {
        let old = atomicLoad(&c);
        let tried = atomicCompareExchangeWeak(&c, old, old + 1u);
        if tried.exchanged { return tried.old_value; }
    }
}

fn in_an_arm(x: u32) -> u32 {
    if x > 100u {
        return 1u;
    } else {
        var i = x;
        loop { i += 1u; switch i { case 12u { return i; } default { continue; } } }
    }
}

fn constant_condition(x: u32) -> u32 {
    while true { switch x { case 3u: { return 103u; } default: { return 7u; } } }
    return 0u;
}

fn constant_end(x: u32) -> u32 {
    var i = x;
    loop {
        i += 1u;
        if i == 20u { return i; }
        continuing { break if false; }
    }
    return 0u;
}

fn condition_of(repeats: bool) -> u32 {
    var i = 0u;
    while repeats { i += 1u; if i == 21u { return i; } }
    return 3u;
}

fn spin(i: u32) { while true { if out[i] == 77u { return; } } }

@compute @workgroup_size(1) fn main() {
    out[0] = claim();
    out[1] = in_an_arm(0u);
    out[2] = constant_condition(3u);
    out[3] = constant_condition(4u);
    out[4] = constant_end(1u);
    out[5] = condition_of(true);
    out[6] = condition_of(false);
    if out[0] > 100u { spin(1u); out[1] = 0u; }
    out[7] = 6u;
}
