// `&&` and `||` have values in conditions of loops, in each other, beside calls with effects, and behind a `break`.
//! dispatch 2
//! list: [8] = 7 7 7 1 7 2 7 7
//! out: [8] = zero
//! expect out = 3 15 4 64 5 16 103 10
@group(0) @binding(0) var<storage, read> list: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
var<private> calls: u32;

fn counted(is_on: bool) -> bool {
    calls += 1u;
    return is_on;
}

@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3u) {
    let n = arrayLength(&list);
    let at = w.x * 4u;
    // The condition of a `while`, whose right side would read out of range.
    var i = at;
    while i < n && list[i] == 7u {
        i++;
    }
    out[at] = i;
    // Three in a row, and one in the other.
    var sum = 0u;
    for (var k = 0u; k < n && (list[k] != 2u || w.x == 1u) && sum < 100u; k++) {
        sum += select(1u, 3u, list[k] == 7u && k < 4u || k > 6u);
    }
    out[at + 1u] = select(sum, sum + 4u, w.x == 0u && sum == 11u || sum == 0u);
    // Right sides with effects run only where the left side asks for them.
    calls = 0u;
    let both = counted(w.x == 1u) && counted(true) && counted(false);
    let either = counted(w.x == 0u) || counted(both) || counted(true);
    out[at + 2u] = calls + select(0u, 2u, either) + select(0u, 50u, both) + select(0u, 95u, w.x == 1u && either && !both);
    // In the continuing part, and in `break if`.
    var round = 0u;
    var last = false;
    loop {
        if round > 40u || last && round > 8u {
            break;
        }
        round += 3u;
        continuing {
            last = round > 3u && (w.x == 1u || round > 60u);
            break if round == 64u || w.x == 0u && round > 62u;
        }
    }
    out[at + 3u] = round + select(0u, 22u, w.x == 0u) + select(1u, 0u, round == 42u);
}
