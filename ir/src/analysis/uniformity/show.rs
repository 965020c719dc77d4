//! The facts as text, for dumps and tests: a line for each named value, variable, construct and
//! barrier, in text order.

use super::Uniformity;
use crate::kernel::{Block, Construct, InstKind, Kernel};

impl Uniformity {
    /// The facts about the entry of `kernel` as text. `kernel` must be the kernel that was
    /// analysed.
    pub fn show(&self, kernel: &Kernel) -> String {
        let mut show = ShowUniformity { facts: self, kernel, out: String::new() };
        if self.gave_up {
            show.line(0, "gave up");
        }
        show.block(kernel.entry().body(), 0);
        show.out
    }
}

struct ShowUniformity<'a> {
    facts: &'a Uniformity,
    kernel: &'a Kernel,
    out: String,
}

impl ShowUniformity<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.out += &"    ".repeat(depth);
        self.out += text;
        self.out.push('\n');
    }

    fn block(&mut self, block: &Block, depth: usize) {
        let entry = self.kernel.entry();
        for inst in &block.insts {
            if let Some(name) = inst.kind.construct().map(Construct::name) {
                let class = self.facts.construct(inst.id).name();
                self.line(depth, &format!("{name}: {class}"));
                inst.kind.blocks(&mut |block| self.block(block, depth + 1));
            }
            if inst.kind.barrier().is_some() {
                let class = self.facts.barrier(inst.id).map_or("?", |fact| fact.class.name());
                self.line(depth, &format!("barrier: {class}"));
            }
            if let InstKind::Declare { local, .. } = &inst.kind {
                let name = entry.locals().get(local.index()).map_or("?", |local| &*local.name);
                let class = self.facts.local(*local).name();
                self.line(depth, &format!("var {name}: {class}"));
            }
            for value in inst.results() {
                if let Some(name) = &entry.value(value).name {
                    let class = self.facts.value(value).name();
                    self.line(depth, &format!("let {name}: {class}"));
                }
            }
        }
    }
}
