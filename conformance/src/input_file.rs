//! Reads files that people name. What has no end, such as `/dev/zero`, is an error, not a process
//! without memory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The maximum number of bytes of a report, a list of cases or a file of progress.
pub const MAX_INPUT: u64 = 256 << 20;

/// The text of a file, without the byte order mark that some editors begin it with.
pub fn text(path: &Path) -> io::Result<String> {
    let bytes = bytes(path, MAX_INPUT)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is no text: byte {at} is not UTF-8"))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The bytes of a file that has at most `most`.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let path = std::env::temp_dir().join(format!("tilewise-input-{}", std::process::id()));
        std::fs::write(&path, "\u{feff}grün").unwrap();
        assert_eq!(text(&path).unwrap(), "grün");
        assert_eq!(bytes(&path, 8).unwrap().len(), 8);
        assert_eq!(bytes(&path, 7).unwrap_err().to_string(), "it has more than 7 bytes");
        std::fs::write(&path, b"gr\xfcn").unwrap();
        assert_eq!(text(&path).unwrap_err().to_string(), "it is no text: byte 2 is not UTF-8");
        std::fs::remove_file(path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_an_error() {
        assert_eq!(bytes(Path::new("/dev/zero"), 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
