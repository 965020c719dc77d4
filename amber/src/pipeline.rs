//! `PIPELINE compute NAME .. END` and `DERIVE_PIPELINE NAME FROM PARENT .. END`.

use std::collections::{HashMap, HashSet};

use tilewise_header::{Complaint, FilePlace};
use tilewise_ir::types::Stored;

use crate::names::PartialScript;
use crate::number::bits;
use crate::script::{BindingUse, BoundBuffer, ScriptFault, ScriptPipeline};
use crate::shader::GRAPHICS_HELP;
use crate::token::{ScriptLines, ScriptStatement};

/// The subgroups that kernels have.
const SUBGROUP_SIZE: u32 = 32;

/// Reads a pipeline.
pub(crate) fn read(
    mut statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    script: &PartialScript,
) -> Result<ScriptPipeline, ScriptFault> {
    statement.expect("PIPELINE")?;
    let kind = statement.word("`compute`")?;
    match kind.text.as_str() {
        "compute" => {}
        "graphics" | "raytracing" => {
            return Err(ScriptFault::refused(kind.at, format!("{} pipelines are", kind.text), GRAPHICS_HELP));
        }
        other => {
            let help = "the form is `PIPELINE compute NAME .. END`";
            return Err(Complaint::new(kind.at, format!("`{other}` is no kind of pipelines"), help).into());
        }
    }
    let name = statement.word("the name of the pipeline")?;
    statement.end("PIPELINE compute NAME .. END")?;
    let reader = PipelineReader {
        script,
        at: name.at,
        shader: None,
        is_inherited: false,
        entry: "main".to_owned(),
        specializations: Vec::new(),
        slots: HashMap::new(),
        bindings: Vec::new(),
    };
    reader.block(name.text, lines)
}

/// Reads a pipeline that is derived from another.
pub(crate) fn read_derived(
    mut statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    script: &PartialScript,
) -> Result<ScriptPipeline, ScriptFault> {
    statement.expect("DERIVE_PIPELINE")?;
    let name = statement.word("the name of the pipeline")?;
    statement.expect("FROM")?;
    let parent = statement.word("the name of its parent")?;
    statement.end("DERIVE_PIPELINE NAME FROM PARENT .. END")?;
    let known = script.pipeline(&parent.text).map(|number| script.script.pipelines[number].clone());
    let Some(known) = known else {
        let message = format!("there is no pipeline `{}` above", parent.text);
        return Err(Complaint::new(parent.at, message, "declare it before this one").into());
    };
    let reader = PipelineReader {
        script,
        at: name.at,
        shader: Some((known.shader, known.attached_at)),
        is_inherited: true,
        entry: known.entry,
        specializations: known.specializations,
        slots: known.bindings.iter().enumerate().map(|(number, bound)| (bound.slot, number)).collect(),
        bindings: known.bindings,
    };
    reader.block(name.text, lines)
}

struct PipelineReader<'s> {
    script: &'s PartialScript,
    at: FilePlace,
    shader: Option<(usize, FilePlace)>,
    /// Is the shader that of the parent?
    is_inherited: bool,
    entry: String,
    specializations: Vec<(u32, f64)>,
    /// The number of what is bound at each place.
    slots: HashMap<Option<(u32, u32)>, usize>,
    bindings: Vec<BoundBuffer>,
}

