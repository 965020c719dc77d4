//! What rustdoc shows of `tilewise`: each name at the top of the crate has an example that is run and asserts something, and who knows C++ AMP finds its names by searching.
//!
//! Sources are read as tokens, so that what a macro of our own is handed (`both!`, `fences!`) counts as what it becomes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::{files, no_breach, read};

/// Where each name of C++ AMP leads, except for those of short vectors, which are in [`VECTORS`].
const NAMES: &[(&str, &str)] = &[
    ("index", "Index"),
    ("extent", "Extent"),
    ("size", "Extent::size"),
    ("contains", "Extent::contains"),
    ("tiled_extent", "TiledExtent"),
    ("get_tile_extent", "TiledExtent::tile_extent"),
    ("tile_dim0", "TiledExtent::TILE_DIM0"),
    ("tile_dim1", "TiledExtent::TILE_DIM1"),
    ("tile_dim2", "TiledExtent::TILE_DIM2"),
    ("pad", "TiledExtent::pad"),
    ("truncate", "TiledExtent::truncate"),
    ("tiled_index", "TiledIndex"),
    ("tile_barrier", "TileBarrier"),
    ("wait", "TileBarrier::wait"),
    ("wait_with_all_memory_fence", "TileBarrier::wait_with_all_memory_fence"),
    ("wait_with_global_memory_fence", "TileBarrier::wait_with_global_memory_fence"),
    ("wait_with_tile_static_memory_fence", "TileBarrier::wait_with_tile_static_memory_fence"),
    ("all_memory_fence", "all_memory_fence"),
    ("global_memory_fence", "global_memory_fence"),
    ("tile_static_memory_fence", "tile_static_memory_fence"),
    ("tile_static", "TileStatic"),
    ("restrict", "amp"),
    ("parallel_for_each", "parallel_for_each"),
    ("array", "Array"),
    ("staging_array", "ArrayBuilder::staging_for"),
    ("data", "Array::host"),
    ("data", "Array::host_mut"),
    ("copy_to", "Array::copy_to"),
    ("get_extent", "Array::extent"),
    ("get_accelerator_view", "Array::accelerator_view"),
    ("get_associated_accelerator_view", "Array::associated_accelerator_view"),
    ("get_cpu_access_type", "Array::cpu_access_type"),
    ("array_view", "ArrayView"),
    ("data", "ArrayView::host"),
    ("data", "ArrayView::host_mut"),
    ("get_ref", "ArrayView::host"),
    ("get_extent", "ArrayView::extent"),
    ("get_cpu_access_type", "ArrayView::cpu_access_type"),
    ("get_source_accelerator_view", "ArrayView::source_accelerator_view"),
    ("projection", "ArrayView::project"),
    ("section", "ArrayView::section"),
    ("reinterpret_as", "ArrayView::reinterpret_as"),
    ("view_as", "ArrayView::view_as"),
    ("copy_to", "ArrayView::copy_to"),
    ("synchronize", "ArrayView::synchronize"),
    ("synchronize_async", "ArrayView::synchronize_async"),
    ("synchronize_to", "ArrayView::synchronize_to"),
    ("synchronize_to_async", "ArrayView::synchronize_to_async"),
    ("refresh", "ArrayView::refresh"),
    ("discard_data", "ArrayView::discard_data"),
    ("copy", "copy"),
    ("copy", "copy_iter"),
    ("copy", "copy_extend"),
    ("copy_async", "copy_async"),
    ("copy_async", "copy_async_from"),
    ("copy_async", "copy_async_into"),
    ("completion_future", "Completion"),
    ("get", "Completion::get"),
    ("wait", "Completion::wait"),
    ("wait_for", "Completion::wait_timeout"),
    ("wait_until", "Completion::wait_timeout"),
    ("then", "Completion::then"),
    ("atomic_exchange", "AtomicRef::exchange"),
    ("atomic_compare_exchange", "AtomicRef::compare_exchange"),
    ("atomic_fetch_add", "AtomicRef::fetch_add"),
    ("atomic_fetch_sub", "AtomicRef::fetch_sub"),
    ("atomic_fetch_max", "AtomicRef::fetch_max"),
    ("atomic_fetch_min", "AtomicRef::fetch_min"),
    ("atomic_fetch_and", "AtomicRef::fetch_and"),
    ("atomic_fetch_or", "AtomicRef::fetch_or"),
    ("atomic_fetch_xor", "AtomicRef::fetch_xor"),
    ("atomic_fetch_inc", "AtomicRef::fetch_inc"),
    ("atomic_fetch_dec", "AtomicRef::fetch_dec"),
    ("accelerator", "Accelerator"),
    ("default_accelerator", "Accelerator::DEFAULT"),
    ("cpu_accelerator", "Accelerator::CPU"),
    ("direct3d_ref", "Accelerator::REFERENCE"),
    ("direct3d_warp", "Accelerator::JIT"),
    ("get_all", "Accelerator::all"),
    ("set_default", "Accelerator::set_default"),
    ("get_auto_selection_view", "Accelerator::auto_selection_view"),
    ("device_path", "Accelerator::path"),
    ("get_device_path", "Accelerator::path"),
    ("get_description", "Accelerator::description"),
    ("get_version", "Accelerator::version"),
    ("get_is_debug", "Accelerator::is_debug"),
    ("get_is_emulated", "Accelerator::is_emulated"),
    ("get_has_display", "Accelerator::has_display"),
    ("get_supports_double_precision", "Accelerator::supports_double_precision"),
    ("get_supports_limited_double_precision", "Accelerator::supports_limited_double_precision"),
    ("get_supports_cpu_shared_memory", "Accelerator::supports_cpu_shared_memory"),
    ("get_dedicated_memory", "Accelerator::dedicated_memory"),
    ("get_default_cpu_access_type", "Accelerator::default_cpu_access_type"),
    ("set_default_cpu_access_type", "Accelerator::set_default_cpu_access_type"),
    ("get_default_view", "Accelerator::default_view"),
    ("create_view", "Accelerator::create_view"),
    ("accelerator_view", "AcceleratorView"),
    ("get_accelerator", "AcceleratorView::accelerator"),
    ("get_queuing_mode", "AcceleratorView::queuing_mode"),
    ("get_is_auto_selection", "AcceleratorView::is_auto_selection"),
    ("flush", "AcceleratorView::flush"),
    ("wait", "AcceleratorView::wait"),
    ("create_marker", "AcceleratorView::create_marker"),
    ("access_type", "AccessType"),
    ("access_type_none", "AccessType::None"),
    ("access_type_read", "AccessType::Read"),
    ("access_type_write", "AccessType::Write"),
    ("access_type_read_write", "AccessType::ReadWrite"),
    ("access_type_auto", "AccessType::Auto"),
    ("queuing_mode", "QueuingMode"),
    ("queuing_mode_immediate", "QueuingMode::Immediate"),
    ("queuing_mode_automatic", "QueuingMode::Automatic"),
    ("runtime_exception", "Error"),
    ("out_of_memory", "Error::OutOfMemory"),
    ("invalid_compute_domain", "Error::InvalidComputeDomain"),
    ("unsupported_feature", "Error::UnsupportedFeature"),
    ("accelerator_view_removed", "Error::AcceleratorViewRemoved"),
    ("get_view_removed_reason", "Error::AcceleratorViewRemoved"),
    ("direct3d_printf", "set_print_hook"),
    ("direct3d_errorf", "Error::Aborted"),
    ("direct3d_abort", "Error::Aborted"),
    ("fast_math", "fast_math"),
];

