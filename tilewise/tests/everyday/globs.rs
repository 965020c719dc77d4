//! Programs that import all that the crate has: no name or method of it comes between the programmer and a kernel.

use tilewise::element::*;
use tilewise::graphics::*;
use tilewise::report::*;
use tilewise::types::*;
use tilewise::vector::*;
use tilewise::*;

#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct Cell {
    parts: [[u32; 2]; 3],
    at: Int2,
}

#[derive(Clone, Copy, AmpStruct)]
struct Ring {
    cells: [[i32; 2]; 2],
}

#[amp]
impl std::ops::Index<i32> for Ring {
    type Output = [i32; 2];

    fn index(&self, at: i32) -> &[i32; 2] {
        &self.cells[(at & 1) as usize]
    }
}

#[amp]
impl std::ops::IndexMut<i32> for Ring {
    fn index_mut(&mut self, at: i32) -> &mut [i32; 2] {
        &mut self.cells[(at & 1) as usize]
    }
}

#[amp]
fn changed(mut x: [[u32; 2]; 3], at: i32) -> [[u32; 2]; 3] {
    x[at][1] = 7;
    x[at][0] += 4;
    x
}

#[test]
fn nested_arrays_are_written_with_all_names_imported() {
    super::on_all(&[72u32, 177, 272], |launch, out| {
        parallel_for_each!(launch, |i| {
            let mut x = [[1u32; 2]; 3];
            x[2][1] = i[0] as u32;
            x[i[0]][0] += 5;
            let y = changed(x, 1);
            out[i] = x[2][1] * 100 + x[i[0]][0] * 10 + y[1][1] + y[1][0];
        })
    });
}

#[test]
fn parts_of_elements_are_written_with_all_names_imported() {
    let cells = [Cell { parts: [[0, 3], [0, 0], [0, 9]], at: Int2 { x: 4, y: 6 } }; 2];
    super::on_all(&cells, |launch, out| {
        parallel_for_each!(launch, |i| {
            out[i].parts[2][1] = 9;
            out[i].parts[0][1] += 3;
            out[i].at[0] = 4;
            out[i].at.y += 6;
        })
    });
    super::on_all(&[[[0u32, 5], [2, 0]]; 3], |launch, out| {
        parallel_for_each!(launch, |i| {
            out[i][0][1] = 5;
            out[i[0]][1][0] |= 2;
        })
    });
}

#[test]
fn rows_tiles_and_types_of_ones_own_are_written_with_all_names_imported() {
    super::on_all(&[14, 16, 18, 20], |launch, out| {
        let table = ArrayView::<[i32; 2], 2>::without_source((4, 2))?;
        parallel_for_each!(launch, |i| {
            table[i[0]][1][0] = 1;
            table[i[0]][1][1] += i[0];
            table[(i[0], 0)][1] = 3;
            let mut ring = Ring { cells: [[0; 2]; 2] };
            ring[3][1] = 6;
            ring[5][1] += 7;
            let mut place = i;
            place[0] += table[(i[0], 1)][1];
            out[i] = ring[1][1] + table[(i[0], 1)][0] + place[0];
        })
    });
    let sums = ArrayView::<u32>::without_source(8).expect("there is memory");
    for name in ["native", "reference", "jit"] {
        let target = Accelerator::new(name).expect("it is always there").default_view();
        parallel_for_each!((&target, sums.extent().tile::<4>()), |t| {
            #[tile_static]
            let shared: [[u32; 2]; 4];
            shared[t.local[0]][0] = t.local[0] as u32;
            shared[t.local[0]][1] = 10;
            t.barrier.wait();
            sums[t.global] = shared[3 - t.local[0]][0] + shared[t.local[0]][1];
        })
        .expect("it runs");
        assert_eq!(sums.to_vec().expect("it ran"), [13, 12, 11, 10, 13, 12, 11, 10], "on {name}");
    }
}