impl PipelineReader<'_> {
    fn block(mut self, name: String, lines: &mut ScriptLines<'_>) -> Result<ScriptPipeline, ScriptFault> {
        loop {
            let Some(mut statement) = lines.statement() else {
                let message = "this pipeline has no `END`";
                return Err(Complaint::new(self.at, message, "write `END` below its statements").into());
            };
            let keyword = statement.word("a statement")?;
            match keyword.text.as_str() {
                "END" => {
                    statement.end("END")?;
                    break;
                }
                "ATTACH" => self.attach(statement)?,
                "BIND" => self.bind(statement)?,
                "SHADER_OPTIMIZATION" => {
                    self.known_shader(&mut statement, "SHADER_OPTIMIZATION shader .. END")?;
                    optimizations(keyword.at, lines)?;
                }
                "SUBGROUP" => {
                    self.known_shader(&mut statement, "SUBGROUP shader .. END")?;
                    subgroup(keyword.at, lines)?;
                }
                "COMPILE_OPTIONS" => {
                    let help = "they are of shaders in OpenCL C";
                    return Err(ScriptFault::refused(keyword.at, "compile options are", help));
                }
                "SET" => {
                    let help = "they are of shaders in OpenCL C; bind buffers by set and binding";
                    return Err(ScriptFault::refused(keyword.at, "arguments of kernels are", help));
                }
                "FRAMEBUFFER_SIZE"
                | "VERTEX_DATA"
                | "INDEX_DATA"
                | "VIEWPORT"
                | "POLYGON_MODE"
                | "DEPTH"
                | "STENCIL"
                | "BLEND"
                | "PATCH_CONTROL_POINTS"
                | "SHADER_GROUP"
                | "MAX_RAY_PAYLOAD_SIZE" => {
                    let feature = format!("`{}` in a pipeline for compute is", keyword.text);
                    return Err(ScriptFault::refused(keyword.at, feature, GRAPHICS_HELP));
                }
                other => {
                    let help = "a pipeline has ATTACH, BIND, SUBGROUP and SHADER_OPTIMIZATION";
                    return Err(
                        Complaint::new(keyword.at, format!("`{other}` is no statement of a pipeline"), help).into()
                    );
                }
            }
        }
        let Some((shader, attached_at)) = self.shader else {
            return Err(Complaint::new(self.at, "this pipeline has no shader", "attach one: `ATTACH shader`").into());
        };
        let PipelineReader { entry, specializations, bindings, at, .. } = self;
        Ok(ScriptPipeline { name, at, shader, attached_at, entry, specializations, bindings })
    }

    /// The number of the shader that the next word names.
    fn shader(&self, statement: &mut ScriptStatement) -> Result<(usize, FilePlace), Complaint> {
        let name = statement.word("the name of a shader")?;
        let shader = self.script.shader(&name.text).ok_or_else(|| {
            let message = format!("there is no shader `{}` above", name.text);
            Complaint::new(name.at, message, "declare it: `SHADER compute NAME WGSL .. END`")
        })?;
        Ok((shader, name.at))
    }

    /// Reads the shader that a block is about, and the end of the line.
    fn known_shader(&self, statement: &mut ScriptStatement, form: &str) -> Result<(), Complaint> {
        self.shader(statement)?;
        statement.end(form)
    }

    fn attach(&mut self, mut statement: ScriptStatement) -> Result<(), ScriptFault> {
        let (shader, shader_at) = self.shader(&mut statement)?;
        let (mut has_entry, mut specialized) = (false, HashSet::new());
        let before = self.shader.replace((shader, shader_at));
        if std::mem::take(&mut self.is_inherited) {
            // A shader in place of the parent's, with nothing of how that one was attached.
            "main".clone_into(&mut self.entry);
            self.specializations.clear();
        } else if before.is_some() {
            return Err(Complaint::new(shader_at, "this pipeline has a shader already", "attach one shader").into());
        }
        loop {
            let at = statement.at();
            if statement.skip("TYPE") {
                let kind = statement.word("the stage")?;
                if kind.text != "compute" {
                    return Err(ScriptFault::refused(kind.at, format!("{} shaders are", kind.text), GRAPHICS_HELP));
                }
            } else if statement.skip("ENTRY_POINT") {
                ScriptStatement::once(at, std::mem::replace(&mut has_entry, true), "ENTRY_POINT")?;
                self.entry = statement.word("the name of an entry point")?.text;
            } else if statement.skip("SPECIALIZE") {
                let id: u32 = statement.number("the number of a specialization constant")?;
                statement.expect("AS")?;
                let value = specialization(&mut statement)?;
                ScriptStatement::once(at, !specialized.insert(id), &format!("SPECIALIZE {id}"))?;
                self.specializations.push((id, value));
            } else {
                break;
            }
        }
        Ok(statement.end("ATTACH shader [ENTRY_POINT name] [SPECIALIZE id AS type value]..")?)
    }

    fn bind(&mut self, mut statement: ScriptStatement) -> Result<(), ScriptFault> {
        let what = statement.word("`BUFFER`")?;
        match what.text.as_str() {
            "BUFFER" => {}
            "BUFFER_ARRAY" => {
                let help = "bind the buffers one by one, to variables of their own";
                return Err(ScriptFault::refused(what.at, "arrays of descriptors are", help));
            }
            "SAMPLER" | "SAMPLER_ARRAY" => {
                return Err(ScriptFault::refused(what.at, "samplers are", "load texels in place of sampling"));
            }
            "ACCELERATION_STRUCTURE" => {
                return Err(ScriptFault::refused(what.at, "acceleration structures are", GRAPHICS_HELP));
            }
            other => return Err(Complaint::new(what.at, format!("`{other}` cannot be bound"), BIND_HELP).into()),
        }
        let name = statement.word("the name of a buffer")?;
        let Some(buffer) = self.script.buffer(&name.text) else {
            let message = format!("there is no buffer `{}` above", name.text);
            return Err(Complaint::new(name.at, message, "declare it: `BUFFER NAME DATA_TYPE uint32 ..`").into());
        };
        if statement.peek_is("KERNEL") {
            let help = "they are of shaders in OpenCL C; bind buffers by set and binding";
            return Err(ScriptFault::refused(statement.at(), "arguments of kernels are", help));
        }
        statement.expect("AS")?;
        let (usage, is_dynamic) = binding_use(&mut statement)?;
        let mut bound = BoundBuffer { at: name.at, buffer, usage, slot: None, offset: 0, range: None };
        if usage != BindingUse::PushConstant {
            statement.expect("DESCRIPTOR_SET")?;
            let set = statement.number("the number of a descriptor set")?;
            statement.expect("BINDING")?;
            bound.slot = Some((set, statement.number("the number of a binding")?));
            if is_dynamic {
                statement.expect("OFFSET")?;
                bound.offset = u64::from(statement.number::<u32>("the offset in bytes")?);
            }
        }
        let is_image = matches!(usage, BindingUse::StorageImage | BindingUse::SampledImage);
        loop {
            let at = statement.at();
            let is_part = statement.peek_is("DESCRIPTOR_OFFSET") || statement.peek_is("DESCRIPTOR_RANGE");
            if is_image && is_part {
                return Err(ScriptFault::refused(at, "a part of an image is", "remove it: images are bound whole"));
            }
            if statement.skip("DESCRIPTOR_OFFSET") {
                bound.offset += u64::from(statement.number::<u32>("the offset in bytes")?);
            } else if statement.skip("DESCRIPTOR_RANGE") {
                let range_at = statement.at();
                let range: i64 = statement.number("the range in bytes")?;
                // -1 is the rest of the buffer.
                bound.range = match u64::try_from(range) {
                    Ok(range @ 1..) => Some(range),
                    Err(_) if range == -1 => None,
                    Ok(_) | Err(_) => {
                        let help = "write a number of 1 or more, or -1 for the rest of the buffer";
                        return Err(Complaint::new(range_at, format!("a range of {range} bytes"), help).into());
                    }
                };
            } else if statement.skip("BASE_MIP_LEVEL") {
                let level: u32 = statement.number("the number of a level")?;
                if level != 0 {
                    return Err(ScriptFault::refused(at, "levels of images are", "write `BASE_MIP_LEVEL 0`"));
                }
            } else {
                break;
            }
        }
        statement.end(BIND_FORM)?;
        // A derived pipeline may bind another buffer there.
        let number = *self.slots.entry(bound.slot).or_insert(self.bindings.len());
        match self.bindings.get_mut(number) {
            Some(before) => *before = bound,
            None => self.bindings.push(bound),
        }
        Ok(())
    }
}

