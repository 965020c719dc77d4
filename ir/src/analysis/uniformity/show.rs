//! The facts as text, for dumps and tests: a line for each named value, variable, construct and barrier, in text order.

use super::Uniformity;
use crate::kernel::{Block, InstKind, Kernel};

impl Uniformity {
    /// Writes the facts about the entry of `kernel`, which must be the one they were worked out for.
    pub fn show(&self, kernel: &Kernel) -> String {
        let mut show = Show { facts: self, kernel, construct: 0, barrier: 0, out: String::new() };
        if self.gave_up {
            show.line(0, "gave up");
        }
        show.block(kernel.entry().body(), 0);
        show.out
    }
}

struct Show<'a> {
    facts: &'a Uniformity,
    kernel: &'a Kernel,
    construct: usize,
    barrier: usize,
    out: String,
}

impl Show<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.out += &"    ".repeat(depth);
        self.out += text;
        self.out.push('\n');
    }

    fn block(&mut self, block: &Block, depth: usize) {
        let entry = self.kernel.entry();
        for inst in &block.insts {
            let name = match &inst.kind {
                InstKind::If { .. } => Some("if".to_owned()),
                InstKind::Switch { .. } => Some("switch".to_owned()),
                InstKind::Loop { condition, .. } => Some(if condition.is_some() { "while" } else { "loop" }.to_owned()),
                InstKind::Scope { .. } => Some("scope".to_owned()),
                _ => None,
            };
            if let Some(name) = name {
                let class = self.facts.constructs.get(self.construct).map_or("?", |class| class.name());
                self.construct += 1;
                self.line(depth, &format!("{name}: {class}"));
                inst.kind.blocks(&mut |block| self.block(block, depth + 1));
            }
            match &inst.kind {
                InstKind::Barrier(_) => {
                    let class = self.facts.barriers.get(self.barrier).map_or("?", |fact| fact.class.name());
                    self.barrier += 1;
                    self.line(depth, &format!("barrier: {class}"));
                }
                InstKind::Declare { local, .. } => {
                    let name = entry.locals().get(local.index()).map_or("?", |local| &*local.name);
                    let class = self.facts.local(*local).name();
                    self.line(depth, &format!("var {name}: {class}"));
                }
                _ => {}
            }
            let second = match &inst.kind {
                InstKind::CompareExchange { equal, .. } => Some(*equal),
                _ => None,
            };
            for value in inst.result.into_iter().chain(second) {
                if let Some(name) = &entry.value(value).name {
                    let class = self.facts.value(value).name();
                    self.line(depth, &format!("let {name}: {class}"));
                }
            }
        }
    }
}
