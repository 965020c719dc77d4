//! Messages of threads, and threads that end by them.

use tilewise_ir::kernel::Message;
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

use super::state::{Formed, Vectorizer, malformed};
use crate::lanes::{ArgumentWord, Effect, LaneValue, MessageKind};

impl Vectorizer<'_> {
    pub(super) fn print(&mut self, message: &Message, pos: Pos) -> Formed {
        let (values, types) = self.said(message)?;
        self.say(MessageKind::Print(message.clone(), types), values, pos);
        Ok(())
    }

    /// `error` with its message, or `abort` without: the thread ends.
    pub(super) fn error(&mut self, message: Option<&Message>, pos: Pos) -> Formed {
        match message {
            Some(message) => {
                let (values, types) = self.said(message)?;
                self.say(MessageKind::Error(message.clone(), types), values, pos);
            }
            None => self.say(MessageKind::Abort, Vec::new(), pos),
        }
        self.ended_by_itself();
        self.leave(self.exits.ended);
        self.leave(self.exits.inert);
        self.nobody();
        Ok(())
    }

    fn said(&mut self, message: &Message) -> Formed<(Vec<LaneValue>, Vec<Data>)> {
        let mut values = Vec::new();
        let mut types = Vec::new();
        for &value in &message.values {
            types.push(self.input.context.data(value).ok_or_else(|| malformed("a printed value is a view"))?);
            for comp in self.comps(value)? {
                values.push(comp.value(&mut self.b));
            }
        }
        Ok((values, types))
    }

    fn say(&mut self, kind: MessageKind, values: Vec<LaneValue>, pos: Pos) {
        let thread = self.linear_thread();
        let active = self.active_value();
        let mask = self.b.lanes(active);
        let message = self.tables.messages.len() as u32;
        self.tables.messages.push((pos, kind));
        self.b.effect(Effect::Message { message, thread, values, mask });
    }

    /// Linear index of lane 0's thread in the domain, an `i64` scalar.
    fn linear_thread(&mut self) -> LaneValue {
        let mut linear = self.b.number(0);
        if self.input.key.flat {
            // In a flat domain the one component is the linear index.
            let at = match self.here.global[0] {
                super::comp::Comp::Plain(value) | super::comp::Comp::Affine { base: value, .. } => value,
            };
            return self.b.op(Op::ToI64, Scalar::U32, &[at]);
        }
        for (d, comp) in self.here.global.clone().into_iter().enumerate() {
            let extent = self.b.input(ArgumentWord::DomainExtent(d as u32));
            let extent = self.b.op(Op::ToI64, Scalar::U32, &[extent]);
            let at = match comp {
                super::comp::Comp::Plain(value) | super::comp::Comp::Affine { base: value, .. } => value,
            };
            let at = self.b.op(Op::ToI64, Scalar::U32, &[at]);
            linear = self.b.op(Op::Mul, Scalar::I64, &[linear, extent]);
            linear = self.b.op(Op::Add, Scalar::I64, &[linear, at]);
        }
        linear
    }
}
