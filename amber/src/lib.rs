//! Scripts of [Amber](https://github.com/google/amber): files `.amber`, which hold shaders, buffers, pipelines,
//! and commands that run pipelines and say what buffers hold then. `docs/import.md` says which part of
//! AmberScript is understood.
//!
//! This crate reads scripts, and judges expectations on the bytes of buffers. It runs nothing: the conformance
//! suite imports the shaders and launches them on its targets.
//!
//! ```
//! use tilewise_amber::{parse, ScriptCommand};
//!
//! let script = parse("#!amber
//! SHADER compute twice WGSL
//! @group(0) @binding(0) var<storage, read_write> v: array<u32>;
//! @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2u; }
//! END
//! BUFFER v DATA_TYPE uint32 DATA 1 2 3 END
//! PIPELINE compute p
//!   ATTACH twice
//!   BIND BUFFER v AS storage DESCRIPTOR_SET 0 BINDING 0
//! END
//! RUN p 3 1 1
//! EXPECT v IDX 0 EQ 2 4 6
//! ").unwrap();
//! let ScriptCommand::Expect(expect) = &script.commands[1].command else { panic!() };
//! let bytes = [2u32, 4, 7].map(u32::to_le_bytes).concat();
//! let wrong = expect.difference(&script, &|_| &bytes).unwrap();
//! assert!(wrong.contains("expected 6"));
//! ```
//!
//! # Map
//! | module | contents |
//! |---|---|
//! | `script` | [`AmberScript`]: a script as data |
//! | `token` | lines cut into words; statements |
//! | `parse` | statements at the top of a script; [`parse()`] |
//! | `shader`, `buffer`, `pipeline`, `command` | the statements of each kind |
//! | `data_type` | types of data, structs, formats of texels |
//! | `layout` | where the scalars of an element lie: STD140 and STD430 |
//! | `names` | a script while it is read: names and limits |
//! | `number` | numbers of scripts as bits of scalars |
//! | `requirement` | features of devices and extensions |
//! | `expect` | expectations, and what differs from them |
//! | [`mod@assemble`] | SPIR-V from its text |
//!
//! What a script may not say, by the form of AmberScript, is an error; what it may, and we have no form for, is
//! refused ([`ScriptFault`]).

pub mod assemble;
mod buffer;
mod command;
mod data_type;
mod expect;
mod layout;
mod names;
mod number;
mod parse;
mod pipeline;
mod requirement;
mod script;
mod shader;
#[cfg(test)]
mod tests;
mod token;

pub use data_type::{ChannelMode, TexelLayout};
pub use expect::{Comparator, ExpectedValues, ScriptExpect, Tolerated};
pub use layout::ElementLayout;
pub use parse::parse;
pub use script::{
    AmberScript, BindingUse, BoundBuffer, PlacedCommand, ScriptBuffer, ScriptCommand, ScriptFault, ScriptPipeline,
    ScriptShader, ShaderSource,
};
