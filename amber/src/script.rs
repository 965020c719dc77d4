//! A script as data.

use std::fmt;

use tilewise_header::{Complaint, FilePlace};

use crate::assemble::AssembledModule;
use crate::data_type::TexelLayout;
use crate::expect::ScriptExpect;
use crate::layout::ElementLayout;

/// A script.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AmberScript {
    /// Its shaders.
    pub shaders: Vec<ScriptShader>,
    /// Its buffers.
    pub buffers: Vec<ScriptBuffer>,
    /// Its pipelines.
    pub pipelines: Vec<ScriptPipeline>,
    /// Its commands, in order. Those of a `REPEAT` follow it.
    pub commands: Vec<PlacedCommand>,
}

/// Why a script is not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptFault {
    /// It is no AmberScript.
    Wrong(Complaint),
    /// It has a feature that is not supported.
    Refused(Complaint),
}

impl ScriptFault {
    /// The complaint.
    pub fn complaint(&self) -> &Complaint {
        match self {
            ScriptFault::Wrong(complaint) | ScriptFault::Refused(complaint) => complaint,
        }
    }

    pub(crate) fn refused(at: FilePlace, feature: impl fmt::Display, help: impl Into<String>) -> ScriptFault {
        ScriptFault::Refused(Complaint::new(at, format!("{feature} not supported"), help))
    }
}

impl From<Complaint> for ScriptFault {
    fn from(complaint: Complaint) -> ScriptFault {
        ScriptFault::Wrong(complaint)
    }
}

/// A shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptShader {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: FilePlace,
    /// Its text or words.
    pub source: ShaderSource,
    /// The number of the first line of its text.
    pub first_line: u32,
}

/// The text or words of a shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShaderSource {
    /// WGSL.
    Wgsl(String),
    /// GLSL for Vulkan.
    Glsl(String),
    /// SPIR-V, with the text it was assembled from if there is one.
    SpirV {
        /// The words, and where the instructions stand in the text.
        module: AssembledModule,
        /// The text; empty for words.
        text: String,
    },
}

/// A buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct ScriptBuffer {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: FilePlace,
    /// One of its elements.
    pub element: ElementLayout,
    /// The format of its texels, if it is declared with one.
    pub texels: Option<TexelLayout>,
    /// Width, height and depth of an image; of a buffer the number of elements, 1 and 1.
    pub extent: [u32; 3],
    /// Is it declared as an image, or with a width and a height?
    pub is_image: bool,
    /// What it holds at first.
    pub contents: Vec<u8>,
}

impl ScriptBuffer {
    /// The number of elements.
    pub fn count(&self) -> u64 {
        self.contents.len() as u64 / self.element.stride.max(1)
    }
}

/// A pipeline for compute.
#[derive(Clone, PartialEq, Debug)]
pub struct ScriptPipeline {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: FilePlace,
    /// The number of its shader.
    pub shader: usize,
    /// Where the shader is attached.
    pub attached_at: FilePlace,
    /// The entry point.
    pub entry: String,
    /// Values of specialization constants.
    pub specializations: Vec<(u32, f64)>,
    /// What is bound.
    pub bindings: Vec<BoundBuffer>,
}

/// A buffer that a pipeline binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundBuffer {
    /// Where the statement stands.
    pub at: FilePlace,
    /// The number of the buffer; none of a sampler.
    pub buffer: usize,
    /// What it is bound as.
    pub usage: BindingUse,
    /// Descriptor set and binding; nothing of a push constant.
    pub slot: Option<(u32, u32)>,
    /// Its first byte that is bound.
    pub offset: u64,
    /// Bytes that are bound, if not all.
    pub range: Option<u64>,
}

/// What a buffer is bound as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindingUse {
    /// `storage`.
    Storage,
    /// `uniform`.
    Uniform,
    /// `push_constant`.
    PushConstant,
    /// `storage_image`.
    StorageImage,
    /// `sampled_image`.
    SampledImage,
}

impl BindingUse {
    /// Its name in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            BindingUse::Storage => "storage",
            BindingUse::Uniform => "uniform",
            BindingUse::PushConstant => "push_constant",
            BindingUse::StorageImage => "storage_image",
            BindingUse::SampledImage => "sampled_image",
        }
    }
}

/// A command, and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedCommand {
    /// Where it begins.
    pub at: FilePlace,
    /// The command.
    pub command: ScriptCommand,
}

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub enum ScriptCommand {
    /// Runs a pipeline over workgroups in x, y and z.
    Run {
        /// The number of the pipeline.
        pipeline: usize,
        /// The workgroups.
        dispatch: [u32; 3],
    },
    /// Copies all of a buffer.
    Copy {
        /// The number of the buffer that is read.
        from: usize,
        /// The number of the other.
        to: usize,
    },
    /// Says what a buffer holds.
    Expect(ScriptExpect),
    /// Repeats the commands behind it.
    Repeat {
        /// How often they are run.
        times: u32,
        /// How many they are.
        length: usize,
    },
}
