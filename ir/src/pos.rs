//! Source positions, and the sources that they refer to.

use std::borrow::Cow;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::types::Name;

/// A piece of one line of a source: `.kir` text, or the user's Rust file.
///
/// **Positions do not contribute to a kernel's identity**: any two positions compare equal and hash
/// alike, so that `==` on kernels compares meaning, and the cache of compiled kernels also hits for
/// the same kernel on another line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pos {
    /// Index into the kernel's [`Sources`].
    pub source: u32,
    /// Line, from 1; 0 if the position is unknown.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Length in characters; may run past the end of the line.
    pub length: u32,
}

impl Pos {
    /// An unknown position.
    pub const NONE: Pos = Pos { source: 0, line: 0, column: 0, length: 0 };

    /// Source, line, column and length, for callers that must distinguish positions; `==` does not.
    pub const fn key(self) -> (u32, u32, u32, u32) {
        (self.source, self.line, self.column, self.length)
    }

    /// Whether the position is known.
    pub const fn is_known(self) -> bool {
        self.line != 0
    }

    /// The position of a step that lowering adds and the source does not write, such as what comes behind the last
    /// number of a range: a piece without length. Whether such a step leaves the range of its type is lowering's
    /// business, so checks of arithmetic let it pass.
    #[must_use]
    pub const fn implied(self) -> Pos {
        Pos { length: 0, ..self }
    }

    /// Is this of a step that the source does not write?
    pub const fn is_implied(self) -> bool {
        self.is_known() && self.length == 0
    }
}

impl PartialEq for Pos {
    fn eq(&self, _: &Pos) -> bool {
        true
    }
}

impl Eq for Pos {}

impl Hash for Pos {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A source text that positions refer to.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, as messages print it.
    pub name: Name,
    /// The whole text, if available; otherwise see [`read`](Source::read).
    pub text: Option<Name>,
}

/// Limit on the bytes read from a source file for a message.
const MAX_FILE: u64 = 4 << 20;

impl Source {
    /// The text, for showing lines of it: the stored text, else the current contents of the Rust
    /// file of that name, if there is one.
    ///
    /// Rust's file names are relative to the compiler's working directory, usually the root of the
    /// workspace, which need not be that of a program or test. So the ancestors of the current
    /// directory are searched too.
    pub fn read(&self) -> Option<Cow<'_, str>> {
        if let Some(text) = &self.text {
            return Some(Cow::Borrowed(text));
        }
        let name = Path::new(&*self.name);
        if name.extension()? != "rs" {
            return None;
        }
        let here = std::env::current_dir().unwrap_or_default();
        let path = here.ancestors().take(8).map(|folder| folder.join(name)).find(is_readable)?;
        fs::read_to_string(path).ok().map(Cow::Owned)
    }
}

fn is_readable(path: &PathBuf) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MAX_FILE)
}

/// The sources of one kernel. Like positions, they do not contribute to comparison.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Indexed by [`Pos::source`].
    pub list: Vec<Source>,
}

impl Sources {
    /// One source.
    pub fn one(name: &str, text: Option<&str>) -> Sources {
        Sources { list: vec![Source { name: name.into(), text: text.map(Into::into) }] }
    }

    /// Adds a source and returns its index. A source of the same name and text is added once.
    pub fn add(&mut self, source: Source) -> u32 {
        let found = self.list.iter().position(|s| s.name == source.name && s.text == source.text);
        found.unwrap_or_else(|| {
            self.list.push(source);
            self.list.len() - 1
        }) as u32
    }

    /// The text from a known position to the end of its line, if the source is available.
    pub fn at(&self, pos: Pos) -> Option<&str> {
        let text = self.list.get(pos.source as usize)?.text.as_deref()?;
        let line = text.lines().nth((pos.line as usize).checked_sub(1)?)?;
        let (at, _) = line.char_indices().nth((pos.column as usize).checked_sub(1)?)?;
        line.get(at..)
    }

    /// Like [`at`](Sources::at), also of a file of Rust that can be read.
    pub fn text_at(&self, pos: Pos) -> Option<String> {
        let text = self.list.get(pos.source as usize)?.read()?;
        let line = text.lines().nth((pos.line as usize).checked_sub(1)?)?;
        let (at, _) = line.char_indices().nth((pos.column as usize).checked_sub(1)?)?;
        Some(line.get(at..)?.to_owned())
    }

    /// `file:line:column` of a known position.
    pub fn show(&self, pos: Pos) -> Option<String> {
        let source = self.list.get(pos.source as usize).filter(|_| pos.is_known())?;
        Some(format!("{}:{}:{}", source.name, pos.line, pos.column))
    }
}

impl PartialEq for Sources {
    fn eq(&self, _: &Sources) -> bool {
        true
    }
}
