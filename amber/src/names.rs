//! A script while it is read: what is declared so far, by name, and what it may still have. A script is a text of
//! others, so what its statements multiply is limited.

use std::collections::BTreeMap;

use tilewise_header::{Complaint, FilePlace};

use crate::script::{AmberScript, PlacedCommand, ScriptBuffer, ScriptCommand, ScriptPipeline, ScriptShader};

/// Commands that a script runs, with those that are repeated, at most.
const MOST_COMMANDS: u64 = 100_000;
/// What all pipelines bind and specialize, at most: each derived one has all of its parent's.
const MOST_BOUND: usize = 1 << 20;

/// A script of which a part is read.
#[derive(Default)]
pub(crate) struct PartialScript {
    pub(crate) script: AmberScript,
    shaders: BTreeMap<String, usize>,
    buffers: BTreeMap<String, usize>,
    pipelines: BTreeMap<String, usize>,
    commands: u64,
    bound: usize,
}

impl PartialScript {
    /// The number of the shader of a name.
    pub(crate) fn shader(&self, name: &str) -> Option<usize> {
        self.shaders.get(name).copied()
    }

    /// The number of the buffer of a name.
    pub(crate) fn buffer(&self, name: &str) -> Option<usize> {
        self.buffers.get(name).copied()
    }

    /// The number of the pipeline of a name.
    pub(crate) fn pipeline(&self, name: &str) -> Option<usize> {
        self.pipelines.get(name).copied()
    }

    pub(crate) fn add_shader(&mut self, new: ScriptShader) -> Result<(), Complaint> {
        declare(&mut self.shaders, "shader", &new.name, new.at)?;
        self.script.shaders.push(new);
        Ok(())
    }

    pub(crate) fn add_buffer(&mut self, new: ScriptBuffer) -> Result<(), Complaint> {
        declare(&mut self.buffers, "buffer", &new.name, new.at)?;
        self.script.buffers.push(new);
        Ok(())
    }

    pub(crate) fn add_pipeline(&mut self, new: ScriptPipeline) -> Result<(), Complaint> {
        declare(&mut self.pipelines, "pipeline", &new.name, new.at)?;
        self.bound += new.bindings.len() + new.specializations.len();
        if self.bound > MOST_BOUND {
            let help = format!("all pipelines together, with what they inherit, bind at most {MOST_BOUND} buffers");
            return Err(Complaint::new(new.at, "the pipelines bind too much", help));
        }
        self.script.pipelines.push(new);
        Ok(())
    }

    pub(crate) fn add_command(&mut self, at: FilePlace, command: ScriptCommand) -> Result<(), Complaint> {
        self.runs(at, 1)?;
        self.script.commands.push(PlacedCommand { at, command });
        Ok(())
    }

    /// Counts commands that are run.
    pub(crate) fn runs(&mut self, at: FilePlace, commands: u64) -> Result<(), Complaint> {
        self.commands = self.commands.saturating_add(commands);
        if self.commands > MOST_COMMANDS {
            let help = format!("a script runs at most {MOST_COMMANDS} commands, with those that are repeated");
            return Err(Complaint::new(at, "these are too many commands", help));
        }
        Ok(())
    }
}

/// Gives a name the next number.
fn declare(names: &mut BTreeMap<String, usize>, kind: &str, name: &str, at: FilePlace) -> Result<(), Complaint> {
    let number = names.len();
    if names.insert(name.to_owned(), number).is_some() {
        let message = format!("there is a {kind} `{name}` already");
        return Err(Complaint::new(at, message, "give one of them another name"));
    }
    Ok(())
}