const BIND_FORM: &str = "BIND BUFFER name AS {storage | uniform | push_constant | storage_image | sampled_image} DESCRIPTOR_SET s BINDING b";
const BIND_HELP: &str = "the form is `BIND BUFFER name AS storage DESCRIPTOR_SET 0 BINDING 0`";

/// What a buffer is bound as, and whether with a dynamic offset.
fn binding_use(statement: &mut ScriptStatement) -> Result<(BindingUse, bool), ScriptFault> {
    let word = statement.word("what the buffer is bound as")?;
    Ok(match word.text.as_str() {
        "storage" => (BindingUse::Storage, false),
        "storage_dynamic" => (BindingUse::Storage, true),
        "uniform" => (BindingUse::Uniform, false),
        "uniform_dynamic" => (BindingUse::Uniform, true),
        "push_constant" => (BindingUse::PushConstant, false),
        "storage_image" => (BindingUse::StorageImage, false),
        "sampled_image" => (BindingUse::SampledImage, false),
        "color" | "depth_stencil" | "resolve" => {
            return Err(ScriptFault::refused(word.at, format!("buffers as {} are", word.text), GRAPHICS_HELP));
        }
        "uniform_texel_buffer" | "storage_texel_buffer" => {
            return Err(ScriptFault::refused(word.at, "texel buffers are", "take an image"));
        }
        "combined_image_sampler" => {
            return Err(ScriptFault::refused(word.at, "samplers are", "load texels in place of sampling"));
        }
        other => {
            let help = format!("the form is `{BIND_FORM}`");
            return Err(Complaint::new(word.at, format!("a buffer cannot be bound as `{other}`"), help).into());
        }
    })
}

