//! NumPy's format: a header in the form of a Python dictionary, then the numbers.

use tilewise::ir::launch::element_count;
use tilewise::ir::types::Stored;

/// What is wrong with a file, and what to do.
pub(super) struct NpyError(pub(super) String, pub(super) String);

fn wrong(message: impl Into<String>, help: &str) -> NpyError {
    NpyError(message.into(), help.to_owned())
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy's name of a type, without the order of its bytes.
const fn code(stored: Stored) -> &'static str {
    match stored {
        Stored::Bool => "b1",
        Stored::I8 => "i1",
        Stored::U8 => "u1",
        Stored::I16 => "i2",
        Stored::U16 => "u2",
        Stored::I32 => "i4",
        Stored::U32 => "u4",
        Stored::I64 => "i8",
        Stored::U64 => "u8",
        Stored::F16 => "f2",
        Stored::F32 => "f4",
        Stored::F64 => "f8",
    }
}

/// What NumPy calls a type in programs.
pub(super) const fn dtype(stored: Stored) -> &'static str {
    match stored {
        Stored::Bool => "bool",
        Stored::I8 => "int8",
        Stored::U8 => "uint8",
        Stored::I16 => "int16",
        Stored::U16 => "uint16",
        Stored::I32 => "int32",
        Stored::U32 => "uint32",
        Stored::I64 => "int64",
        Stored::U64 => "uint64",
        Stored::F16 => "float16",
        Stored::F32 => "float32",
        Stored::F64 => "float64",
    }
}

/// Shape, type and bits of the numbers in a file.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<u64>, Stored, Vec<u64>), NpyError> {
    const AGAIN: &str = "write it with `numpy.save`";
    let no_file = || wrong("it is no file of NumPy's: it does not begin as one", AGAIN);
    let cut_off = || wrong("it ends before its header does", "the file was cut off: save it again");
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(no_file)?;
    let (&[major, _], rest) = rest.split_first_chunk::<2>().ok_or_else(cut_off)?;
    let (length, rest) = match major {
        1 => rest.split_first_chunk::<2>().map(|(length, rest)| (usize::from(u16::from_le_bytes(*length)), rest)),
        2 | 3 => rest.split_first_chunk::<4>().map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest)),
        _ => return Err(wrong(format!("it has version {major} of NumPy's format, and 1 to 3 are known"), AGAIN)),
    }
    .ok_or_else(cut_off)?;
    let (header, data) = rest.split_at_checked(length).ok_or_else(cut_off)?;
    let header = std::str::from_utf8(header).map_err(|_| wrong("its header is no text", AGAIN))?;
    let field = |name: &str| {
        field(header, name).map_err(|count| wrong(format!("its header says {count} times what its `{name}` is"), AGAIN))
    };
    let descr = field("descr")?;
    let Some(descr) = descr.strip_prefix(['\'', '"']).and_then(|descr| descr.split(['\'', '"']).next()) else {
        return Err(wrong("its numbers are records of several fields", "save each field apart, or use a `.bin` file"));
    };
    let (order, name) = descr.split_at_checked(1).unwrap_or(("", descr));
    let stored = Stored::ALL.into_iter().find(|&stored| code(stored) == name);
    let Some(stored) = stored.filter(|_| matches!(order, "<" | ">" | "|" | "=")) else {
        let message = format!("it holds `{descr}`, which no kernel has");
        return Err(wrong(message, "convert it: `a.astype('float32')`"));
    };
    let order_of_dimensions = field("fortran_order")?;
    if order_of_dimensions.starts_with("True") {
        return Err(wrong("its first dimension runs fastest", "save `numpy.ascontiguousarray(a)`"));
    }
    if !order_of_dimensions.starts_with("False") {
        return Err(wrong("its `fortran_order` is neither `True` nor `False`", AGAIN));
    }
    let no_shape = || wrong("its `shape` is no list of sizes", AGAIN);
    let shape = field("shape")?;
    let shape = shape.strip_prefix('(').and_then(|shape| shape.split_once(')')).ok_or_else(no_shape)?.0;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes: Result<Vec<u64>, _> = sizes.map(|size| size.trim_end_matches('L').parse::<u64>()).collect();
    let sizes = sizes.map_err(|_| no_shape())?;
    let count = element_count(sizes.iter().copied()).ok_or_else(no_shape)?;
    let size = stored.size() as usize;
    if (data.len() as u64) != count.saturating_mul(size as u64) {
        let message = format!("its header tells of {count} numbers of {size} bytes, and {} bytes follow", data.len());
        return Err(wrong(message, "the file was cut off, or something was added: save it again"));
    }
    let bits = data.chunks_exact(size).map(|bytes| {
        let fold = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        if order == ">" { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) }
    });
    Ok((sizes, stored, bits.collect()))
}

