//! Words of command lines that people copy: quoted where a shell would read them otherwise.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` as one word for a POSIX shell. Control characters are escaped, which also keeps them away
/// from the terminal that shows the command.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-@:=+,%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    if !text.contains(char::is_control) {
        return Cow::Owned(format!("'{}'", text.replace('\'', "'\\''")));
    }
    let mut word = "$'".to_owned();
    for c in text.chars() {
        match c {
            '\'' | '\\' => word.extend(['\\', c]),
            // Each byte, in octal with three digits: no digit behind it can belong to it. Writing to
            // a `String` cannot fail.
            c if c.is_control() => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| _ = write!(word, "\\{byte:03o}"));
            }
            c => word.push(c),
        }
    }
    Cow::Owned(word + "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (text, word) in [
            ("sync/tile_sum.kir", "sync/tile_sum.kir"),
            ("größe.kir", "größe.kir"),
            ("", "''"),
            ("a b.kir", "'a b.kir'"),
            ("it's $HOME;*", "'it'\\''s $HOME;*'"),
            ("\u{1b}[31mred'\n", "$'\\033[31mred\\'\\012'"),
            ("~", "'~'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }

    /// A shell reads each word as the text that it was made of.
    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_same_text() {
        for text in ["a b", "it's", "$(exit 3) `x` \"y\" \\", "*", "", "ä!"] {
            let printed = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", shell_word(text))])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(printed.stdout).unwrap(), text);
        }
    }
}
