//! Programs as in the first chapters of a book: sorting, searching, lists and iterators.

use super::*;

mod three_sorts {
    use super::*;

    #[amp]
    fn bubble<const N: usize>(a: &mut [i32; N]) {
        let mut n = a.len();
        loop {
            let mut swapped = false;
            for i in 1..n {
                if a[i - 1] > a[i] {
                    a.swap(i - 1, i);
                    swapped = true;
                }
            }
            if !swapped {
                break;
            }
            n -= 1;
        }
    }
    #[amp]
    fn selection(a: &mut [i32; 6]) {
        for i in 0..a.len() {
            let mut least = i;
            for j in (i + 1)..a.len() {
                if a[j] < a[least] {
                    least = j;
                }
            }
            if least != i {
                a.swap(i, least);
            }
        }
    }
    #[amp]
    fn partition(a: &mut [i32; 6], low: isize, high: isize) -> isize {
        let pivot = a[high as usize];
        let mut i = low - 1;
        for j in low..high {
            if a[j as usize] <= pivot {
                i += 1;
                a.swap(i as usize, j as usize);
            }
        }
        a.swap((i + 1) as usize, high as usize);
        i + 1
    }

    same! {
        sorts: i32, |i| {
            let mut a = [5, i, 9, -3, 2, 2];
            let mut b = a;
            let mut c = a;
            bubble(&mut a);
            selection(&mut b);
            let mut stack = [(0isize, 5isize); 16];
            let mut top = 1;
            while top > 0 {
                top -= 1;
                let (low, high) = stack[top];
                if low < high {
                    let p = partition(&mut c, low, high);
                    stack[top] = (low, p - 1);
                    top += 1;
                    stack[top] = (p + 1, high);
                    top += 1;
                }
            }
            assert_same(&a, &b) + assert_same(&b, &c) + a.iter().enumerate().map(|(k, x)| k as i32 * x).sum::<i32>()
        }
    }

    #[amp]
    fn assert_same(a: &[i32; 6], b: &[i32; 6]) -> i32 {
        if a == b { 1000 } else { 0 }
    }
}

mod searches {
    use super::*;

