//! The file tests that are embedded in the library at build time.

/// Name (`group/name.kir`) and text of every file test, sorted by name.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The group of a test: the first folder of its name.
pub fn group(name: &str) -> &str {
    name.split_once('/').map_or("", |(group, _)| group)
}

/// Does `name` match `pattern`? `*` stands for any characters without `/`, `**` for any at all, `?`
/// for one character; a pattern without any of these matches every name that contains it.
pub fn matches(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return name.contains(pattern);
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // `fits[i]`: the pattern up to here matches the first `i` characters. Computed row by row, so
    // that no pattern takes long.
    let mut fits = vec![false; name.len() + 1];
    fits[0] = true;
    let mut at = 0;
    while let Some(&c) = pattern.get(at) {
        let double = c == '*' && pattern.get(at + 1) == Some(&'*');
        let mut next = vec![false; name.len() + 1];
        if c == '*' {
            next[0] = fits[0];
            for i in 0..name.len() {
                next[i + 1] = fits[i + 1] || next[i] && (double || name[i] != '/');
            }
        } else {
            for i in 0..name.len() {
                next[i + 1] = fits[i] && (name[i] == c || c == '?' && name[i] != '/');
            }
        }
        fits = next;
        at += if double { 2 } else { 1 };
    }
    fits[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, name, is) in [
            ("sync/*", "sync/barrier.kir", true),
            ("sync/*", "sync/deep/barrier.kir", false),
            ("**.kir", "sync/deep/barrier.kir", true),
            ("sync/**/b?rrier.kir", "sync/deep/barrier.kir", true),
            ("barrier", "sync/barrier.kir", true),
            ("*barrier", "sync/barrier.kir", false),
            ("*", "", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern, name), is, "{pattern} {name}");
        }
    }
}
