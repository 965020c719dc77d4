//! Which views overlap: those that share an element, whatever their rank, type of element and way of being made (AV-22 of the catalogue: 33 cases, rank 1 to 5, numbers and structs).

use tilewise::vector::Float3;
use tilewise::{Above, ArrayView, Element, Rank};

/// One case: what it is, whether they overlap, both ways.
fn case<T: Element, U: Element, const N: usize, const M: usize>(
    what: &str,
    expected: bool,
    a: &ArrayView<'_, T, N>,
    b: &ArrayView<'_, U, M>,
) {
    assert_eq!(a.overlaps(b), expected, "{what}");
    assert_eq!(b.overlaps(a), expected, "{what}, the other way round");
    assert!(a.overlaps(a) && b.as_read_only().overlaps(b), "{what}: a view overlaps itself");
}

fn home<T: Element, const N: usize>(extent: [i32; N]) -> ArrayView<'static, T, N> {
    ArrayView::without_source(extent).expect("there is memory")
}

fn row<const N: usize, const M: usize>(view: &ArrayView<'static, f32, N>, i: i32) -> ArrayView<'static, f32, M>
where
    Rank<N>: Above<M>,
{
    view.project(i)
}

#[test]
fn rank_1() {
    let v = home::<f32, 1>([100]);
    case("1 the whole and a part", true, &v, &v.section(10, 5));
    case("2 parts apart", false, &v.section(0, 10), &v.section(20, 10));
    case("3 parts side by side", false, &v.section(0, 10), &v.section(10, 10));
    case("4 parts with one element in common", true, &v.section(0, 11), &v.section(10, 10));
    case("5 one part inside the other", true, &v.section(0, 50), &v.section(20, 1));
    case("6 the same part twice", true, &v.section(7, 3), &v.section_from(7).section_to(3));
    case("7 sections of sections apart", false, &v.section(10, 40).section(0, 5), &v.section(10, 40).section(5, 5));
    case("8 two homes of the same extent", false, &v, &home::<f32, 1>([100]));
}

#[test]
fn rank_2() {
    let v = home::<f32, 2>([10, 10]);
    case("9 left half and right half", false, &v.section((0, 0), (10, 5)), &v.section((0, 5), (10, 5)));
    case("10 left half and a right half one wider", true, &v.section((0, 0), (10, 5)), &v.section((0, 4), (10, 6)));
    case("11 upper half and lower half", false, &v.section((0, 0), (5, 10)), &v.section((5, 0), (5, 10)));
    case("12 corners that touch", false, &v.section((0, 0), (5, 5)), &v.section((5, 5), (5, 5)));
    case("13 corners with one element in common", true, &v.section((0, 0), (6, 6)), &v.section((5, 5), (5, 5)));
    case("14 a cross", true, &v.section((4, 0), (2, 10)), &v.section((0, 4), (10, 2)));
    case("15 rows in the gaps of a comb", false, &v.section((0, 0), (10, 3)), &v.section((2, 3), (3, 7)));
    case("16 a row and the section that it crosses", true, &row::<2, 1>(&v, 3), &v.section((2, 2), (3, 3)));
    case("17 a row and the section below", false, &row::<2, 1>(&v, 3), &v.section((4, 0), (3, 3)));
}

#[test]
fn rank_3() {
    let v = home::<f32, 3>([4, 5, 6]);
    case("18 two planes", false, &row::<3, 2>(&v, 0), &row::<3, 2>(&v, 1));
    case("19 a plane and a column through it", true, &row::<3, 2>(&v, 2), &v.section((0, 2, 3), (4, 1, 1)));
    case("20 columns side by side", false, &v.section((0, 2, 3), (4, 1, 1)), &v.section((0, 2, 4), (4, 1, 1)));
    case(
        "21 boxes apart in the middle dimension",
        false,
        &v.section((0, 0, 0), (4, 2, 6)),
        &v.section((0, 2, 0), (4, 3, 6)),
    );
    case("22 boxes with a corner in common", true, &v.section((0, 0, 0), (2, 2, 2)), &v.section((1, 1, 1), (3, 4, 5)));
}

#[test]
fn rank_4_and_5() {
    let four = home::<i32, 4>([3, 3, 3, 3]);
    let corner = four.section([0, 0, 0, 0], [2, 2, 2, 2]);
    case("23 opposite corners of rank 4", true, &corner, &four.section([1, 1, 1, 1], [2, 2, 2, 2]));
    case("24 apart in the third dimension only", false, &corner, &four.section([0, 0, 2, 0], [2, 2, 1, 2]));
    case("25 one element", true, &corner, &four.section([1, 1, 1, 1], [1, 1, 1, 1]));
    let five = home::<u8, 5>([2, 3, 2, 3, 2]);
    let low = five.section([0, 0, 0, 0, 0], [2, 2, 1, 2, 2]);
    case("26 rank 5, apart in one dimension", false, &low, &five.section([0, 0, 1, 0, 0], [2, 3, 1, 3, 2]));
    case("27 rank 5, one element in common", true, &low, &five.section([1, 1, 0, 1, 1], [1, 2, 2, 2, 1]));
}

#[test]
fn other_types_and_shapes() {
    let v = home::<f32, 1>([60]);
    let structs = v.reinterpret_as::<Float3>();
    case("28 a struct and its own numbers", true, &structs.section(2, 1), &v.section(8, 1));
    case("29 a struct and the number behind it", false, &structs.section(2, 1), &v.section(9, 3));
    case("30 bytes of the last number", true, &v.reinterpret_as::<u8>().section(239, 1), &v.section(59, 1));
    let (table, other) = (v.view_as((6, 10)), v.view_as((10, 6)));
    case("31 columns of tables of two widths", true, &table.section((0, 0), (6, 1)), &other.section((0, 0), (10, 1)));
    // Elements 1, 11, 21, .., 51 against 0, 6, 12, .., 54.
    case("32 columns that miss each other", false, &table.section((0, 1), (6, 1)), &other.section((0, 0), (10, 1)));
    let pairs = table.section((0, 8), (6, 2));
    case("33 a wide column of structs", true, &pairs, &structs.view_as((5, 4)).section((1, 2), (3, 1)));
}