/// What follows the name of a field; the error is how often the header has it.
fn field<'t>(header: &'t str, name: &str) -> Result<&'t str, usize> {
    let quoted = ['\'', '"'].map(|quote| format!("{quote}{name}{quote}"));
    let places = quoted.iter().flat_map(|quoted| header.match_indices(quoted.as_str()));
    let fields = places.filter_map(|(at, found)| header[at + found.len()..].trim_start().strip_prefix(':'));
    match fields.collect::<Vec<&str>>().as_slice() {
        [only] => Ok(only.trim_start()),
        several => Err(several.len()),
    }
}

/// A file of these numbers.
pub(super) fn write(shape: &[u64], stored: Stored, bits: &[u64]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let order = if stored.size() == 1 { '|' } else { '<' };
    let mut header =
        format!("{{'descr': '{order}{}', 'fortran_order': False, 'shape': ({}), }}", code(stored), sizes.trim_end());
    // The numbers begin at a multiple of 64.
    let before = MAGIC.len() + 4;
    let padding = (before + header.len() + 1).next_multiple_of(64) - before - header.len() - 1;
    header += &" ".repeat(padding);
    header.push('\n');
    let mut out = MAGIC.to_vec();
    // Shapes have few dimensions, so the length fits.
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    let size = stored.size() as usize;
    bits.iter().for_each(|bits| out.extend(&bits.to_le_bytes()[..size]));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for stored in Stored::ALL {
            let most = i32::MAX as u64;
            for shape in [vec![], vec![3], vec![2, 3], vec![0], vec![most, 0], vec![most, most, most, 0]] {
                let count = element_count(shape.iter().copied()).expect("few elements");
                let bits: Vec<u64> = (0..count).map(|i| if stored == Stored::Bool { i & 1 } else { i + 1 }).collect();
                let bytes = write(&shape, stored, &bits);
                assert_eq!((bytes.len() - bits.len() * stored.size() as usize) % 64, 0);
                let Ok(back) = read(&bytes) else { panic!("{stored} {shape:?}") };
                assert_eq!(back, (shape, stored, bits));
            }
        }
    }

    #[test]
    fn the_other_order_of_bytes_is_read() {
        let mut bytes = write(&[1], Stored::U32, &[0x0102_0304]);
        let at = bytes.iter().position(|&byte| byte == b'<').expect("it names an order");
        bytes[at] = b'>';
        let Ok((_, _, bits)) = read(&bytes) else { panic!("it is read") };
        assert_eq!(bits, [0x0403_0201]);
    }

    #[test]
    fn files_that_are_none_are_refused() {
        let good = write(&[2], Stored::F32, &[1, 2]);
        let cut = &good[..good.len() - 1];
        let text = |from: &str, to: &str| String::from_utf8_lossy(&good).replace(from, to).into_bytes();
        for (bytes, word) in [
            (b"1 2 3".to_vec(), "no file of NumPy's"),
            (cut.to_vec(), "7 bytes follow"),
            (good[..20].to_vec(), "ends before its header"),
            ([MAGIC, &[1, 0, 255, 255]].concat(), "ends before its header"),
            ([MAGIC, &[9, 0], &good[MAGIC.len() + 2..]].concat(), "version 9"),
        ] {
            let Err(NpyError(message, _)) = read(&bytes) else { panic!("{word}") };
            assert!(message.contains(word), "{message}");
        }
        // A lossy text has other bytes at its beginning.
        let edited = |from: &str, to: &str| [MAGIC, &text(from, to)[MAGIC.len() + 2..]].concat();
        let Err(NpyError(message, _)) = read(&edited("'<f4'", "'<c4'")) else { panic!("complex numbers") };
        assert!(message.contains("which no kernel has"), "{message}");
        for (from, to, word) in [
            ("descr", "decsr", "says 0 times what its `descr` is"),
            ("'shape': (2,), }          ", "'shape': (2,), 'shape': ()}", "says 2 times what its `shape` is"),
            ("False", "Flase", "neither `True` nor `False`"),
            ("(2,)", "(x,)", "no list of sizes"),
        ] {
            let Err(NpyError(message, _)) = read(&edited(from, to)) else { panic!("{word}") };
            assert!(message.contains(word), "{message}");
        }
        let Err(NpyError(message, _)) = read(&edited("False", "True ")) else { panic!("another order") };
        assert!(message.contains("runs fastest"), "{message}");
    }
}