/// Names of short vectors: a macro hands them on, so they are looked for in its list.
const VECTORS: [&str; 4] = ["int", "uint", "float", "double"];

/// Something that is declared.
#[derive(Debug)]
struct Item {
    /// With the type that it belongs to: `Extent::size`.
    path: String,
    docs: String,
    aliases: Vec<String>,
    is_hidden: bool,
    is_module: bool,
    /// Seen from outside of the crate, as far as the item itself says.
    is_public: bool,
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

/// Everything that is declared in some tokens, which belong to `holder`.
fn walk(tokens: TokenStream, holder: &str, out: &mut Vec<Item>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut attributes = Attributes::default();
    let (mut at, mut is_public) = (0, !holder.is_empty());
    while let Some(token) = tokens.get(at) {
        let word = match token {
            TokenTree::Ident(word) => word.to_string(),
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let inner = is_punct(tokens.get(at + 1), '!');
                if let Some(TokenTree::Group(group)) = tokens.get(at + 1 + usize::from(inner)).filter(|_| !inner) {
                    attributes.read(group.stream());
                }
                at += 2 + usize::from(inner);
                continue;
            }
            _ => {
                (attributes, is_public) = (Attributes::default(), !holder.is_empty());
                at += 1;
                continue;
            }
        };
        let rest = &tokens[at + 1..];
        match &word[..] {
            "pub" => {
                let narrow = rest.first().is_some_and(|next| is_group(next, Delimiter::Parenthesis));
                is_public = !narrow;
                at += 1 + usize::from(narrow);
                continue;
            }
            "const" if rest.first().is_some_and(|next| ["fn", "unsafe"].contains(&&*next.to_string())) => {
                at += 1;
                continue;
            }
            "unsafe" | "async" => {
                at += 1;
                continue;
            }
            _ => {}
        }
        let ends = |token: &TokenTree| is_group(token, Delimiter::Brace) || is_punct(Some(token), ';');
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        let body = rest.get(end).and_then(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        let name = rest.first().map(ToString::to_string).unwrap_or_default();
        let said = std::mem::take(&mut attributes);
        let path = |name: &str| if holder.is_empty() { name.to_owned() } else { format!("{holder}::{name}") };
        let mut declare = |name: &str, is_module| {
            out.push(Item {
                path: path(name),
                docs: said.docs.clone(),
                aliases: said.aliases.clone(),
                is_hidden: said.is_hidden,
                is_module,
                is_public,
            });
        };
        match &word[..] {
            "impl" => walk(body.unwrap_or_default(), &implemented(&rest[..end]), out),
            "struct" | "enum" | "trait" => {
                declare(&name, false);
                walk(body.unwrap_or_default(), &name, out);
            }
            "mod" => {
                declare(&name, true);
                walk(body.unwrap_or_default(), holder, out);
            }
            "fn" | "type" | "const" | "static" => declare(&name, false),
            "use" => {
                let leaf = rest[..end].iter().rfind(|token| matches!(token, TokenTree::Ident(_)));
                // Not the thing itself, as a module is none of its items.
                leaf.into_iter().for_each(|leaf| declare(&leaf.to_string(), true));
            }
            "macro_rules" => {}
            _ if is_punct(rest.first(), '!') => {
                if let Some(TokenTree::Group(handed)) = rest.get(1) {
                    walk(handed.stream(), holder, out);
                }
                is_public = !holder.is_empty();
                at += 3;
                continue;
            }
            // A field, a variant, or an entry of a list that a macro is handed.
            _ => {
                is_public |= holder.is_empty();
                out.push(Item {
                    path: path(&word),
                    docs: said.docs.clone(),
                    aliases: said.aliases.clone(),
                    is_hidden: said.is_hidden,
                    is_module: false,
                    is_public,
                });
                let next = rest.iter().position(|token| is_punct(Some(token), ',') || is_punct(Some(token), ';'));
                is_public = !holder.is_empty();
                at += 2 + next.unwrap_or(rest.len());
                continue;
            }
        }
        is_public = !holder.is_empty();
        at += 2 + end;
    }
}

/// Everything that some files declare; of a file's own page, an item of the file's name.
fn items(folder: &str) -> Vec<Item> {
    let mut out = Vec::new();
    for file in files(folder, "rs") {
        let source = read(&file);
        let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        walk(tokens, "", &mut out);
        let page: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//!")).collect();
        let path = file.trim_end_matches(".rs").trim_end_matches("/mod").rsplit('/').next().unwrap_or_default();
        let (path, docs) = (path.to_owned(), page.join("\n"));
        out.push(Item { path, docs, aliases: Vec::new(), is_hidden: false, is_module: true, is_public: true });
    }
    out
}

/// Is there a block that is run and asserts something?
fn has_example(docs: &str) -> bool {
    let mut open: Option<&str> = None;
    for line in docs.lines().map(str::trim) {
        match (open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(info.trim()),
            (Some(_), Some(_)) => open = None,
            (Some("" | "rust"), None) if line.contains("assert") => return true,
            _ => {}
        }
    }
    false
}

/// The names at the top of the crate, and whether each is one of the macros.
fn top() -> Vec<(String, bool)> {
    let source = read("tilewise/src/lib.rs");
    let code: String = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut out = Vec::new();
    for statement in code.split(';').filter(|statement| !statement.contains("doc(hidden)")) {
        let Some((_, path)) = statement.split_once("pub use ") else { continue };
        let Some((from, names)) = path.trim_end_matches('}').rsplit_once("::") else { continue };
        let names = path.split_once('{').map_or(names, |(_, names)| names.trim_end_matches('}'));
        let named = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        out.extend(named.map(|name| (name.to_owned(), from.starts_with("tilewise_macros"))));
    }
    out
}

#[test]
fn every_name_at_the_top_has_an_example_that_is_run() {
    let (ours, top) = (items("tilewise/src"), top());
    assert!(top.len() > 60, "only {} names are found in tilewise/src/lib.rs", top.len());
    let mut here = Vec::new();
    let lib: TokenStream = read("tilewise/src/lib.rs").parse().expect("it is Rust");
    walk(lib, "", &mut here);
    let mut breaches = Vec::new();
    for (name, is_macro) in &top {
        let all = if *is_macro { &here } else { &ours };
        let constructor = format!("{name}::new");
        let of_name = |item: &&Item| (item.path == *name || item.path == constructor) && item.is_public;
        let found: Vec<&Item> = all.iter().filter(of_name).filter(|item| !item.is_hidden).collect();
        let only_modules = found.iter().all(|item| item.is_module);
        if !found.iter().any(|item| item.is_module == only_modules && has_example(&item.docs)) {
            breaches.push(format!("`{name}` has no example"));
        }
    }
    no_breach(
        "What is at the top of `tilewise` shows its use in a block of its documentation that is run and asserts something:",
        &breaches,
    );
}

#[test]
fn every_name_of_cpp_amp_is_found_by_searching() {
    let mut all = items("tilewise/src");
    all.extend(items("macros/src"));
    let mut breaches = Vec::new();
    for (name, path) in NAMES {
        let found: Vec<&Item> = all.iter().filter(|item| item.path == *path && item.is_public).collect();
        let own = path.rsplit("::").next().unwrap_or(path);
        let known =
            own.eq_ignore_ascii_case(name) || found.iter().any(|item| item.aliases.iter().any(|alias| alias == name));
        if found.is_empty() {
            breaches.push(format!("`{path}` does not exist: where is `{name}`?"));
        } else if !known {
            breaches.push(format!("`{path}` needs `#[doc(alias = \"{name}\")]`"));
        }
    }
    let vectors = read("tilewise/src/vector/mod.rs");
    for name in VECTORS.iter().flat_map(|scalar| (2..=4).map(move |width| format!("{scalar}_{width}"))) {
        if !vectors.contains(&format!("\"{name}\"")) {
            breaches.push(format!("tilewise/src/vector/mod.rs: the list of vectors does not name `{name}`"));
        }
    }
    if !read("tilewise/src/vector/types.rs").contains("#[doc(alias = $alias)]") {
        breaches.push("tilewise/src/vector/types.rs: the names of vectors in C++ AMP are not handed on".to_owned());
    }
    no_breach("Each name of C++ AMP leads to what it became, by its own name or an alias:", &breaches);
}

#[test]
fn items_are_read_with_what_is_said_of_them() {
    let source = "
        /// A pair.
        #[doc(alias = \"couple\")]
        pub struct Pair<T>(T, T);
        impl<T> Pair<T> { both! {
            /// ```
            /// assert!(true);
            /// ```
            #[doc(alias(\"a\", \"b\"))]
            pub const fn first[first_marked: X](self) -> T { self.0 }
        } fn inner(&self) {} }
        impl<T> From<T> for Pair<T> { fn from(of: T) -> Self { of } }
        pub enum Kind { #[doc(alias = \"nothing\")] None, Some(u32) }
        mod apart { pub(crate) struct Hidden; }
    ";
    let mut found = Vec::new();
    walk(source.parse().expect("it is Rust"), "", &mut found);
    let shown = |item: &Item| format!("{} {}", item.path, item.aliases.join(" ")).trim().to_owned();
    let shown: Vec<String> = found.iter().map(shown).collect();
    let expected = ["Pair couple", "Pair::first a b", "Pair::inner", "Pair::from", "Kind", "Kind::None nothing"];
    assert_eq!(shown[..6], expected);
    assert!(has_example(&found[1].docs) && !has_example(&found[0].docs));
    assert!(found.iter().any(|item| item.path == "Hidden" && !item.is_public));
    assert!(!has_example("```text\nassert\n```\nassert"));
}
