//! A fast Fourier transform that hears which keys of a telephone are pressed: each key sounds as two tones, one for
//! its row and one for its column. All keys are transformed at once, each stage by one launch; the inverse transform
//! gives the sound back. A complex number is a struct of the program, with operators that kernels and the host use.

use std::f32::consts::TAU;
use std::ops::{Add, Mul, Sub};

use tilewise::prelude::*;

/// Samples of each key, a power of two, and samples of a second.
const SAMPLES: usize = 256;
const RATE: f32 = 8000.0;
/// The keys, and the tones of their rows and columns in hertz.
const KEYS: &[u8; 12] = b"123456789*0#";
const ROWS: [f32; 4] = [697.0, 770.0, 852.0, 941.0];
const COLUMNS: [f32; 3] = [1209.0, 1336.0, 1477.0];
/// What is dialled; the letters of these keys spell TILEWISE.
const DIALLED: &[u8; 8] = b"84539473";

#[derive(Clone, Copy, Default, AmpStruct)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

#[amp]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[amp]
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

#[amp]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

/// Transforms each row; `direction` is -1 for the transform and 1 for its inverse, which is not scaled. A stage
/// combines elements that lie half a row apart, and stores the results so that the last stage leaves them in order.
fn transform(rows: &[Complex], direction: f32) -> tilewise::Result<Vec<Complex>> {
    let (count, half) = ((rows.len() / SAMPLES) as i32, SAMPLES as i32 / 2);
    let mut from = ArrayView::from_vec((count, 2 * half), rows.to_vec())?;
    let mut to = ArrayView::without_source(from.extent())?;
    let mut stride = 1;
    while stride <= half {
        parallel_for_each!(Extent::new((count, half)), |i| {
            let (group, place) = (i[1] / stride, i[1] % stride);
            let (a, b) = (from[i], from[(i[0], i[1] + half)]);
            let (sin, cos) = fast_math::sincos(direction * TAU * (group * stride) as f32 / SAMPLES as f32);
            let first = 2 * group * stride + place;
            to[(i[0], first)] = a + b;
            to[(i[0], first + stride)] = (a - b) * Complex { re: cos, im: sin };
        })?;
        std::mem::swap(&mut from, &mut to);
        stride *= 2;
    }
    from.into_vec()
}

/// The number of the tone that is nearest to the strongest frequency of `range`, a range of bins.
fn heard(powers: &[f32], range: std::ops::Range<usize>, tones: &[f32]) -> usize {
    let strongest = range.max_by(|&a, &b| powers[a].total_cmp(&powers[b])).expect("the range is not empty");
    let distance = |tone: usize| (tones[tone] - strongest as f32 * RATE / SAMPLES as f32).abs();
    (0..tones.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).expect("there are tones")
}

fn main() -> tilewise::Result<()> {
    let numbers = DIALLED.map(|key| KEYS.iter().position(|&other| other == key).expect("it is a key") as u32);
    let keys = ArrayView::read_only(numbers.len(), &numbers)?;
    let sound = ArrayView::<Complex, 2>::without_source((numbers.len(), SAMPLES))?;
    parallel_for_each!(sound.extent(), |i| {
        let angle = TAU * i[1] as f32 / RATE;
        let (row, column) = (ROWS[keys[i[0]] as usize / 3], COLUMNS[keys[i[0]] as usize % 3]);
        sound[i].re = fast_math::sin(angle * row) + fast_math::sin(angle * column);
    })?;
    let sound = sound.into_vec()?;
    let spectrum = transform(&sound, -1.0)?;

    println!("key  from 625 to 1625 Hz");
    let mut dialled = String::new();
    for row in spectrum.chunks(SAMPLES) {
        let powers: Vec<f32> = row.iter().map(|x| x.re * x.re + x.im * x.im).collect();
        let number = heard(&powers, 20..34, &ROWS) * 3 + heard(&powers, 34..52, &COLUMNS);
        dialled.push(KEYS[number] as char);
        let shade = |power: &f32| b" .:-=+*#%@"[((power.sqrt() / 12.0) as usize).min(9)] as char;
        let shades: String = powers[20..52].iter().map(shade).collect();
        println!("  {}  {}", KEYS[number] as char, shades.trim_end());
    }
    println!("dialled: {dialled}");

    let again = transform(&spectrum, 1.0)?;
    let error = |(x, y): (&Complex, &Complex)| (x.re / SAMPLES as f32 - y.re).abs();
    let most = again.iter().zip(&sound).map(error).fold(0.0, f32::max);
    println!("the inverse transform gives every sample back within a millionth: {}", most < 1e-6);
    tilewise_examples::record("spectrum", &spectrum);
    Ok(())
}