    #[amp]
    fn search(a: &[i32; 8], x: i32) -> Option<usize> {
        let (mut low, mut high) = (0, a.len());
        while low < high {
            let mid = (low + high) / 2;
            if a[mid] == x {
                return Some(mid);
            } else if a[mid] < x {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        None
    }
    #[amp]
    fn kadane(a: &[i32; 8]) -> i32 {
        let mut best = i32::MIN;
        let mut current = 0;
        for &x in a.iter() {
            current = x.max(current + x);
            best = best.max(current);
        }
        best
    }
    #[amp]
    fn two_sum(a: &[i32; 8], target: i32) -> Option<(usize, usize)> {
        for (i, x) in a.iter().enumerate() {
            for (j, y) in a.iter().enumerate().skip(i + 1) {
                if x + y == target {
                    return Some((i, j));
                }
            }
        }
        None
    }

    same! {
        run: i32, |i| {
            let a = [-5, -2, 0, 1, 3, 8, 9, 12];
            let at = match search(&a, i * 3) {
                Some(k) => k as i32,
                None => -1,
            };
            let (p, q) = two_sum(&a, i).unwrap_or((7, 7));
            let mut prefix = [0; 9];
            for (k, x) in a.iter().enumerate() {
                prefix[k + 1] = prefix[k] + x;
            }
            at * 1000 + kadane(&a) * 10 + p as i32 + q as i32 + prefix[8] - prefix[i as usize]
        }
    }
}

mod lists_in_arrays {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Node {
        value: i32,
        next: Option<usize>,
    }

    same! {
        list: i32, |i| {
            let mut nodes = [Node { value: 0, next: None }; 6];
            let mut head: Option<usize> = None;
            for k in 0..6 {
                nodes[k] = Node { value: k as i32 * i, next: head };
                head = Some(k);
            }
            let mut sum = 0;
            let mut at = head;
            while let Some(k) = at {
                sum = sum * 2 + nodes[k].value;
                at = nodes[k].next;
            }
            // reverse
            let mut previous = None;
            let mut current = head;
            while let Some(k) = current {
                let next = nodes[k].next;
                nodes[k].next = previous;
                previous = current;
                current = next;
            }
            if let Some(k) = previous {
                sum += nodes[k].value * 100 + 1;
            }
            sum
        }
    }

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Ring<T, const N: usize> {
        items: [T; N],
        head: usize,
        len: usize,
    }
    #[amp]
    impl<T: tilewise::types::KernelValue, const N: usize> Ring<T, N> {
        fn push(&mut self, x: T) {
            let at = (self.head + self.len) % N;
            self.items[at] = x;
            if self.len < N {
                self.len += 1;
            } else {
                self.head = (self.head + 1) % N;
            }
        }
        fn get(&self, k: usize) -> Option<T> {
            if k < self.len { Some(self.items[(self.head + k) % N]) } else { None }
        }
    }

    same! {
        ring: i32, |i| {
            let mut r = Ring { items: [0; 4], head: 0, len: 0 };
            for k in 0..i + 3 {
                r.push(k * k);
            }
            (0..5).filter_map(|k| r.get(k)).sum::<i32>() * 10 + r.len as i32
        }
    }
}

mod many_iterators {
    use super::*;

    same! {
        many: i32, |i| {
            let a = [3, 1, 4, 1, 5, 9, 2, 6];
            let evens: i32 = a.iter().filter(|&&x| x % 2 == 0).sum();
            let squares: i32 = a.iter().map(|&x| x * x).sum();
            let dot: i32 = a.iter().zip(a.iter().skip(1)).map(|(x, y)| x * y).sum();
            let any = a.iter().any(|&x| x == i);
            let pos = a.iter().position(|&x| x > i).map_or(-1, |p| p as i32);
            let most = a.iter().copied().max().unwrap_or(0);
            let least = *a.iter().min_by(|a, b| a.cmp(b)).unwrap_or(&0);
            evens + squares + dot + i32::from(any) + pos + most + least
        }

        chunks: i32, |i| {
            let a = [1, 2, 3, 4, 5, 6];
            let mut s = 0;
            for c in a.chunks(2) {
                s = s * 10 + c[0] * c[1];
            }
            for w in a.windows(2) {
                s += w[1] - w[0];
            }
            s + i
        }
    }
}

mod heaps_and_medians {
    use super::*;

    #[amp]
    fn sift(h: &mut [i32; 8], len: usize, mut at: usize) {
        loop {
            let l = 2 * at + 1;
            let r = l + 1;
            let mut big = at;
            if l < len && h[l] > h[big] {
                big = l;
            }
            if r < len && h[r] > h[big] {
                big = r;
            }
            if big == at {
                return;
            }
            h.swap(at, big);
            at = big;
        }
    }

    same! {
        heapsort: i32, |i| {
            let mut h = [3, 9, -2, i, 7, 1, 1, 8];
            for k in (0..4).rev() {
                sift(&mut h, 8, k);
            }
            for end in (1..8).rev() {
                h.swap(0, end);
                sift(&mut h, end, 0);
            }
            h.iter().enumerate().map(|(k, x)| (k as i32 + 1) * x).sum()
        }

        median: f32, |i| {
            let mut a = [3.5, i as f32, 1.25, 9.0];
            a.sort_by(|x, y| x.partial_cmp(y).unwrap_or(std::cmp::Ordering::Equal));
            let mid = a.len() / 2;
            if a.len() % 2 == 0 { (a[mid - 1] + a[mid]) / 2.0 } else { a[mid] }
        }

        dedup: i32, |i| {
            let mut a = [4, 2, 4, i, 2, 2];
            a.sort_unstable();
            let mut n = 1;
            for k in 1..a.len() {
                if a[k] != a[n - 1] {
                    a[n] = a[k];
                    n += 1;
                }
            }
            a[..n].iter().sum::<i32>() * 10 + n as i32
        }

        counts: u32, |i| {
            let text = b"mississippi";
            let mut counts = [0u32; 26];
            for &c in text {
                counts[(c - b'a') as usize] += 1;
            }
            let (letter, n) =
                counts.iter().copied().enumerate().max_by_key(|&(_, n)| n).map_or((0, 0), |(k, n)| (k as u32, n));
            letter * 100 + n + counts[(i as usize * 3) % 26]
        }
    }
}
