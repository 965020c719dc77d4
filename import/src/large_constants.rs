//! Constants of very many parts, found in the text before naga reads it: naga copies all parts of a constant to each
//! function that names it, and a constant that is made of two others is as large as both.

use std::collections::HashMap;
use std::mem;
use std::ops::Range;

/// Parts of the constants of a text, each counted wherever it is named.
pub(crate) const MAX_CONSTANT_PARTS: u64 = 1 << 22;

/// How often constants are added up that name one another. Those of functions may: a name may be declared again.
const ROUNDS: usize = 64;

/// Gives the words and marks of a text, in order.
pub(crate) type GivesTokens<'r, 't> = &'r dyn Fn(&mut dyn FnMut(Range<usize>, &'t str));

/// Where a text names a constant that is one too many.
pub(crate) fn large_constant(tokens: GivesTokens<'_, '_>) -> Option<Range<usize>> {
    let mut constants = DeclaredConstants::default();
    tokens(&mut |_, text| constants.token(text));
    let parts = constants.parts();
    let (mut all, mut found, mut is_field) = (0_u64, None, false);
    tokens(&mut |place, text| {
        if !mem::replace(&mut is_field, text == ".")
            && let Some(node) = constants.names.get(text)
        {
            all = all.saturating_add(parts[*node]);
            if all > MAX_CONSTANT_PARTS && found.is_none() {
                found = Some(place);
            }
        }
    });
    found
}

/// A declaration, or a name with all its declarations.
#[derive(Default)]
struct ConstantNode {
    is_name: bool,
    /// The words of a declaration.
    words: u64,
    /// The names of a declaration, as often as they stand there; the declarations of a name.
    of: Vec<usize>,
}

/// The constants of a text.
#[derive(Default)]
struct DeclaredConstants<'t> {
    names: HashMap<&'t str, usize>,
    nodes: Vec<ConstantNode>,
    /// The words of each declaration, until all names are known.
    words: Vec<(usize, Vec<&'t str>)>,
    open: Option<OpenDeclaration<'t>>,
}

/// A declaration that is being read.
#[derive(Default)]
struct OpenDeclaration<'t> {
    names: Vec<&'t str>,
    words: Vec<&'t str>,
    /// The word that is the name if `=` follows; a type may stand before it, or behind it and a colon.
    last: Option<&'t str>,
    has_type: bool,
    /// Whether another name may follow, behind a comma.
    is_next: bool,
    depth: usize,
}

impl<'t> DeclaredConstants<'t> {
    fn token(&mut self, text: &'t str) {
        let Some(open) = &mut self.open else {
            if text == "const" {
                self.open = Some(OpenDeclaration { is_next: true, ..OpenDeclaration::default() });
            }
            return;
        };
        match text {
            "(" | "[" | "{" => open.depth += 1,
            ")" | "]" | "}" => match open.depth.checked_sub(1) {
                Some(depth) => open.depth = depth,
                // A parameter.
                None => self.open = None,
            },
            ":" if open.depth == 0 => open.has_type = true,
            "," if open.depth == 0 => open.is_next = true,
            "=" if open.depth == 0 && open.is_next => {
                // A declaration does not name itself, nor are its types of interest.
                let name = open.last.take();
                if open.names.is_empty() {
                    open.words.clear();
                } else if let Some(at) = open.words.iter().rposition(|&word| Some(word) == name) {
                    open.words.remove(at);
                }
                open.names.extend(name);
                (open.has_type, open.is_next) = (false, false);
            }
            ";" => self.close(),
            word if word.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                if open.depth == 0 && !open.has_type && !word.starts_with(|c: char| c.is_ascii_digit()) {
                    open.last = Some(word);
                }
                open.words.push(word);
            }
            _ => {}
        }
    }

    /// Ends a declaration.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let declaration = self.nodes.len();
        self.nodes.push(ConstantNode::default());
        for name in open.names {
            let next = self.nodes.len();
            let node = *self.names.entry(name).or_insert(next);
            if node == next {
                self.nodes.push(ConstantNode { is_name: true, ..ConstantNode::default() });
            }
            self.nodes[node].of.push(declaration);
        }
        self.words.push((declaration, open.words));
    }

    /// The parts of each node.
    fn parts(&mut self) -> Vec<u64> {
        for (declaration, words) in mem::take(&mut self.words) {
            let node = &mut self.nodes[declaration];
            node.words = words.len() as u64 + 1;
            node.of = words.iter().filter_map(|word| self.names.get(word).copied()).collect();
        }
        let mut users = vec![Vec::new(); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            node.of.iter().for_each(|&of| users[of].push(i));
        }
        let mut missing: Vec<usize> = self.nodes.iter().map(|node| node.of.len()).collect();
        let mut ready: Vec<usize> = (0..missing.len()).filter(|&i| missing[i] == 0).collect();
        let mut parts = vec![1; self.nodes.len()];
        while let Some(i) = ready.pop() {
            parts[i] = self.parts_of(i, &parts);
            for &user in &users[i] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push(user);
                }
            }
        }
        let rest: Vec<usize> = (0..missing.len()).filter(|&i| missing[i] > 0).collect();
        for _ in 0..ROUNDS {
            for &i in &rest {
                parts[i] = self.parts_of(i, &parts);
            }
        }
        parts
    }

    fn parts_of(&self, i: usize, parts: &[u64]) -> u64 {
        let node = &self.nodes[i];
        let of = node.of.iter().map(|&of| parts[of]);
        if node.is_name { of.max().unwrap_or(1) } else { of.fold(node.words, u64::saturating_add) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words_and_marks;

    fn is_large(text: &str) -> bool {
        large_constant(&|each| words_and_marks(text, each)).is_some()
    }

    /// Constants each of which is made of two of the one before, by `next`.
    fn doubled(count: usize, next: impl Fn(usize) -> String) -> Vec<String> {
        (1..count).map(next).collect()
    }

    #[test]
    fn constants_of_constants_are_added_up() {
        let array = |i: usize| format!("const a{i} = array(a{0}, a{0});", i - 1);
        let typed = |i: usize| format!("const a{i}: array<array<u32, 2>, 2>=array(a{0}, a{0});", i - 1);
        let glsl = |i: usize| format!("const A{i} a{i} = A{i}(a{0}, a{0});", i - 1);
        let several = |i: usize| format!("const uint b{i} = 1u, a{i}[2] = uint[](a{0}, a{0});", i - 1);
        for next in [&array as &dyn Fn(usize) -> String, &typed, &glsl, &several] {
            for (count, large) in [(10, false), (28, true)] {
                let mut all = doubled(count, next);
                assert_eq!(is_large(&all.join(" ")), large, "{}", all[1]);
                all.reverse();
                assert_eq!(is_large(&all.join("\n")), large, "{}", all[1]);
            }
        }
        let shadowing = "{ const a = array(a, a); ".repeat(30);
        assert!(is_large(&shadowing));
        assert!(!is_large("fn f() { const a = b; } fn g() { const b = a; const c = c + 1; }"));
    }

    #[test]
    fn tables_may_be_large_and_named_often() {
        let table = format!("const t = array({});", "1.5, ".repeat(10_000));
        assert!(!is_large(&format!("{table} fn f() {{ {} }}", "x += t[i]; ".repeat(100))));
        assert!(is_large(&format!("{table} fn f() {{ {} }}", "x += t[i]; ".repeat(1000))));
        assert!(!is_large(&format!("{table} fn f(const A t) {{ {} }}", "x += v.t; /* t */ ".repeat(1000))));
    }
}
