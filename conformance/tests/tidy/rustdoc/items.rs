//! What Rust files declare, with what is said of it. Sources are read as tokens, so that what a macro of our own is handed (`both!`, `fences!`) counts as what it becomes.

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

use crate::{files, read};

/// Something that is declared.
#[derive(Debug)]
pub(super) struct Item {
    /// With the type that it belongs to: `Extent::size`.
    pub(super) path: String,
    pub(super) docs: String,
    pub(super) aliases: Vec<String>,
    pub(super) is_hidden: bool,
    pub(super) is_module: bool,
    /// Seen from outside of the crate, as far as the item itself says.
    pub(super) is_public: bool,
}

/// The text of a literal.
fn text(token: &TokenTree) -> Option<String> {
    syn::parse_str::<syn::LitStr>(&token.to_string()).ok().map(|literal| literal.value())
}

/// What the attributes before an item say of its documentation.
#[derive(Default)]
struct Attributes {
    docs: String,
    aliases: Vec<String>,
    is_hidden: bool,
}

impl Attributes {
    /// Reads one, without `#` and brackets.
    fn read(&mut self, attribute: TokenStream) {
        let tokens: Vec<TokenTree> = attribute.into_iter().collect();
        match &tokens[..] {
            [doc, _, line] if doc.to_string() == "doc" => {
                self.docs += &text(line).unwrap_or_default();
                self.docs.push('\n');
            }
            [doc, TokenTree::Group(group)] if doc.to_string() == "doc" => {
                let said: Vec<TokenTree> = group.stream().into_iter().collect();
                match &said[..] {
                    [hidden] if hidden.to_string() == "hidden" => self.is_hidden = true,
                    [alias, _, name] if alias.to_string() == "alias" => self.aliases.extend(text(name)),
                    [alias, TokenTree::Group(names)] if alias.to_string() == "alias" => {
                        self.aliases.extend(names.stream().into_iter().filter_map(|name| text(&name)));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// The type that an `impl` is of: the last word before its parameters, behind `for` if there is one.
fn implemented(head: &[TokenTree]) -> String {
    let behind = head.iter().rposition(|token| token.to_string() == "for").map_or(0, |at| at + 1);
    let (mut name, mut depth) = (String::new(), 0i32);
    for (at, token) in head.iter().enumerate().skip(behind) {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !is_punct(head.get(at.wrapping_sub(1)), '-') => {
                depth -= 1;
            }
            TokenTree::Ident(word) if depth == 0 && word == "where" => break,
            TokenTree::Ident(word) if depth == 0 => name = word.to_string(),
            _ => {}
        }
    }
    name
}

/// Everything that a source declares.
pub(super) fn declared(source: &str) -> Result<Vec<Item>, LexError> {
    let mut out = Vec::new();
    walk(source.parse()?, "", &mut out);
    Ok(out)
}

/// Everything that is declared in some tokens, which belong to `holder`.
fn walk(tokens: TokenStream, holder: &str, out: &mut Vec<Item>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut walk = Walk { holder, at: 0, attributes: Attributes::default(), is_public: !holder.is_empty(), out };
    while let Some(token) = tokens.get(walk.at) {
        let rest = &tokens[walk.at + 1..];
        match token {
            TokenTree::Ident(word) => walk.word(&word.to_string(), rest),
            TokenTree::Punct(punct) if punct.as_char() == '#' => walk.attribute(rest),
            _ => walk.next_item(1),
        }
    }
}

/// The way through some tokens.
struct Walk<'a> {
    holder: &'a str,
    /// The number of the token at hand.
    at: usize,
    /// What was said of the next item.
    attributes: Attributes,
    /// Was the next item said to be public? What belongs to something is, as long as nothing is said.
    is_public: bool,
    out: &'a mut Vec<Item>,
}

impl Walk<'_> {
    /// An item ends so many tokens further on.
    fn next_item(&mut self, further: usize) {
        (self.attributes, self.is_public) = (Attributes::default(), !self.holder.is_empty());
        self.at += further;
    }

    /// `#`: of the next item, or with `!` of what is around.
    fn attribute(&mut self, rest: &[TokenTree]) {
        let inner = is_punct(rest.first(), '!');
        if let Some(TokenTree::Group(group)) = rest.first().filter(|_| !inner) {
            self.attributes.read(group.stream());
        }
        self.at += 2 + usize::from(inner);
    }

    /// A word in front of an item, or the one that it begins with.
    fn word(&mut self, word: &str, rest: &[TokenTree]) {
        match word {
            "pub" => {
                let narrow = rest.first().is_some_and(|next| is_group(next, Delimiter::Parenthesis));
                self.is_public = !narrow;
                self.at += 1 + usize::from(narrow);
            }
            "const" if rest.first().is_some_and(|next| ["fn", "unsafe"].contains(&&*next.to_string())) => self.at += 1,
            "unsafe" | "async" => self.at += 1,
            "impl" | "struct" | "enum" | "trait" | "mod" | "fn" | "type" | "const" | "static" | "use"
            | "macro_rules" => {
                self.item(word, rest);
            }
            _ if is_punct(rest.first(), '!') => {
                if let Some(TokenTree::Group(handed)) = rest.get(1) {
                    walk(handed.stream(), self.holder, self.out);
                }
                self.next_item(3);
            }
            // A field, a variant, or an entry of a list that a macro is handed.
            _ => {
                self.is_public |= self.holder.is_empty();
                self.declare(word, false);
                let next = rest.iter().position(|token| is_punct(Some(token), ',') || is_punct(Some(token), ';'));
                self.next_item(2 + next.unwrap_or(rest.len()));
            }
        }
    }

    /// An item, which ends with its braces or a semicolon.
    fn item(&mut self, word: &str, rest: &[TokenTree]) {
        let ends = |token: &TokenTree| is_group(token, Delimiter::Brace) || is_punct(Some(token), ';');
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        let body = match rest.get(end) {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => TokenStream::new(),
        };
        let name = rest.first().map(ToString::to_string).unwrap_or_default();
        match word {
            "impl" => walk(body, &implemented(&rest[..end]), self.out),
            "mod" => {
                self.declare(&name, true);
                walk(body, self.holder, self.out);
            }
            "fn" | "type" | "const" | "static" => self.declare(&name, false),
            "use" => {
                let leaf = rest[..end].iter().rfind(|token| matches!(token, TokenTree::Ident(_)));
                // Not the thing itself, as a module is none of its items.
                leaf.into_iter().for_each(|leaf| self.declare(&leaf.to_string(), true));
            }
            "macro_rules" => {}
            _ => {
                self.declare(&name, false);
                walk(body, &name, self.out);
            }
        }
        self.next_item(2 + end);
    }

    fn declare(&mut self, name: &str, is_module: bool) {
        let Attributes { docs, aliases, is_hidden } = std::mem::take(&mut self.attributes);
        let path = if self.holder.is_empty() { name.to_owned() } else { format!("{}::{name}", self.holder) };
        self.out.push(Item { path, docs, aliases, is_hidden, is_module, is_public: self.is_public });
    }
}

/// Everything that some files declare; of a file's own page, an item of the file's name.
pub(super) fn items(folder: &str) -> Vec<Item> {
    let mut out = Vec::new();
    for file in files(folder, "rs") {
        let source = read(&file);
        let declared = declared(&source);
        out.extend(declared.unwrap_or_else(|error| panic!("{file}: {error}")));
        let page: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//!")).collect();
        let path = file.trim_end_matches(".rs").trim_end_matches("/mod").rsplit('/').next().unwrap_or_default();
        let (path, docs) = (path.to_owned(), page.join("\n"));
        out.push(Item { path, docs, aliases: Vec::new(), is_hidden: false, is_module: true, is_public: true });
    }
    out
}
