//! Names similar to a misspelt one.

/// Limit on the cells of distance tables that the hints of a file may compute together. Names of a usual
/// length take some hundred each.
const MAX_CELLS: u64 = 1 << 22;

/// Finds similar names, until it has done so much work for a file that it gives no more hints.
#[derive(Default)]
pub(super) struct HintFinder {
    /// Cells computed so far.
    cells: u64,
    /// Rows of the distance table, kept for their memory.
    rows: [Vec<usize>; 3],
}

impl HintFinder {
    /// Whether there are no more hints for the file, so that nobody has to list candidates.
    pub(super) fn is_spent(&self) -> bool {
        self.cells > MAX_CELLS
    }

    /// The candidate nearest to `wanted`, if one is near enough to be a likely intention; the first, if
    /// several are.
    pub(super) fn nearest<'c>(
        &mut self,
        wanted: &str,
        candidates: &mut dyn Iterator<Item = &'c str>,
    ) -> Option<&'c str> {
        // Long words are ignored: the cost is quadratic in the length.
        if wanted.len() > 64 {
            return None;
        }
        let length = wanted.chars().count();
        let limit = match length {
            0..=2 => 1,
            3..=5 => 2,
            n => n / 3,
        };
        let lower = lower_case(wanted);
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            self.cells += 1;
            if candidate.len() > 64 || candidate == wanted || candidate.len().abs_diff(wanted.len()) > limit {
                continue;
            }
            if self.is_spent() {
                return None;
            }
            let most = match best {
                Some((0, _)) => break,
                Some((distance, _)) => distance - 1,
                None => limit,
            };
            // A different single letter is no useful hint.
            let different = |d: usize| d >= candidate.chars().count().max(length);
            if let Some(distance) = self.distance(&lower, &lower_case(candidate), most).filter(|&d| !different(d)) {
                best = Some((distance, candidate));
            }
        }
        best.map(|best| best.1)
    }

    /// The edit distance if it is at most `most`: insertions, deletions, substitutions and transpositions.
    fn distance(&mut self, a: &[char], b: &[char], most: usize) -> Option<usize> {
        // The row before the last one, the last one, and the one being computed.
        let [before, last, row] = &mut self.rows;
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.push(i);
            for j in 1..=b.len() {
                let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(before[j - 2] + 1);
                }
                row.push(best);
            }
            self.cells += row.len() as u64;
            // All that follows is at least as far as the nearer of two rows: a transposition skips one.
            if row.iter().chain(&*last).all(|&distance| distance > most) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last.last().copied().filter(|&distance| distance <= most)
    }
}

/// A change of case counts nothing.
fn lower_case(name: &str) -> Vec<char> {
    name.to_lowercase().chars().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        let names = ["extent", "section", "partial", "x"];
        let nearest = |wanted: &str| HintFinder::default().nearest(wanted, &mut names.into_iter());
        assert_eq!(nearest("extnet"), Some("extent"));
        assert_eq!(nearest("Partial"), Some("partial"));
        assert_eq!(nearest("y"), None);
        assert_eq!(nearest("row"), None);
    }

    #[test]
    fn hints_end_when_they_have_taken_much_work() {
        let names: Vec<String> = (0..500).map(|i| format!("a_long_name_with_a_number_{i:05}")).collect();
        let names = || names.iter().map(String::as_str);
        let mut hints = HintFinder::default();
        assert_eq!(
            hints.nearest("a_long_name_with_a_numbre_00000", &mut names()),
            Some("a_long_name_with_a_number_00000")
        );
        let last = (0..100).map(|_| hints.nearest("a_lung_nime_wath_a_nember_fghij", &mut names())).last();
        assert_eq!(last, Some(None));
        assert!(hints.cells < MAX_CELLS + 2000, "{}", hints.cells);
    }
}