/// The type and the value of a specialization constant.
fn specialization(statement: &mut ScriptStatement) -> Result<f64, Complaint> {
    let ty = statement.word("the type of the constant")?;
    let word = statement.word("its value")?;
    match ty.text.as_str() {
        "uint32" => Ok(f64::from(bits(&word, Stored::U32)? as u32)),
        "int32" => Ok(f64::from(bits(&word, Stored::I32)? as u32 as i32)),
        "uint16" => Ok(f64::from(bits(&word, Stored::U16)? as u16)),
        "int16" => Ok(f64::from(bits(&word, Stored::I16)? as u16 as i16)),
        "uint8" => Ok(f64::from(bits(&word, Stored::U8)? as u8)),
        "int8" => Ok(f64::from(bits(&word, Stored::I8)? as u8 as i8)),
        "float" => Ok(f64::from(f32::from_bits(bits(&word, Stored::F32)? as u32))),
        "double" => Ok(f64::from_bits(bits(&word, Stored::F64)?)),
        other => {
            let help = "it is uint32, int32, float, double, or a shorter integer";
            Err(Complaint::new(ty.at, format!("`{other}` is no type of a specialization constant"), help))
        }
    }
}

/// Reads the passes of `SHADER_OPTIMIZATION`, which change no result.
fn optimizations(at: FilePlace, lines: &mut ScriptLines<'_>) -> Result<(), Complaint> {
    while let Some(statement) = lines.statement() {
        if statement.peek_is("END") {
            return Ok(());
        }
    }
    Err(Complaint::new(at, "these optimizations have no `END`", "write `END` below their names"))
}

/// Reads `SUBGROUP shader .. END`: what it asks for has to be true of the subgroups of kernels.
fn subgroup(at: FilePlace, lines: &mut ScriptLines<'_>) -> Result<(), ScriptFault> {
    while let Some(mut statement) = lines.statement() {
        let keyword = statement.word("a property of subgroups")?;
        match keyword.text.as_str() {
            "END" => return Ok(()),
            "FULLY_POPULATED" | "VARYING_SIZE" => {
                let switch = statement.word("`on` or `off`")?;
                if !matches!(switch.text.as_str(), "on" | "off") {
                    return Err(Complaint::new(switch.at, "expected `on` or `off`", "write one of the two").into());
                }
            }
            "REQUIRED_SIZE" => {
                let size = statement.word("the size of subgroups")?;
                let is_ours = matches!(size.text.as_str(), "MIN" | "MAX") || size.text.parse() == Ok(SUBGROUP_SIZE);
                if !is_ours {
                    let help = format!("they have {SUBGROUP_SIZE} threads here");
                    return Err(ScriptFault::refused(size.at, format!("subgroups of {} threads are", size.text), help));
                }
            }
            other => {
                let help = "they are FULLY_POPULATED, VARYING_SIZE and REQUIRED_SIZE";
                return Err(Complaint::new(keyword.at, format!("`{other}` is no property of subgroups"), help).into());
            }
        }
        statement.end("SUBGROUP shader .. END")?;
    }
    Err(Complaint::new(at, "these properties have no `END`", "write `END` below them").into())
}
