//! Values of overrides: each must be one of its type, of an override that the shader has; the error says which is not,
//! before anything else is done.

use tilewise_import::{ImportOptions, ShaderModule};

const TEXT: &str = "enable f16;
override F: f32 = 1;
override H: f16 = 1;
override U: u32 = 1;
override I: i32 = 1;
override B: bool = true;
@id(7) override NUMBERED: u32 = 1;
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(1) fn main() {
    v[0] = F + f32(H) + f32(U) + f32(I) + f32(B) + f32(NUMBERED);
}
";

/// What is said of these values; nothing if they fit.
fn report(values: &[(&str, f64)]) -> String {
    let module = ShaderModule::from_wgsl("o.wgsl", TEXT).expect("it is WGSL");
    let overrides = values.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let options = ImportOptions { overrides, ..ImportOptions::default() };
    module.import(&options).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn values_of_the_type_are_taken_and_no_others() {
    for (name, line, fitting, others) in [
        ("F", 2, &[3.4028235e38, -3.4028235e38, 1e-50, 0.0][..], &[1e39, -1e39, 3.5e38][..]),
        ("H", 3, &[65504.0, 65519.9, -65504.0, 1e-10], &[65520.0, -1e5, 1e39]),
        ("U", 4, &[0.0, -0.0, 4_294_967_295.0], &[-1.0, 4_294_967_296.0, 0.5, 1e39]),
        ("I", 5, &[-2_147_483_648.0, 2_147_483_647.0], &[-2_147_483_649.0, 2_147_483_648.0, -0.5, 2.000_000_1]),
        ("B", 6, &[0.0, 1.0, 2.0], &[]),
        ("7", 7, &[3.0], &[-3.0, 0.25]),
    ] {
        for &value in fitting {
            assert_eq!(report(&[(name, value)]), "", "{name} = {value}");
        }
        for value in others.iter().copied().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) {
            let told = report(&[(name, value)]);
            let wanted = format!("error[K0904]: the override `{name}` cannot have the value ");
            assert!(told.starts_with(&wanted), "{name} = {value}: {told}");
            assert!(told.contains(&format!("--> o.wgsl:{line}:")), "{name} = {value}: {told}");
            assert!(told.contains("is of type `") && told.contains("= help: `"), "{told}");
            assert_eq!(told.matches("error[").count(), 1, "{told}");
        }
    }
}

#[test]
fn each_value_that_does_not_fit_has_its_error() {
    let told = report(&[("F", 1e39), ("U", -1.0), ("I", 5.0)]);
    assert_eq!(told.matches("error[K0904]").count(), 2, "{told}");
    assert!(told.contains("`F` cannot have the value 1e39") && told.contains("`U` cannot have the value -1"), "{told}");
    assert!(told.contains("`f32` holds finite numbers here, up to 3.4028235e38 of either sign"), "{told}");
    assert!(told.contains("`u32` holds whole numbers, 0 to 4294967295"), "{told}");
}

#[test]
fn names_that_the_shader_does_not_have_are_refused() {
    for name in ["G", "f", "8", "07", "", "length 5"] {
        let told = report(&[(name, 1.0)]);
        assert!(told.starts_with(&format!("error[K0904]: the shader has no override `{name}`")), "{told}");
        assert!(told.contains("the shader's overrides are: `F`, `H`, `U`, `I`, `B`, `7`"), "{told}");
    }
    let told = report(&[("NUMBERED", 1.0)]);
    assert!(told.contains("the number of its `@id` is its name: `7`"), "{told}");
    let none = ShaderModule::from_wgsl("n.wgsl", "@compute @workgroup_size(1) fn main() { }").expect("it is WGSL");
    let options = ImportOptions { overrides: [("N".to_owned(), 1.0)].into(), ..ImportOptions::default() };
    let told = none.import(&options).expect_err("it has none").to_string();
    assert!(
        told.contains("the shader has no override `N`") && told.contains("it has none that can be given"),
        "{told}"
    );
    let told = none.override_given_twice("N").to_string();
    assert!(told.starts_with("error[K0904]: the override `N` is given two values"), "{told}");
}

#[test]
fn constants_that_their_type_does_not_hold_are_refused_where_they_stand() {
    for (constant, line) in [
        ("const X: f32 = 1e39;", 1),
        ("const X = f32(1e39);", 1),
        ("const X = 1e39f;", 1),
        ("const X: f32 = 1e38 * 1e38;", 1),
        ("const X = 1e38f * 10f;", 1),
        ("const X: u32 = -1;", 1),
        ("const X: u32 = 4294967296;", 1),
        ("const X: i32 = 2147483648;", 1),
        ("const X: i32 = 1.5;", 1),
        // naga finds out where it is used.
        ("enable f16;\nconst X: f16 = 65520;", 4),
        ("enable f16;\nconst X = 65520h;", 2),
        ("enable f16;\nconst X = 65504h * 2h;", 2),
        ("const X: f32 = 0.0 / 0.0;", 1),
        ("const X = sqrt(-1.0);", 1),
        ("const X = log(0.0);", 1),
        ("const X = vec2f(1e39, 0.0);", 1),
        ("const X = vec2<f32>(1, 1e39).y;", 1),
        ("override X: f32 = 1e39;", 1),
        ("override X: u32 = -1;", 1),
    ] {
        let text = format!(
            "{constant}\n@group(0) @binding(0) var<storage, read_write> v: array<f32>;\n\
             @compute @workgroup_size(1) fn main() {{ v[0] = f32(X); }}"
        );
        let read = ShaderModule::from_wgsl("c.wgsl", &text);
        let told = read.and_then(|module| module.import(&ImportOptions::default()).map(|_| ()));
        let told = told.expect_err(constant).to_string();
        assert!(told.contains(&format!("c.wgsl:{line}:")), "{constant}: {told}");
    }
}
