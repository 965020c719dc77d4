//! Blocks as Rust: `if`, and scopes that are left early.

use super::{FunctionWriter, Untranslated};
use tilewise_ir::kernel::{Block, Inst, LabelId, ValueId};

impl FunctionWriter<'_> {
    /// An `if`; with a value, if the instruction has a result.
    pub(super) fn if_(&mut self, inst: &Inst, condition: ValueId, arms: [&Block; 2]) -> Result<(), Untranslated> {
        let condition = self.value(condition)?.text;
        let begin = inst.result.map(|result| self.binding(result)).transpose()?;
        let [then, otherwise] = arms;
        self.line(&format!("{}if {condition} {{", begin.as_deref().unwrap_or_default()));
        self.nested(then)?;
        if begin.is_some() || !otherwise.insts.is_empty() {
            self.line("} else {");
            self.nested(otherwise)?;
        }
        self.line(if begin.is_some() { "};" } else { "}" });
        Ok(())
    }

    /// A scope, which becomes a block with a label.
    pub(super) fn scope(&mut self, inst: &Inst, label: LabelId, body: &Block) -> Result<(), Untranslated> {
        let Some(result) = inst.result else { return self.cannot("a scope without a value") };
        let begin = self.binding(result)?;
        self.line(&format!("{begin}'scope{}: {{", label.index()));
        self.nested(body)?;
        self.line("};");
        Ok(())
    }

    /// `break` out of a scope.
    pub(super) fn leave(&mut self, label: LabelId, value: ValueId) -> Result<(), Untranslated> {
        let value = self.value(value)?.text;
        self.line(&format!("break 'scope{} {value};", label.index()));
        Ok(())
    }

    /// A block and its value.
    fn nested(&mut self, block: &Block) -> Result<(), Untranslated> {
        self.depth += 1;
        self.block(block)?;
        if let Some(value) = block.value {
            let value = self.value(value)?.text;
            self.line(&value);
        }
        self.depth -= 1;
        Ok(())
    }
}
