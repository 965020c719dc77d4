//! Statements at the top of a script.

use tilewise_header::{Complaint, FilePlace};

use crate::buffer::{self, BufferRoom};
use crate::command;
use crate::data_type::{StructTable, read_struct};
use crate::names::PartialScript;
use crate::pipeline;
use crate::requirement;
use crate::script::{AmberScript, ScriptFault};
use crate::shader::{self, GRAPHICS_HELP, VirtualFiles};
use crate::token::{ScriptLines, ScriptStatement};

/// Reads a script.
pub fn parse(text: &str) -> Result<AmberScript, ScriptFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.split_whitespace().next() != Some("#!amber") {
        let at = FilePlace { line: 1, column: 1 };
        let is_vkscript = text.lines().any(|line| line.trim_start().starts_with('['));
        if is_vkscript {
            return Err(ScriptFault::refused(at, "VkScript is", "AmberScript begins with the line `#!amber`"));
        }
        let help = "write `#!amber` into the first line";
        return Err(Complaint::new(at, "this is no AmberScript", help).into());
    }
    let mut reader = ScriptReader::default();
    let mut lines = ScriptLines::new(text);
    while let Some(statement) = lines.statement() {
        reader.statement(statement, &mut lines)?;
    }
    Ok(reader.read.script)
}

#[derive(Default)]
struct ScriptReader {
    read: PartialScript,
    structs: StructTable,
    files: VirtualFiles,
    left: BufferRoom,
}

impl ScriptReader {
    fn statement(&mut self, statement: ScriptStatement, lines: &mut ScriptLines<'_>) -> Result<(), ScriptFault> {
        let at = statement.begin();
        let keyword = statement.peek().map_or(String::new(), |word| word.text.clone());
        match keyword.as_str() {
            "SET" => engine_data(statement)?,
            "DEVICE_FEATURE" => requirement::feature(statement)?,
            "DEVICE_EXTENSION" | "INSTANCE_EXTENSION" => requirement::extension(statement)?,
            "VIRTUAL_FILE" => shader::virtual_file(statement, lines, &mut self.files)?,
            "SHADER" => {
                let new = shader::read(statement, lines, &self.files)?;
                self.read.add_shader(new)?;
            }
            "STRUCT" => self.read_struct(statement, lines)?,
            "BUFFER" | "IMAGE" => {
                let new = buffer::read(statement, lines, &self.structs, &mut self.left)?;
                self.read.add_buffer(new)?;
            }
            "PIPELINE" | "DERIVE_PIPELINE" => {
                let new = match keyword.as_str() {
                    "PIPELINE" => pipeline::read(statement, lines, &self.read)?,
                    _ => pipeline::read_derived(statement, lines, &self.read)?,
                };
                self.read.add_pipeline(new)?;
            }
            "SAMPLER" => return Err(ScriptFault::refused(at, "samplers are", "load texels in place of sampling")),
            "ACCELERATION_STRUCTURE" => {
                return Err(ScriptFault::refused(at, "acceleration structures are", GRAPHICS_HELP));
            }
            "DEVICE_PROPERTY" => {
                return Err(ScriptFault::refused(at, "properties of devices are", "remove this line"));
            }
            _ => {
                if !command::read(statement, lines, &mut self.read)? {
                    let help = "docs/import.md lists the statements; keywords have capitals";
                    return Err(Complaint::new(at, format!("`{keyword}` is no statement"), help).into());
                }
            }
        }
        Ok(())
    }

    fn read_struct(&mut self, mut statement: ScriptStatement, lines: &mut ScriptLines<'_>) -> Result<(), ScriptFault> {
        statement.expect("STRUCT")?;
        let name = statement.word("the name of the struct")?;
        statement.end("STRUCT NAME .. END")?;
        let described = read_struct(lines, &self.structs)?;
        if self.structs.contains_key(&name.text) {
            let message = format!("there is a struct `{}` already", name.text);
            return Err(Complaint::new(name.at, message, "give one of them another name").into());
        }
        self.structs.insert(name.text, described);
        Ok(())
    }
}

/// `SET ENGINE_DATA name value`: how Amber itself runs.
fn engine_data(mut statement: ScriptStatement) -> Result<(), Complaint> {
    statement.expect("SET")?;
    statement.expect("ENGINE_DATA")?;
    statement.word("the name of a setting")?;
    statement.word("its value")?;
    statement.end("SET ENGINE_DATA name value")
}
