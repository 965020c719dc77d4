//! What buffers hold and what is told of scripts: numbers, series, repetitions, layouts, names.

use std::time::{Duration, Instant};

use crate::{AmberScript, parse};

/// The scalars of the first buffer of a script of these lines, as words of 32 bits.
fn words(lines: &str) -> Vec<u32> {
    let script = parse(&format!("#!amber\n{lines}\n")).unwrap();
    let all = script.buffers[0].contents.as_chunks::<4>().0;
    all.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// The place of what is wrong, and the message.
fn wrong(lines: &str) -> String {
    match parse(&format!("#!amber\n{lines}\n")) {
        Ok(_) => "right".to_owned(),
        Err(fault) => {
            let complaint = fault.complaint();
            format!("{}:{}: {}", complaint.at.line, complaint.at.column, complaint.message)
        }
    }
}

#[test]
fn a_series_of_integers_is_written_with_fractions_of_zeros_too() {
    assert_eq!(words("BUFFER v DATA_TYPE uint32 SIZE 4 SERIES_FROM 1.0 INC_BY 2.0"), [1, 3, 5, 7]);
    assert_eq!(words("BUFFER v DATA_TYPE int32 SIZE 3 SERIES_FROM 0x10 INC_BY -3.00"), [16, 13, 10]);
}

#[test]
fn numbers_are_rounded_once_whatever_their_sign_and_form() {
    let data = |numbers: &str| words(&format!("BUFFER v DATA_TYPE float DATA {numbers} END"));
    let above = 1.000_000_1f32;
    let half_way = "1.000000059604644775390625000001";
    let all = format!("{half_way} -{half_way} +{half_way}");
    assert_eq!(data(&all), [above, -above, above].map(f32::to_bits));
    // Above the middle of 2^60 and the next float, by less than a double tells.
    let hex = "0x1000001000000001";
    let next = ((1u64 << 60) as f32).next_up();
    assert_eq!(data(&format!("{hex} -{hex} 1152921573326323713")), [next, -next, next].map(f32::to_bits));
    assert_eq!(
        data("inf -inf 1e39 .5 -.5"),
        [f32::INFINITY, -f32::INFINITY, f32::INFINITY, 0.5, -0.5].map(f32::to_bits)
    );
}

#[test]
fn nothing_is_repeated_no_times() {
    let lines = "BUFFER v DATA_TYPE uint32 SIZE 4 FILL 1\nREPEAT 0\nEXPECT v IDX 0 EQ 99\nEND";
    assert_eq!(wrong(lines), "3:8: nothing is repeated 0 times");
}

#[test]
fn an_expectation_compares_something() {
    let expect =
        |format: &str, expect: &str| wrong(&format!("IMAGE i FORMAT {format} WIDTH 2 HEIGHT 2\nEXPECT i {expect}"));
    let nothing = "a rectangle without texels, of which nothing is compared";
    for size in ["0 0", "2 0", "0 2"] {
        let said = expect("R8G8B8A8_UNORM", &format!("IDX 0 0 SIZE {size} EQ_RGBA 9 9 9 9"));
        assert_eq!(said, format!("3:23: {nothing}"), "{size}");
    }
    assert_eq!(
        expect("A8_UNORM", "IDX 0 0 SIZE 2 2 EQ_RGB 9 9 9"),
        "3:27: `i` has none of the channels that `EQ_RGB` compares"
    );
    assert_eq!(expect("A8_UNORM", "IDX 0 0 SIZE 2 2 EQ_RGBA 9 9 9 9"), "right");
    for itself in ["EQ_BUFFER i", "RMSE_BUFFER i TOLERANCE 1"] {
        assert_eq!(expect("R32_SFLOAT", itself), "3:1: this compares a buffer with itself");
    }
    assert_eq!(wrong("IMAGE i FORMAT R8_UNORM WIDTH 2\nCOPY i TO i"), "3:1: this copies a buffer to itself");
}

#[test]
fn buffers_of_other_layouts_are_not_compared_and_not_copied() {
    let buffers = "BUFFER a DATA_TYPE vec2<float> STD140 DATA 1 2 END\n\
        BUFFER b DATA_TYPE vec2<float> STD430 DATA 1 2 77 88 END\n\
        BUFFER c DATA_TYPE vec2<float> STD140 DATA 3 4 END";
    for command in ["EXPECT a EQ_BUFFER b", "EXPECT b RMSE_BUFFER a TOLERANCE 0", "COPY a TO b"] {
        let told = wrong(&format!("{buffers}\n{command}"));
        assert!(told.ends_with("have not the same type, layout and size"), "{command}: {told}");
        assert_eq!(wrong(&format!("{buffers}\n{}", command.replace('b', "c"))), "right");
    }
}

#[test]
fn commands_of_all_repetitions_count_together() {
    let buffer = "BUFFER v DATA_TYPE uint32 SIZE 4 FILL 1";
    let repeat = "REPEAT 60000\nEXPECT v IDX 0 EQ 1\nEND";
    assert_eq!(wrong(&format!("{buffer}\n{repeat}")), "right");
    assert_eq!(wrong(&format!("{buffer}\n{repeat}\n{repeat}")), "6:1: these are too many commands");
    let plain = "EXPECT v IDX 0 EQ 1\n".repeat(100_001);
    assert_eq!(wrong(&format!("{buffer}\n{plain}")), "100003:1: these are too many commands");
}

#[test]
fn layouts_of_small_buffers_are_limited_together() {
    let described = "STRUCT s\nuint8 all[200000]\nEND";
    assert_eq!(wrong("BUFFER b DATA_TYPE uint32 SIZE 0 FILL 0"), "2:8: a buffer without elements");
    let many: String = (0..200).map(|i| format!("BUFFER b{i} DATA_TYPE s SIZE 1 FILL 0\n")).collect();
    assert_eq!(wrong(&format!("{described}\n{many}")), "88:8: the elements of the buffers have too many scalars");
}

#[test]
fn nested_structs_are_laid_out_once() {
    // The time for buffers of a struct in `depth` others: the shortest of three, as other work may be going on.
    let shortest = |depth: usize| {
        let mut text = String::from("#!amber\nSTRUCT s0\nuint8 a[200000]\nEND\n");
        (1..8).for_each(|i| text += &format!("STRUCT s{i}\ns{} a\nEND\n", i - 1));
        (0..8).for_each(|i| text += &format!("BUFFER b{i} DATA_TYPE s{depth} SIZE 1 FILL 0\n"));
        let once = || {
            let begin = Instant::now();
            assert_eq!(parse(&text).map(|script| script.buffers.len()), Ok(8));
            begin.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    let (flat, nested) = (shortest(0), shortest(7));
    // Laid out anew for every struct around it, it would be 128 times as much.
    assert!(nested < 12 * flat, "{nested:?} beside {flat:?}");
}

#[test]
fn bindings_of_derived_pipelines_are_limited_together() {
    let shader = "SHADER compute s WGSL\nEND\nBUFFER b DATA_TYPE uint32 SIZE 4 FILL 0";
    let bind = |i: u32| format!("BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING {i}\n");
    let first = format!("PIPELINE compute p\nATTACH s\n{}END", (0..1500).map(bind).collect::<String>());
    let derived: String = (0..1500).map(|i| format!("DERIVE_PIPELINE q{i} FROM p\nEND\n")).collect();
    let told = wrong(&format!("{shader}\n{first}\n{derived}"));
    assert!(told.ends_with("the pipelines bind too much"), "{told}");
}

#[test]
fn many_names_are_found_at_once() {
    let mut text = String::from("#!amber\n");
    for i in 0..60_000 {
        text += &format!("BUFFER buffer_of_a_long_name_{i} DATA_TYPE uint8 SIZE 1 FILL 0\n");
    }
    let begin = Instant::now();
    let script: AmberScript = parse(&text).unwrap();
    assert_eq!(script.buffers.len(), 60_000);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn a_derived_pipeline_takes_another_shader() {
    let shaders = "SHADER compute one WGSL\nEND\nSHADER compute two WGSL\nEND";
    let parent = "PIPELINE compute p\nATTACH one ENTRY_POINT f SPECIALIZE 1 AS uint32 3\nEND";
    let derived = |attach: &str| {
        parse(&format!("#!amber\n{shaders}\n{parent}\nDERIVE_PIPELINE q FROM p\n{attach}\nEND\n"))
            .unwrap()
            .pipelines
            .remove(1)
    };
    let q = derived("ATTACH two");
    assert_eq!((q.shader, q.entry.as_str(), q.specializations.len(), q.attached_at.line), (1, "main", 0, 10));
    let q = derived("ATTACH two ENTRY_POINT g SPECIALIZE 2 AS uint32 5");
    assert_eq!((q.shader, q.entry.as_str(), q.specializations), (1, "g", vec![(2, 5.0)]));
    let q = derived("");
    assert_eq!((q.shader, q.entry.as_str(), q.specializations), (0, "f", vec![(1, 3.0)]));
    let twice = format!("{shaders}\n{parent}\nDERIVE_PIPELINE q FROM p\nATTACH two\nATTACH one\nEND");
    assert_eq!(wrong(&twice), "11:8: this pipeline has a shader already");
}

#[test]
fn values_of_an_element_do_not_lie_over_each_other() {
    let told = |members: &str| wrong(&format!("STRUCT S\n{members}\nEND\nBUFFER v DATA_TYPE S SIZE 2 FILL 1"));
    for members in [
        "mat2x2<float> m MATRIX_STRIDE 0",
        "mat2x4<float> m MATRIX_STRIDE 4",
        "float a[2] ARRAY_STRIDE 0",
        "float a[1] ARRAY_STRIDE 0",
        "float a[2] ARRAY_STRIDE 2",
        "uint32 a\nuint32 b OFFSET 0",
    ] {
        let told = told(members);
        assert!(told.ends_with("two values of the elements of this buffer lie over each other"), "{members}: {told}");
    }
    for members in
        ["vec3<float> a\nfloat b OFFSET 12\nmat2x2<float> m MATRIX_STRIDE 8", "float b OFFSET 4\nfloat a OFFSET 0"]
    {
        assert_eq!(told(members), "right", "{members}");
    }
}

#[test]
fn a_range_of_a_buffer_has_bytes() {
    let bound = |range: &str| {
        wrong(&format!(
            "SHADER compute s WGSL\nEND\nBUFFER b DATA_TYPE uint32 SIZE 4 FILL 0\nPIPELINE compute p\nATTACH s\n\
             BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_RANGE {range}\nEND"
        ))
    };
    for range in ["-5", "0"] {
        assert!(bound(range).ends_with(&format!(": a range of {range} bytes")), "{}", bound(range));
    }
    assert_eq!((bound("-1").as_str(), bound("8").as_str()), ("right", "right"));
}

#[test]
fn a_part_of_an_image_is_not_bound() {
    let lines = |part: &str| {
        format!(
            "SHADER compute s WGSL\nEND\nIMAGE i FORMAT R32_SFLOAT WIDTH 2\nPIPELINE compute p\nATTACH s\n\
             BIND BUFFER i AS sampled_image DESCRIPTOR_SET 0 BINDING 0{part}\nEND"
        )
    };
    assert_eq!(wrong(&lines(" BASE_MIP_LEVEL 0")), "right");
    for part in ["DESCRIPTOR_OFFSET 4", "DESCRIPTOR_RANGE 4"] {
        assert_eq!(wrong(&lines(&format!(" {part}"))), "7:59: a part of an image is not supported", "{part}");
    }
}

#[test]
fn words_in_hex_are_whole_before_the_next() {
    let hex = |text: &str| wrong(&format!("SHADER compute s SPIRV-HEX\n{text}\nEND"));
    assert_eq!(hex("03 02 23 07 0x00010000, 00 00 00 00"), "right");
    assert_eq!(hex("03 02 0x00010000 23 07"), "3:7: the word before this one is not whole");
    assert_eq!(hex("03 02 23"), "3:7: the last word of this SPIR-V is not whole");
}

#[test]
fn nothing_is_said_twice_and_blocks_are_about_a_shader() {
    for (lines, said) in [
        ("BUFFER b DATA_TYPE uint32 SIZE 2 SIZE 4 FILL 0", "2:34: `SIZE` is said twice"),
        ("IMAGE i FORMAT R8_UNORM WIDTH 2 HEIGHT 1 WIDTH 4", "2:42: `WIDTH` is said twice"),
        ("STRUCT s\nfloat a OFFSET 4 OFFSET 8\nEND", "3:18: `OFFSET` is said twice"),
    ] {
        assert_eq!(wrong(lines), said, "{lines}");
    }
    let pipeline = |attach: &str, line: &str| {
        wrong(&format!(
            "SHADER compute s WGSL\nEND\nBUFFER b DATA_TYPE uint32 SIZE 2 FILL 0\nPIPELINE compute p\nATTACH s{attach}\n{line}\nEND"
        ))
    };
    let bind = "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0";
    for (attach, line, said) in [
        (" ENTRY_POINT a SPECIALIZE 1 AS uint32 2 SPECIALIZE 2 AS float 2", bind, "right"),
        ("", "SUBGROUP s\nFULLY_POPULATED on\nEND", "right"),
        ("", "SHADER_OPTIMIZATION s\nmerge-return\nEND", "right"),
        (" ENTRY_POINT a ENTRY_POINT b", bind, "6:24: `ENTRY_POINT` is said twice"),
        (" SPECIALIZE 1 AS uint32 2 SPECIALIZE 1 AS uint32 3", bind, "6:35: `SPECIALIZE 1` is said twice"),
        ("", "SUBGROUP t\nEND", "7:10: there is no shader `t` above"),
        ("", "SUBGROUP s and more\nEND", "7:12: expected the end of the line, found `and`"),
        ("", "SHADER_OPTIMIZATION\nEND", "7:20: expected the name of a shader, found the end of the line"),
    ] {
        assert_eq!(pipeline(attach, line), said, "{attach} {line}");
    }
}

#[test]
fn many_bindings_and_constants_are_read_at_once() {
    let bind = |number: usize| format!("BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING {number}\n");
    let binds: String = (0..30_000).map(bind).collect();
    let constants: String = (0..30_000).map(|number| format!(" SPECIALIZE {number} AS uint32 1")).collect();
    let lines = format!(
        "SHADER compute s WGSL\nEND\nBUFFER a DATA_TYPE uint32 DATA 1 END\nBUFFER b DATA_TYPE uint32 DATA 1 END\n\
         PIPELINE compute p\nATTACH s{constants}\n{binds}END\nDERIVE_PIPELINE q FROM p\n\
         BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 7\nEND\n"
    );
    let begin = Instant::now();
    let script = parse(&format!("#!amber\n{lines}")).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let [parent, derived] = &script.pipelines[..] else { panic!("there are two") };
    assert_eq!((parent.bindings.len(), derived.bindings.len(), parent.specializations.len()), (30_000, 30_000, 30_000));
    assert_eq!((parent.bindings[7].buffer, derived.bindings[7].buffer), (1, 0));
}
