//! `SHADER compute NAME FORMAT .. END`.

use std::collections::BTreeMap;

use tilewise_header::{Complaint, FilePlace};

use crate::assemble::{AssembledModule, assemble};
use crate::script::{ScriptFault, ScriptShader, ShaderSource};
use crate::token::{ScriptLines, ScriptStatement};

/// The contents of each `VIRTUAL_FILE`, and the number of its first line.
pub(crate) type VirtualFiles = BTreeMap<String, (String, u32)>;

const FORM: &str = "SHADER compute NAME {WGSL | GLSL | SPIRV-ASM | SPIRV-HEX} [TARGET_ENV env] .. END";

/// The shader that a statement begins.
pub(crate) fn read(
    mut statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    files: &VirtualFiles,
) -> Result<ScriptShader, ScriptFault> {
    statement.expect("SHADER")?;
    let stage = statement.word("the stage of the shader")?;
    let name = statement.word("the name of the shader")?;
    let format = statement.word("the format of the shader")?;
    match stage.text.as_str() {
        "compute" => {}
        "vertex" | "fragment" | "geometry" | "tessellation_evaluation" | "tessellation_control" => {
            return Err(ScriptFault::refused(stage.at, format!("{} shaders are", stage.text), GRAPHICS_HELP));
        }
        "multi" | "raygen" | "any_hit" | "closest_hit" | "miss" | "intersection" | "call" | "task" | "mesh" => {
            return Err(ScriptFault::refused(
                stage.at,
                format!("shaders of the kind `{}` are", stage.text),
                GRAPHICS_HELP,
            ));
        }
        other => {
            return Err(Complaint::new(
                stage.at,
                format!("`{other}` is no stage of shaders"),
                format!("the form is `{FORM}`"),
            )
            .into());
        }
    }
    let environment = if statement.skip("TARGET_ENV") { Some(statement.word("the environment")?) } else { None };
    let version = match &environment {
        None => version(1, 0),
        Some(word) => environment_version(&word.text).ok_or_else(|| {
            let help = "it is spv1.0 to spv1.6, or vulkan1.0 to vulkan1.3";
            Complaint::new(word.at, format!("`{}` is no environment of shaders", word.text), help)
        })?,
    };
    let (text, first_line) = if statement.skip("VIRTUAL_FILE") {
        let path = statement.word("the path of a virtual file")?;
        let file = files.get(&path.text).cloned();
        file.ok_or_else(|| {
            let help = "declare it above: `VIRTUAL_FILE path .. END`";
            Complaint::new(path.at, format!("there is no virtual file `{}`", path.text), help)
        })?
    } else {
        let block = lines.raw_block();
        block.ok_or_else(|| Complaint::new(name.at, "this shader has no `END`", format!("the form is `{FORM}`")))?
    };
    statement.end(FORM)?;
    let source = match format.text.as_str() {
        "WGSL" => ShaderSource::Wgsl(text),
        "GLSL" => ShaderSource::Glsl(text),
        "SPIRV-ASM" => {
            // All are told at once, in one complaint that stands at the first.
            let module = assemble(&text, first_line, version).map_err(|complaints| several(&complaints))?;
            ShaderSource::SpirV { module, text }
        }
        "SPIRV-HEX" => {
            let module = AssembledModule { words: hex(&text, first_line)?, places: Vec::new() };
            ShaderSource::SpirV { module, text: String::new() }
        }
        "HLSL" | "OPENCL-C" | "SPIRV-OPENCL" => {
            let help = "write it in WGSL, GLSL or SPIR-V";
            return Err(ScriptFault::refused(format.at, format!("shaders in {} are", format.text), help));
        }
        other => {
            return Err(Complaint::new(
                format.at,
                format!("`{other}` is no format of shaders"),
                format!("the form is `{FORM}`"),
            )
            .into());
        }
    };
    Ok(ScriptShader { name: name.text, at: name.at, source, first_line })
}

