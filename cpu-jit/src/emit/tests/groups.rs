//! Loads and stores that together cover rows: the members of structs, a thread's run of elements.

use tilewise_ir::types::Stored;

use super::{
    AddressStep, CodeForm, LaneAddress, LaneProgram, MemorySpace, Test, address, aligned, bytes, noise, pointer, run_on,
};

/// Without wide code, lanes end at 16.
fn widths() -> Vec<u32> {
    let longer = CodeForm::Avx2.is_native().then_some([32, 64]);
    [1, 4, 8, 16].into_iter().chain(longer.into_iter().flatten()).collect()
}

const FORMATS: [Stored; 4] = [Stored::F32, Stored::I32, Stored::F64, Stored::U64];

/// A row of `count` elements in each lane, the element of this place in it.
fn member(test: &Test, space: u16, stored: Stored, count: usize, place: usize) -> LaneAddress {
    let size = i64::from(stored.size());
    let base = if space == 0 { test.from } else { test.to };
    let along = AddressStep::Step(count as i64 * size);
    let displacement = place as i64 * size;
    LaneAddress { displacement, ..address(MemorySpace::Buffer(space), base, along, stored) }
}

/// The second buffer after a run of the program on each form of code, which must be the same.
fn ran(program: &LaneProgram, input: &[u8], output: &[u8]) -> Vec<u8> {
    let takes = |form: &CodeForm| form.is_native() && (*form != CodeForm::Cranelift || program.width <= 16);
    let mut results = CodeForm::ALL.into_iter().filter(takes).map(|form| {
        let (from, to) = (aligned(input), aligned(output));
        assert_eq!(run_on(form, program, &[pointer(&from), pointer(&to)], [0; 4], 0, 0).0, 0);
        (form, bytes(&to)[..output.len()].to_vec())
    });
    let (_, first) = results.next().expect("there is code for this width");
    results.for_each(|(form, result)| assert!(result == first, "{form:?} differs: {program}"));
    first
}

/// Each width, format and number of elements in a row.
fn all() -> impl Iterator<Item = (u32, Stored, usize)> {
    let rows = |width| FORMATS.into_iter().flat_map(move |stored| (2..=17).map(move |count| (width, stored, count)));
    widths().into_iter().flat_map(rows)
}

/// Puts the elements of each row in other places, by groups of loads and of stores in any order.
#[test]
fn rows_are_loaded_and_stored_whole_in_any_order() {
    for (width, stored, count) in all() {
        let mut test = Test::new(width);
        let in_order = |k: usize| (k * 7 + 3) % count;
        // Seven has no factor in common with the other counts.
        let in_order: Vec<usize> =
            (0..count).map(|k| if count % 7 == 0 { count - 1 - k } else { in_order(k) }).collect();
        let loaded: Vec<_> =
            in_order.iter().map(|&place| (place, test.b.load(member(&test, 0, stored, count, place), None))).collect();
        for (place, value) in loaded {
            test.store(member(&test, 1, stored, count, (place + 1) % count), value, None);
        }
        let (size, rows) = (stored.size() as usize, width as usize * count);
        let input = noise(5, rows * size);
        let output = ran(&test.finish(), &input, &vec![0x77; rows * size + 64]);
        for (at, element) in output.chunks(size).enumerate() {
            let expected = match at / count {
                row if row < width as usize => {
                    &input[(row * count + (at % count + count - 1) % count) * size..][..size]
                }
                _ => &[0x77; 8][..size],
            };
            assert_eq!(element, expected, "element {at}, {width} rows of {count} {stored}");
        }
    }
}

/// Parts of long rows, as many elements as a vector may have lanes, from any place on.
#[test]
fn parts_of_long_rows_are_loaded() {
    for (width, stored) in widths().into_iter().flat_map(|width| FORMATS.map(|stored| (width, stored))) {
        for (count, first, row) in [2, 4, 8, 16].into_iter().flat_map(|n| [(n, 0, 40), (n, 3, 35), (n, 1, n + 1)]) {
            let mut test = Test::new(width);
            let order: Vec<usize> = (0..count).map(|k| if first == 3 { k } else { count - 1 - k }).collect();
            let load = |place| (place, member(&test, 0, stored, row, first + place));
            let places: Vec<_> = order.into_iter().map(load).collect();
            let loaded: Vec<_> = places.into_iter().map(|(place, at)| (place, test.b.load(at, None))).collect();
            for (place, value) in loaded {
                test.store(member(&test, 1, stored, count, place), value, None);
            }
            let (size, rows) = (stored.size() as usize, width as usize);
            let input = noise(7, rows * row * size);
            let output = ran(&test.finish(), &input, &vec![0; rows * count * size]);
            for (at, element) in output.chunks(size).enumerate() {
                let expected = &input[(at / count * row + first + at % count) * size..][..size];
                assert_eq!(element, expected, "element {at}, {width} parts of {count} from {first} of {row} {stored}");
            }
        }
    }
}

/// Not every element of a row is read.
#[test]
fn rows_are_loaded_without_some_of_their_elements() {
    for (width, stored, count) in all() {
        for read in [[0, count - 1], [0, count / 2], [count / 2, count - 1]] {
            let mut test = Test::new(width);
            let values = read.map(|place| test.b.load(member(&test, 0, stored, count, place), None));
            for (place, value) in values.into_iter().enumerate() {
                test.store(member(&test, 1, stored, 2, place), value, None);
            }
            let (size, rows) = (stored.size() as usize, width as usize);
            let input = noise(9, rows * count * size);
            let output = ran(&test.finish(), &input, &vec![0; rows * 2 * size]);
            for (at, element) in output.chunks(size).enumerate() {
                let expected = &input[(at / 2 * count + read[at % 2]) * size..][..size];
                assert_eq!(element, expected, "element {at}, {width} rows of {count} {stored}, {read:?} are read");
            }
        }
    }
}

/// What is stored between loads is seen by the later ones, and what is loaded between stores is what
/// the earlier ones stored.
#[test]
fn accesses_of_one_memory_keep_their_order() {
    for (width, stored, count) in all() {
        let mut test = Test::new(width);
        for place in 0..count {
            let value = test.b.load(member(&test, 1, stored, count, place), None);
            test.store(member(&test, 1, stored, count, (place + 1) % count), value, None);
        }
        // The last store of two to one place remains.
        let again = test.b.load(member(&test, 0, stored, count, 0), None);
        test.store(member(&test, 1, stored, count, 1), again, None);
        let (size, rows) = (stored.size() as usize, width as usize * count);
        let (input, before) = (noise(3, rows * size), noise(4, rows * size));
        let output = ran(&test.finish(), &input, &before);
        for (row, elements) in output.chunks(count * size).enumerate() {
            let first = &before[row * count * size..][..size];
            for (place, element) in elements.chunks(size).enumerate() {
                let expected = if place == 1 { &input[row * count * size..][..size] } else { first };
                assert_eq!(element, expected, "element {place} of row {row}, {width} rows of {count} {stored}");
            }
        }
    }
}
