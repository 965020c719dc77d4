//! The files of the peers in Python. They are part of this program, as an installed one has no sources; while it runs
//! they stand in a folder of their own, as Taichi reads the sources of its kernels from files.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// The name of each file, and its text.
const FILES: [(&str, &str); 3] = [
    ("works.py", include_str!("../../python/works.py")),
    ("numba_kernels.py", include_str!("../../python/numba_kernels.py")),
    ("taichi_kernels.py", include_str!("../../python/taichi_kernels.py")),
];

/// A temporary folder with the files, which is removed with this value.
#[derive(Debug)]
pub struct ScriptFolder(PathBuf);

impl ScriptFolder {
    /// Writes the files.
    ///
    /// # Errors
    /// If no folder can be made, or a file cannot be written.
    pub fn write() -> io::Result<ScriptFolder> {
        // Nobody else's folder: it must not exist before.
        let mut attempt = 0;
        let path = loop {
            let path = env::temp_dir().join(format!("tilewise-peers-{}-{attempt}", process::id()));
            match fs::create_dir(&path) {
                Ok(()) => break path,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        };
        let folder = ScriptFolder(path);
        FILES.iter().try_for_each(|(name, text)| fs::write(folder.file(name), text))?;
        Ok(folder)
    }

    /// The path of a file.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScriptFolder {
    fn drop(&mut self) {
        // What cannot be removed stays in a folder for temporary files.
        drop(fs::remove_dir_all(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use tilewise_peers::PeerWork;

    use super::*;

    #[test]
    fn the_files_are_there_while_the_folder_is() {
        let folder = ScriptFolder::write().expect("there is a folder for temporary files");
        let other = ScriptFolder::write().expect("there is room for a second one");
        assert_ne!(folder.path(), other.path());
        let path = folder.path().to_owned();
        assert!(fs::read_to_string(folder.file("works.py")).expect("it is there").contains("def main("));
        drop(folder);
        assert!(!path.exists() && other.path().exists());
    }

    #[test]
    fn both_peers_have_the_same_kernels() {
        let has = |work: &PeerWork| work.of_others().is_none_or(|same| same == *work);
        for name in PeerWork::ALL.into_iter().filter(has).map(PeerWork::name) {
            for (file, text) in &FILES[1..] {
                assert!(text.contains(&format!("def {name}(")), "{file} has no {name}");
            }
            assert!(FILES[0].1.contains(&format!("    \"{name}\": (of_")), "works.py has no {name}");
        }
    }
}
