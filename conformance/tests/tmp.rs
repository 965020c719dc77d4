use tilewise_conformance::fuzz::*;
use tilewise_ir::interp::{run, Options, Order};
struct Same;
impl Edit for Same {}
#[test]
fn smoke() {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let start: u64 = std::env::var("S").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut rejects = 0; let mut trip = 0; let (mut insts, mut ran, mut inst_run, mut endings) = (0, 0, 0, std::collections::BTreeMap::<String, u32>::new());
    let mut cov = Coverage::new(); let t = std::time::Instant::now();
    for seed in start..start + n {
        let case = generate(seed, Budget::of_seed(seed));
        case.kernel.entry().body().walk(&mut |_| insts += 1);
        let again = replay(&case.kernel, &mut Same);
        if again != case.kernel {
            let show = |k: &tilewise_ir::kernel::Kernel| format!("{:#?} {:#?} {:#?} {:#?} {:#?} {:#?}", k.types().iter().collect::<Vec<_>>(), k.params(), k.tables(), k.tile_vars(), k.functions(), k.entry()); let (a, b) = (show(&case.kernel), show(&again));
            let lines: Vec<_> = a.lines().zip(b.lines()).enumerate().filter(|(_, (x, y))| x != y && !x.contains("ids")).take(12).collect();
            let l: Vec<&str> = a.lines().collect();
            let at = lines.first().map_or(0, |l| l.0);
            eprintln!("replay {seed}: {lines:#?} {}", l[at.saturating_sub(20)..at].join("\n"));
            panic!();
        }
        for f in case.kernel.functions().iter().chain([case.kernel.entry()]) {
            for v in f.values() { assert!(v.ty != tilewise_ir::types::ValueType::Invalid, "invalid {seed}"); }
        }
        let checked = match tilewise_ir::check::check(case.kernel.clone()) { Ok(c) => c, Err(e) => { rejects += 1; if rejects < 12 { for d in &e.diagnostics { eprintln!("seed {seed}: {} {} | {:?}", d.code, d.message, d.labels.iter().map(|l| &l.text).collect::<Vec<_>>()); } } continue } };
        let text = tilewise_ir::text::print(&case.kernel);
        match tilewise_ir::text::parse("k", &text) {
            Ok(k) if k == case.kernel => {}
            Ok(_) => eprintln!("seed {seed}: not equal"),
            Err(e) => { trip += 1; if trip < 10 { eprintln!("seed {seed}: {}", e.render(tilewise_ir::diag::Colour::Never).lines().take(8).collect::<Vec<_>>().join("\n")) } }
        }
        if std::env::var("COV").is_ok() { assert!(cov.add(&case)); continue }
        let mut outs = Vec::new();
        for order in [Order::Linear, Order::Shuffled(1), Order::Shuffled(2)] {
            let mut m = case.memory.clone();
            let o = run(&checked, &case.domain, &mut m, &case.arguments, &Options { order, fuel: Some(50_000_000), ..Default::default() }).unwrap_or_else(|e| panic!("{seed}: {e}"));
            inst_run += o.instructions;
            let name = match &o.ending { tilewise_ir::launch::Ending::Completed => "completed", tilewise_ir::launch::Ending::Failed{..} => "failed", tilewise_ir::launch::Ending::BarrierDivergence(_) => {eprintln!("div {seed}"); "divergence"}, _ => {eprintln!("fuel {seed}"); "fuel"} };
            *endings.entry(name.into()).or_default() += 1;
            outs.push((m, o));
        }
        ran += 1;
        for (m, o) in &outs[1..] {
            if let Some(d) = case.compare(&outs[0].0, m) { eprintln!("seed {seed}: {d}"); }
            if o.ending != outs[0].1.ending || o.printed != outs[0].1.printed { eprintln!("seed {seed}: ending"); }
        }
    }
    eprintln!("{cov}");
    eprintln!("{n} kernels {insts} insts, ran {ran}, executed {inst_run}, {endings:?} rejects {rejects} trips {trip} {:?}", t.elapsed());
}
