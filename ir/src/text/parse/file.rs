//! Items: structs, tables, functions and kernels; and the contents of a library.

use super::scope::{Labels, NameMeaning};
use super::{ParseFailed, Parsed, Parser};
use crate::build::LinkedItem;
use crate::diag::{Code, Diagnostic};
use crate::kernel::{FnParam, FnParamKind, FunctionId, InstKind, Kernel, ParamKind};
use crate::pos::Pos;
use crate::text::lex::TokenKind;
use crate::types::{Access, ValueType};

/// Limit on the tokens that a file's kernels may process together: each includes all items above
/// it. The scalars of tables, which each kernel copies, are limited likewise.
const MAX_WORK: usize = 1 << 25;

const ITEMS: [&str; 4] = ["struct", "const", "fn", "kernel"];

/// The head of a function whose body is parsed later.
struct FunctionHead<'t> {
    id: FunctionId,
    params: Vec<(&'t str, Pos)>,
    /// Index of its body's first token.
    body: usize,
}

/// A declaration in a library's text.
pub(in crate::text) struct LibraryEntry {
    /// `struct`, `const` or `fn`.
    pub(in crate::text) kind: &'static str,
    pub(in crate::text) name: String,
}

impl<'t> Parser<'t, '_> {
    /// A whole file: its kernels, in order.
    pub(in crate::text) fn file(&mut self) -> Vec<Kernel> {
        self.scope.enter();
        let kernel_words = self.tokens.iter().filter(|token| token.text == "kernel").count();
        if kernel_words.saturating_mul(self.tokens.len()) > MAX_WORK && kernel_words > 1 {
            let pos = self.peek().pos;
            self.report(
                Diagnostic::new(Code::K0010, format!("{kernel_words} kernels are too many for a file of this length"))
                    .at(pos, "")
                    .help("divide the file"),
            );
            return Vec::new();
        }
        let mut kernels: Vec<Kernel> = Vec::new();
        let mut names: Vec<(&str, Pos)> = Vec::new();
        let mut heads = Vec::new();
        let mut copied = 0;
        loop {
            let token = self.peek();
            if token.kind == TokenKind::End || self.is("kernel") {
                // Functions may call later ones, as long as no kernel is between them.
                let at = self.at;
                for head in std::mem::take(&mut heads) {
                    self.body(&head);
                }
                self.at = at;
                if self.peek().kind == TokenKind::End {
                    return kernels;
                }
                self.next();
                let name = self.peek();
                if let Some((_, first)) = names.iter().find(|(other, _)| *other == name.text) {
                    let report = Diagnostic::new(Code::K0010, format!("two kernels have the name `{}`", name.text));
                    self.report(report.at(name.pos, "again here").and(*first, "first here"));
                }
                names.push((name.text, name.pos));
                copied += self.scalars_of_tables();
                if copied > MAX_WORK as u64 && names.len() > 1 {
                    let report = Diagnostic::new(Code::K0010, "these are too many kernels for tables of this size");
                    let note = "each kernel of a file includes all tables above it";
                    self.report(report.at(name.pos, "").note(note).help("divide the file"));
                    return Vec::new();
                }
                match self.kernel() {
                    Ok(kernel) => kernels.push(kernel),
                    Err(ParseFailed) => {
                        self.reported("a kernel");
                        self.next_item();
                    }
                }
                continue;
            }
            if self.item(&mut heads).is_err() {
                self.reported("an item");
                self.next_item();
            }
        }
    }

    fn item(&mut self, heads: &mut Vec<FunctionHead<'t>>) -> Parsed<()> {
        if self.eat("struct") {
            self.structure().map(|_| ())?;
        } else if self.eat("const") {
            self.table()?;
        } else if self.eat("fn") {
            let head = self.head()?;
            heads.push(head);
            if !self.is("{") {
                return Err(self.unexpected("`{`, which begins the function's body"));
            }
            self.skip_block();
        } else {
            return Err(self.unexpected("`kernel`, `fn`, `struct` or `const`"));
        }
        Ok(())
    }

    /// Skips to the next item.
    fn next_item(&mut self) {
        let mut open = 0_u32;
        loop {
            let token = self.peek();
            let item = token.kind == TokenKind::Word && ITEMS.contains(&token.text);
            if token.kind == TokenKind::End || item && (open == 0 || token.pos.column == 1) {
                return;
            }
            match self.next().text {
                "{" => open += 1,
                "}" => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// The path of a function: `name` or `library::name`.
    pub(super) fn path(&mut self) -> String {
        let mut path = self.next().text.to_owned();
        while self.is("::") && self.ahead(1).kind == TokenKind::Word {
            self.next();
            path += "::";
            path += self.next().text;
        }
        path
    }

    /// A function up to its body, from its path. Declares it.
    fn head(&mut self) -> Parsed<FunctionHead<'t>> {
        let start = self.peek().pos;
        let (path, pos) = if self.is_ahead(1, "::") && self.peek().kind == TokenKind::Word {
            let path = self.path();
            (path, self.span(start))
        } else {
            let (name, pos) = self.name("a function")?;
            (name.to_owned(), pos)
        };
        let head = self.head_inside(&path, pos);
        if head.is_err() {
            self.broken.insert(path);
        }
        head
    }

    /// A function's parameters and result. An invalid type makes those values invalid, and the body
    /// is parsed nevertheless.
    fn head_inside(&mut self, path: &str, pos: Pos) -> Parsed<FunctionHead<'t>> {
        self.expect("(")?;
        let mut params = Vec::new();
        let all = self.list_of_all(")", "the parameter", |p| {
            let (name, pos) = p.name("a parameter")?;
            let kind = p.fn_param_kind();
            let known = kind.unwrap_or(FnParamKind::Value(ValueType::Invalid));
            params.push((name, FnParam { name: name.into(), kind: known, pos }));
            kind.map(|_| ())
        });
        if all.is_err() && !self.is("->") && !self.is("{") {
            return Err(ParseFailed);
        }
        let result = match self.eat("->") {
            true => match self.value_type() {
                Ok(ty) => Some(ty),
                Err(ParseFailed) if self.is("{") => Some(ValueType::Invalid),
                Err(ParseFailed) => return Err(ParseFailed),
            },
            false => None,
        };
        let names = params.iter().map(|(name, param)| (*name, param.pos)).collect();
        let id = self.b.declare(path, params.into_iter().map(|(_, param)| param).collect(), result, pos);
        if path.contains("::") {
            if let Some((_, first)) = self.functions.get(path) {
                let report = Diagnostic::new(Code::K0003, format!("the name `{path}` is taken"))
                    .at(pos, "declared again here")
                    .and(*first, "first declared here");
                self.report(report);
            }
        } else {
            self.declare(path, NameMeaning::Function, pos);
        }
        self.functions.insert(path.to_owned(), (id, pos));
        Ok(FunctionHead { id, params: names, body: self.at })
    }

    fn fn_param_kind(&mut self) -> Parsed<FnParamKind> {
        self.expect(":")?;
        Ok(if self.eat("&") {
            let access = if self.eat("mut") { Access::ReadWrite } else { Access::Read };
            FnParamKind::Ref { ty: self.ty()?, access }
        } else {
            FnParamKind::Value(self.value_type()?)
        })
    }

    /// Parses the body of a function whose head is declared.
    fn body(&mut self, head: &FunctionHead<'t>) {
        self.at = head.body;
        let labels = self.labels.take();
        self.scope.enter();
        self.views_in_error.clear();
        self.b.begin(head.id);
        for (i, (name, pos)) in head.params.iter().enumerate() {
            self.declare(name, NameMeaning::FnParam(i as u32), *pos);
        }
        let start = self.next().pos;
        let tail = self.statements(start);
        if let Some((value, pos)) = tail {
            self.b.emit(InstKind::Return(Some(value)), pos);
        }
        self.b.end();
        self.scope.leave();
        self.labels = labels;
    }

    /// A kernel, from its name.
    fn kernel(&mut self) -> Parsed<Kernel> {
        // The items above are also for later kernels, so this kernel's additions are undone.
        let above = self.b.clone();
        self.scope.enter();
        self.labels = Labels::default();
        let read = self.kernel_inside();
        self.scope.leave();
        let kernel = std::mem::replace(self.b, above);
        // Reports may refer to libraries that the kernel linked.
        for source in &kernel.so_far().sources().list {
            self.b.source(source.clone());
        }
        read.map(|()| kernel.finish())
    }

    fn kernel_inside(&mut self) -> Parsed<()> {
        let (name, pos) = self.name("a kernel")?;
        self.b.set_pos(pos);
        self.expect("(")?;
        if self.list_of_all(")", "the parameter", Self::param).is_err() && !self.is("rank") && !self.is("tile") {
            return Err(ParseFailed);
        }
        let shape = self.word(&["rank", "tile"])?;
        self.expect("(")?;
        if shape == "rank" {
            let rank = self.number_u32("the rank")?;
            self.expect(")")?;
            self.b.set_kernel(name, rank, None);
        } else {
            let start = self.peek().pos;
            let tile = self.list(")", "the dimension", |p| p.number_u32("a dimension of the tile"))?;
            if tile.is_empty() {
                self.report(Diagnostic::new(Code::K0001, "a tile has at least one dimension").at(start, ""));
            }
            self.b.set_kernel(name, tile.len() as u32, Some(tile));
        }
        let start = self.peek().pos;
        if !self.is("{") {
            return Err(self.unexpected("`{`, which begins the kernel's body"));
        }
        self.next();
        self.views_in_error.clear();
        self.b.begin_entry();
        while self.is("tile_static") {
            if self.tile_static().is_err() {
                self.recover();
            }
        }
        if let Some((_, pos)) = self.statements(start) {
            let report = Diagnostic::new(Code::K0001, "a kernel gives no value").at(pos, "this value goes nowhere");
            self.report(report.help("end it with `;`, or store it somewhere"));
        }
        self.b.end();
        Ok(())
    }

    fn param(&mut self) -> Parsed<()> {
        let (name, pos) = self.name("a parameter")?;
        let Ok(kind) = self.param_kind() else {
            self.declare_broken(name, pos);
            return Err(ParseFailed);
        };
        let id = self.b.param(name, kind, pos);
        self.declare(name, NameMeaning::Param(id.index() as u32), pos);
        Ok(())
    }

    fn param_kind(&mut self) -> Parsed<ParamKind> {
        self.expect(":")?;
        Ok(if self.at_view() {
            ParamKind::View(self.view()?)
        } else if self.is("buffer") && self.is_ahead(1, "<") {
            self.next();
            self.next();
            let ty = self.ty()?;
            self.expect(",")?;
            let access = self.access()?;
            self.expect(">")?;
            ParamKind::Buffer { ty, access }
        } else {
            ParamKind::Uniform(self.ty()?)
        })
    }

    fn tile_static(&mut self) -> Parsed<()> {
        self.next();
        let (name, pos) = self.name("a variable")?;
        let ty = match self.expect(":").and_then(|_| self.ty()) {
            Ok(ty) => ty,
            Err(ParseFailed) => {
                self.declare_broken(name, pos);
                return Err(ParseFailed);
            }
        };
        let id = self.b.tile_var(name, ty, pos);
        self.declare(name, NameMeaning::Tile(id), pos);
        if self.is("=") {
            let pos = self.peek().pos;
            let report = Diagnostic::new(Code::K0001, "a `tile_static` variable has no initial value").at(pos, "");
            return Err(self.report(report.note("it is zero when its tile begins")));
        }
        self.semicolon("the declaration")
    }

    /// One item of a library, for a kernel that uses it.
    pub(in crate::text) fn library_item(
        &mut self,
        item: &LibraryEntry,
        full_name: &str,
        mut known: impl FnMut(&mut Self, LinkedItem),
    ) -> Parsed<()> {
        self.scope.enter();
        // After the keyword.
        self.at = 1;
        match item.kind {
            "struct" => {
                let (_, ty) = self.structure()?;
                known(self, LinkedItem::Struct(ty));
            }
            "const" => {
                let (_, id) = self.table()?;
                known(self, LinkedItem::Table(id));
            }
            _ => {
                let head = self.head()?;
                self.b.rename_function(head.id, full_name);
                // Declared before its body is parsed, which may call it through other functions.
                known(self, LinkedItem::Function(head.id));
                self.body(&head);
            }
        }
        if self.reports.is_empty() { Ok(()) } else { Err(ParseFailed) }
    }
}
