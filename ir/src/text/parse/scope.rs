//! Names and labels in scope.

use std::collections::HashMap;

use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{LabelId, LocalId, TableId, TileVarId, ValueId};
use crate::pos::Pos;

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameMeaning {
    /// A struct: used as a type only.
    Struct,
    Function,
    Table(TableId),
    /// A parameter of the kernel.
    Param(u32),
    /// A parameter of the function.
    FnParam(u32),
    Tile(TileVarId),
    Local(LocalId),
    Value(ValueId),
    /// A name whose declaration has an error.
    Broken,
}

/// The names in scope, the innermost block last.
#[derive(Default)]
pub(super) struct NameScope {
    meanings: HashMap<String, (NameMeaning, Pos)>,
    blocks: Vec<Vec<String>>,
}

impl NameScope {
    pub(super) fn enter(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub(super) fn leave(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            self.meanings.remove(&name);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<(NameMeaning, Pos)> {
        self.meanings.get(name).copied()
    }

    /// The names that have a meaning in an expression.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let usable = |(_, (meaning, _)): &(&String, &(NameMeaning, Pos))| !matches!(meaning, NameMeaning::Struct);
        self.meanings.iter().filter(usable).map(|(name, _)| name.as_str())
    }

    fn add(&mut self, name: &str, meaning: NameMeaning, pos: Pos) {
        if self.meanings.insert(name.to_owned(), (meaning, pos)).is_none()
            && let Some(block) = self.blocks.last_mut()
        {
            block.push(name.to_owned());
        }
    }
}

/// The labels in scope, the innermost last.
#[derive(Default)]
pub(super) struct Labels {
    open: Vec<OpenConstruct>,
}

/// An enclosing loop or scope.
pub(super) struct OpenConstruct {
    /// In source syntax, with its quote mark.
    pub(super) name: Option<String>,
    pub(super) id: LabelId,
    pub(super) is_loop: bool,
    pub(super) pos: Pos,
}

impl Labels {
    pub(super) fn push(&mut self, open: OpenConstruct) {
        self.open.push(open);
    }

    pub(super) fn pop(&mut self) {
        self.open.pop();
    }

    pub(super) fn find(&self, name: &str) -> Option<&OpenConstruct> {
        self.open.iter().rev().find(|open| open.name.as_deref() == Some(name))
    }

    pub(super) fn innermost_loop(&self) -> Option<&OpenConstruct> {
        self.open.iter().rev().find(|open| open.is_loop)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.open.iter().filter_map(|open| open.name.as_deref())
    }

    /// Removes and returns all labels, for the body of another function.
    pub(super) fn take(&mut self) -> Labels {
        std::mem::take(self)
    }
}

impl Parser<'_, '_> {
    /// Declares a name, which must be unused.
    pub(super) fn declare(&mut self, name: &str, meaning: NameMeaning, pos: Pos) {
        if let Some((_, first)) = self.scope.find(name) {
            let report = Diagnostic::new(Code::K0003, format!("the name `{name}` is taken"))
                .at(pos, "declared again here")
                .and(first, "first declared here")
                .note("a name may not hide another one")
                .help("choose another name, or end the block of the first one before");
            self.report(report);
        }
        self.scope.add(name, meaning, pos);
    }

    /// Declares a name whose declaration has an error, so that its uses are not reported too.
    pub(super) fn declare_broken(&mut self, name: &str, pos: Pos) {
        self.declare(name, NameMeaning::Broken, pos);
    }

    /// Looks up the meaning of a name.
    pub(super) fn lookup(&mut self, name: &str, pos: Pos) -> Parsed<NameMeaning> {
        if let Some((meaning, _)) = self.scope.find(name) {
            return Ok(meaning);
        }
        if let Some(meaning) = self.link_table(name) {
            return Ok(meaning);
        }
        if self.broken.contains(name) {
            return Ok(NameMeaning::Broken);
        }
        if let Some(below) = self.declared_below(name, &["const", "struct", "fn"]) {
            return Err(self.report(below_its_use(name, pos, below)));
        }
        let mut report =
            Diagnostic::new(Code::K0002, format!("nothing here has the name `{name}`")).at(pos, "not declared");
        let builtins = crate::kernel::Builtin::KINDS.iter().map(|(name, _)| *name);
        match name {
            _ if super::foreign::index(name).is_some() => {
                let ours = super::foreign::index(name).unwrap_or_default();
                report = report.help(format!("write `{ours}`, for each dimension one"));
            }
            _ if super::foreign::type_for(name).is_some() => {
                let ours = super::foreign::type_for(name).unwrap_or_default();
                report = report.help(format!("the type is called `{ours}`"));
            }
            _ if self.hints.is_spent() => {}
            _ => {
                // Sorted, so that equally near names always give the same hint.
                let mut names: Vec<&str> = self.scope.names().chain(builtins).collect();
                names.sort_unstable();
                if let Some(near) = self.hints.nearest(name, &mut names.into_iter()) {
                    report = report.help(format!("did you mean `{near}`?"));
                }
            }
        }
        Err(self.report(report))
    }
}

impl Parser<'_, '_> {
    /// The position of an item with this name further down in the file.
    pub(super) fn declared_below(&self, name: &str, kinds: &[&str]) -> Option<Pos> {
        if self.gave_up() {
            return None;
        }
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let found = rest.windows(2).find(|pair| kinds.contains(&pair[0].text) && pair[1].text == name)?;
        Some(Pos { source: self.source, ..found[1].pos })
    }
}

/// A report about an item that is declared too late.
pub(super) fn below_its_use(name: &str, pos: Pos, below: Pos) -> Diagnostic {
    Diagnostic::new(Code::K0002, format!("`{name}` is declared below its use"))
        .at(pos, "not known yet")
        .and(below, "declared here")
        .help("move the declaration up, above the kernel that uses it")
}
