//! `switch`. Cases that fall through are written out once more for each way into them; a `break`
//! that is not the last statement of its case leaves a scope around the `switch`.

use naga::{Expression, Handle, Statement, SwitchCase as ShaderCase, SwitchValue};
use tilewise_ir::kernel::{InstKind, SwitchCase};

use crate::ShaderImporter;
use crate::call::{FunctionFrame, JumpTarget};
use crate::uses::breaks;

impl<'m> ShaderImporter<'m> {
    /// Walks a `switch`; returns whether what follows it can be reached.
    pub(crate) fn switch(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        selector: Handle<Expression>,
        cases: &'m [ShaderCase],
    ) -> bool {
        let pos = self.pos;
        let selector = self.data_of(frame, selector);
        let needs_scope = cases.iter().any(|case| {
            let last = case.body.len().saturating_sub(1);
            case.body
                .iter()
                .enumerate()
                .any(|(i, statement)| breaks(statement) && !(i == last && matches!(statement, Statement::Break)))
        });
        let label = self.builder.label(None);
        if needs_scope {
            self.builder.begin_block();
        }
        frame.targets.push(JumpTarget::Switch(label));
        let mut out = Vec::new();
        let mut default = None;
        let mut completes = false;
        let (mut values, mut is_default) = (Vec::new(), false);
        for (i, case) in cases.iter().enumerate() {
            match case.value {
                SwitchValue::I32(number) => values.push(number as u32),
                SwitchValue::U32(number) => values.push(number),
                SwitchValue::Default => is_default = true,
            }
            if case.fall_through && case.body.is_empty() {
                continue;
            }
            self.builder.begin_block();
            completes |= self.case_from(frame, &cases[i..]);
            let body = self.builder.end_block(None);
            let values = std::mem::take(&mut values);
            // The values of a default need no case of their own.
            if std::mem::take(&mut is_default) {
                default = Some(body);
            } else {
                out.push(SwitchCase { values, body, pos });
            }
        }
        frame.targets.pop();
        completes |= default.is_none();
        let default = default.unwrap_or_default();
        if out.is_empty() {
            // Its end is reached only if that of the default is.
            let label = self.builder.label(None);
            self.builder.emit(InstKind::Scope { label, body: default }, pos);
        } else {
            self.builder.emit(InstKind::Switch { selector, cases: out, default }, pos);
        }
        if needs_scope {
            let body = self.builder.end_block(None);
            self.builder.emit(InstKind::Scope { label, body }, pos);
        }
        completes || frame.left.contains(&label)
    }

    /// Walks the first of these cases and those that it falls through to; returns whether the end of
    /// the `switch` is reached from there.
    fn case_from(&mut self, frame: &mut FunctionFrame<'m>, cases: &'m [ShaderCase]) -> bool {
        for case in cases {
            let last = case.body.len().saturating_sub(1);
            for (i, (statement, span)) in case.body.span_iter().enumerate() {
                let here = self.source.pos(*span);
                if here.is_known() {
                    self.pos = here;
                }
                if i == last && matches!(statement, Statement::Break) {
                    return true;
                }
                if !self.statement(frame, statement, false) {
                    return false;
                }
            }
            if !case.fall_through {
                break;
            }
        }
        true
    }
}
