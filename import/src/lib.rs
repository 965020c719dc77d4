//! Compute shaders of others as kernels: WGSL and SPIR-V in.
//!
//! A shader is read by naga, and one of its compute entry points becomes a kernel of the kernel
//! language. From there everything works on it that works on a kernel: the reference accelerator
//! with its checks, `jit`, every GPU target, reports at the lines of the shader's own text.
//!
//! ```
//! use tilewise_import::{ImportOptions, ShaderModule};
//! use tilewise_ir::check::check;
//!
//! let text = "@group(0) @binding(0) var<storage, read_write> v: array<f32>;
//! @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
//!     v[id.x] = v[id.x] * 2.0;
//! }";
//! let module = ShaderModule::from_wgsl("double.wgsl", text).unwrap();
//! let shader = module.import(&ImportOptions::default()).unwrap();
//! assert_eq!(shader.bindings[0].name, "v");
//! assert_eq!(shader.kernel.tile(), Some(&[1, 1, 64][..]));
//! check(shader.kernel).unwrap();
//! ```
//!
//! # The road of a shader
//! `naga::front` -> overrides get their values -> `naga::valid` -> [`ShaderImporter`] walks the
//! entry point and builds a kernel, function calls inlined as it goes -> `ir::check`, like any
//! kernel. Dispatches have three dimensions, x first; domains have x last, so a workgroup of
//! `(x, y, z)` is a tile of `[z, y, x]`, and a dispatch of `[x, y, z]` workgroups a domain of
//! `[z, y, x]` tiles.
//!
//! # What becomes what
//! | naga | kernel |
//! |---|---|
//! | storage buffer | a buffer parameter with naga's offsets and strides |
//! | uniform buffer, immediates | a uniform parameter |
//! | `var<workgroup>` | `tile_static`, zero at the start of a tile |
//! | `var<private>`, `var` | local variables, zero at their start |
//! | scalars, vectors | values |
//! | matrices, arrays, structs as values | their parts; a temporary if they have many |
//! | pointers | places, known when the kernel is built |
//! | textures, samplers | views of texels; uniform structs of settings |
//! | `f16`, `i16`, `u16` values | `f32`, `i32`, `u32`, rounded or cut after each operation |
//!
//! # Map
//! | module | contents |
//! |---|---|
//! | `module` | [`ShaderModule`]: reads, validates, gives overrides their values |
//! | `override_value` | which values overrides can have |
//! | `override_error` | what the values of overrides make wrong, and where |
//! | `text` | the text before naga reads it, and positions in it |
//! | `large_constants` | constants of very many parts, which naga would copy |
//! | `glsl`, `glsl_limits`, `glsl_effects`, `glsl_macros`, `glsl_module` | shaders in GLSL, and what naga misreads of it, behind the feature `glsl` |
//! | `assembly` | lines of the text that SPIR-V was assembled from |
//! | `spirv` | SPIR-V as words: specialization constants, and what naga reads as something else or not at all |
//! | `abstract_literals` | numbers of WGSL without a type |
//! | `endless_loops` | functions of WGSL that end in a loop |
//! | `pointer_parameters` | functions of WGSL whose parameters point to buffers and memory of the workgroup |
//! | `entry` | the entry point: bindings, other variables, built-in values |
//! | `shared` | bindings that several variables have |
//! | `block_names` | names of variables that have none of their own |
//! | `types` | naga's types as memory types |
//! | `value` | [`ShaderValue`](value::ShaderValue): loads, stores and parts of values |
//! | `expression` | expressions |
//! | `table` | constants of many parts, as tables |
//! | `operator`, `matrix` | unary and binary operators, conversions; products of matrices |
//! | `math` | built-in functions |
//! | `narrow` | values of 16 bits |
//! | `statement` | statements; barriers and atomics |
//! | `loops`, `branch`, `call`, `short` | loops, `switch`, calls, `&&` and `\|\|` |
//! | `subgroup` | operations between the threads of a subgroup |
//! | `texture` | textures and samplers |
//! | `visit`, `uses` | which expressions a statement or expression refers to |
//! | `feature` | features that are refused, and their reports |
//!
//! A feature that kernels lack is reported at each line that uses it; the walk goes on, so that one
//! run reports all.

mod abstract_literals;
mod assembly;
mod block_names;
mod branch;
mod call;
mod endless_loops;
mod entry;
mod expression;
mod feature;
#[cfg(feature = "glsl")]
mod glsl;
#[cfg(feature = "glsl")]
mod glsl_effects;
#[cfg(feature = "glsl")]
mod glsl_limits;
#[cfg(feature = "glsl")]
mod glsl_macros;
#[cfg(feature = "glsl")]
mod glsl_module;
mod large_constants;
mod loops;
mod math;
mod matrix;
mod module;
mod narrow;
mod operator;
mod override_error;
mod override_value;
mod pointer_parameters;
mod shared;
mod short;
mod spirv;
mod statement;
mod subgroup;
mod table;
mod text;
mod texture;
mod types;
mod uses;
mod value;
mod visit;

pub use assembly::InstructionPlace;
pub use entry::{BindingKind, BindingSlot, ImportedShader, ShaderBinding, TextureBinding};
pub use module::{ImportOptions, ShaderError, ShaderModule, panic_becomes_error};
pub use naga::{ImageClass, ImageDimension, ScalarKind, StorageFormat};
pub use texture::TextureShape;

use entry::ShaderImporter;
