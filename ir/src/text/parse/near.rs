//! Names similar to a misspelt one.

/// The candidate nearest to `wanted`, if one is near enough to be a likely intention.
pub(super) fn nearest<'c>(wanted: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    // Long words are ignored: the cost is quadratic in the length.
    if wanted.len() > 64 {
        return None;
    }
    let limit = match wanted.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        n => n / 3,
    };
    candidates
        .filter(|c| c.len() <= 64 && *c != wanted && c.len().abs_diff(wanted.len()) <= limit)
        .map(|c| (distance(wanted, c), c))
        // A different single letter is no useful hint.
        .filter(|(d, c)| *d <= limit && *d < c.chars().count().max(wanted.chars().count()))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// The edit distance: insertions, deletions, substitutions and transpositions; a change of case
/// counts nothing.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        let names = ["extent", "section", "partial", "x"];
        assert_eq!(nearest("extnet", names.into_iter()), Some("extent"));
        assert_eq!(nearest("Partial", names.into_iter()), Some("partial"));
        assert_eq!(nearest("y", names.into_iter()), None);
        assert_eq!(nearest("row", names.into_iter()), None);
    }
}
