//! Three numbers for an index of rank 2.

use tilewise::prelude::*;

fn main() {
    let index: Index<2> = Index::new((1, 2, 3));
    assert_eq!(index[0], 1);
}
