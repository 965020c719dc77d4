//! Operations on whole vectors, each an exact sequence of rounded steps that the row's doc sentence
//! specifies.

use super::bits::{dot, each};
use super::float::Float;

/// Row `cross`.
pub(super) fn cross<F: Float>(a: [F; 4], b: [F; 4]) -> [F; 4] {
    each(3, |i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

/// Row `length`.
pub(super) fn length<F: Float>(v: [F; 4], n: usize) -> F {
    dot(v, v, n).root()
}

/// Row `distance`.
pub(super) fn distance<F: Float>(a: [F; 4], b: [F; 4], n: usize) -> F {
    length(each(n, |i| a[i] - b[i]), n)
}

/// Row `normalize`.
pub(super) fn normalize<F: Float>(v: [F; 4], n: usize) -> [F; 4] {
    let length = length(v, n);
    each(n, |i| v[i] / length)
}

/// Row `reflect`.
pub(super) fn reflect<F: Float>(i: [F; 4], normal: [F; 4], n: usize) -> [F; 4] {
    let twice = F::TWO * dot(normal, i, n);
    each(n, |c| i[c] - twice * normal[c])
}

/// Row `refract`.
pub(super) fn refract<F: Float>(i: [F; 4], normal: [F; 4], eta: F, n: usize) -> [F; 4] {
    let d = dot(normal, i, n);
    let k = F::ONE - eta * eta * (F::ONE - d * d);
    if k < F::ZERO {
        return [F::ZERO; 4];
    }
    let along = eta * d + k.root();
    each(n, |c| eta * i[c] - along * normal[c])
}

/// Row `face_forward`.
pub(super) fn face_forward<F: Float>(normal: [F; 4], i: [F; 4], reference: [F; 4], n: usize) -> [F; 4] {
    let keep = dot(reference, i, n) < F::ZERO;
    each(n, |c| if keep { normal[c] } else { -normal[c] })
}
