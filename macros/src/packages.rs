//! The names of a package's dependencies.
//!
//! An import cannot distinguish a function from a dependency of the same name (`half`, `log`), so a
//! call of such a function is expanded without one.

use std::sync::OnceLock;

/// The manifest of the package being compiled, with `_` for `-` as in code; empty if there is none.
fn manifest() -> &'static str {
    static MANIFEST: OnceLock<String> = OnceLock::new();
    MANIFEST.get_or_init(|| {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(std::path::PathBuf::from);
        let text = folder.and_then(|folder| std::fs::read_to_string(folder.join("Cargo.toml")).ok());
        text.unwrap_or_default().replace('-', "_")
    })
}

/// May a dependency have this name?
pub(crate) fn named(name: &str) -> bool {
    ["core", "std", "alloc"].contains(&name) || mentions(manifest(), name)
}

/// Does a manifest have a key of this name? A false positive does no harm.
fn mentions(manifest: &str, name: &str) -> bool {
    manifest.lines().any(|line| {
        let key = line.split(['=', ']', '#']).next().unwrap_or("");
        key.split(['.', '[', ' ', '"']).any(|part| part == name)
    })
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn dependencies_are_found_however_they_are_written() {
        for line in ["half = \"2\"", "half.workspace = true", "[dependencies.half]", "\"half\" = { version = \"2\" }"] {
            assert!(mentions(&format!("[package]\n{line}\n"), "half"), "{line}");
        }
        assert!(!mentions("[package]\nname = \"half\"\nhalves = \"1\"\n", "half"));
    }
}