/// The help where a script is of graphics.
pub(crate) const GRAPHICS_HELP: &str = "scripts run pipelines for compute";

/// Reads `VIRTUAL_FILE PATH .. END`.
pub(crate) fn virtual_file(
    mut statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    files: &mut VirtualFiles,
) -> Result<(), ScriptFault> {
    statement.expect("VIRTUAL_FILE")?;
    let path = statement.word("the path of the file")?;
    statement.end("VIRTUAL_FILE path .. END")?;
    let block = lines.raw_block();
    let help = "write `END` below its last line";
    let block = block.ok_or_else(|| Complaint::new(path.at, "this virtual file has no `END`", help))?;
    if files.insert(path.text.clone(), block).is_some() {
        let message = format!("there are two virtual files `{}`", path.text);
        return Err(Complaint::new(path.at, message, "give one of them another path").into());
    }
    Ok(())
}

/// Several complaints as one.
fn several(complaints: &[Complaint]) -> Complaint {
    let mut sorted: Vec<&Complaint> = complaints.iter().collect();
    sorted.sort_by_key(|complaint| complaint.at);
    let Some((first, others)) = sorted.split_first() else {
        return Complaint::new(FilePlace::default(), "the text of this shader is no SPIR-V", "look at its spelling");
    };
    let mut out = (*first).clone();
    for other in others {
        out.help += &format!("\n  also in line {}, column {}: {}", other.at.line, other.at.column, other.message);
    }
    out
}

const fn version(major: u32, minor: u32) -> u32 {
    major << 16 | minor << 8
}

fn environment_version(name: &str) -> Option<u32> {
    Some(match name {
        "spv1.0" | "vulkan1.0" => version(1, 0),
        "spv1.1" => version(1, 1),
        "spv1.2" => version(1, 2),
        "spv1.3" | "vulkan1.1" => version(1, 3),
        "spv1.4" | "vulkan1.1spv1.4" => version(1, 4),
        "spv1.5" | "vulkan1.2" => version(1, 5),
        "spv1.6" | "vulkan1.3" | "vulkan1.4" => version(1, 6),
        _ => return None,
    })
}

/// The words of SPIR-V in hex: four pairs of digits are a word, its bytes as they lie in a file, or a word is
/// written as one number.
fn hex(text: &str, first_line: u32) -> Result<Vec<u32>, Complaint> {
    let mut out = Vec::new();
    let mut bytes = Vec::new();
    let mut last = FilePlace { line: first_line, column: 1 };
    for (line, number) in text.lines().zip(first_line..) {
        for (start, part) in parts(line) {
            last = FilePlace { line: number, column: start };
            let digits = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")).unwrap_or(part);
            let is_hex = (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let value = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex);
            let Some(value) = value else {
                let help = "write words such as 0x07230203, or bytes such as 03 02 23 07";
                return Err(Complaint::new(last, format!("`{part}` is no word in hex"), help));
            };
            if digits.len() > 2 {
                if !bytes.is_empty() {
                    let help = "a word has four bytes; write the rest of them before the next word";
                    return Err(Complaint::new(last, "the word before this one is not whole", help));
                }
                out.push(value);
            } else {
                bytes.push(value as u8);
                if let &[a, b, c, d] = bytes.as_slice() {
                    out.push(u32::from_le_bytes([a, b, c, d]));
                    bytes.clear();
                }
            }
        }
    }
    if !bytes.is_empty() {
        return Err(Complaint::new(last, "the last word of this SPIR-V is not whole", "a word has four bytes"));
    }
    Ok(out)
}

/// The parts of a line of hex between blanks and commas, each with its column.
fn parts(line: &str) -> impl Iterator<Item = (u32, &str)> {
    let line = line.split(['#', ';']).next().unwrap_or("");
    let is_between = |c: char| c.is_whitespace() || c == ',';
    let found = line.split(is_between).filter(|part| !part.is_empty());
    found.map(move |part| {
        let bytes = part.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count() as u32 + 1, part)
    })
}
