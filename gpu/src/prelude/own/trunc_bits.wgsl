fn trunc_F(x: F) -> F {
    let s = size_F(x);
    let e = u32(s >> FBu);
    if e >= BIASu + FBu { return x; }
    if e < BIASu { return bitcast<F>(bitcast<U>(x) & SIGN); }
    let below = (1SU << (FBu - (e - BIASu))) - 1SU;
    return bitcast<F>(bitcast<U>(x) & ~below);
}
