//! The file of a timeline, and what a subscriber of `tracing` hears.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::{SpanKind, event, span, timeline};

/// The timeline is one for the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tilewise-trace-{}-{name}.json", std::process::id()))
}

/// The events of a file that is complete.
fn events(path: &PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the file is there");
    match serde_json::from_str(&text) {
        Ok(Value::Array(events)) => events,
        other => panic!("no list of events: {other:?} in\n{text}"),
    }
}

fn of_phase<'a>(events: &'a [Value], phase: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["ph"] == phase).collect()
}

#[test]
fn the_file_is_complete_after_each_launch() {
    let _alone = alone();
    let path = path("complete");
    timeline::open(&path).expect("a file");
    assert!(of_phase(&events(&path), "X").is_empty());
    for round in 0..3 {
        let launch = span(SpanKind::Launch, || format!("round {round}"));
        drop(span(SpanKind::Compile, || "a \"kernel\"\n\tat C:\\x".to_owned()));
        event("interpreted", || "why".to_owned());
        drop(launch);
        let events = events(&path);
        assert_eq!(of_phase(&events, "X").len(), 2 * (round + 1));
        assert_eq!(of_phase(&events, "i").len(), round + 1);
    }
    timeline::close().expect("it is written");
    let events = events(&path);
    let spans = of_phase(&events, "X");
    let (compile, launch) = (spans[0], spans[1]);
    assert_eq!(compile["name"], "compile");
    assert_eq!(compile["args"]["detail"], "a \"kernel\"\n\tat C:\\x");
    assert_eq!((&launch["name"], &launch["args"]["detail"]), (&"launch".into(), &"round 0".into()));
    // The one is inside the other.
    let time = |event: &Value, name: &str| event[name].as_f64().expect("a number");
    assert!(time(launch, "ts") <= time(compile, "ts"));
    let end = |event: &Value| time(event, "ts") + time(event, "dur");
    assert!(end(compile) <= end(launch));
    fs::remove_file(&path).expect("it was there");
}

#[test]
fn threads_have_numbers_and_names() {
    let _alone = alone();
    let path = path("threads");
    timeline::open(&path).expect("a file");
    let work = || drop(span(SpanKind::Chunk, || "tiles 0 to 9".to_owned()));
    thread::scope(|scope| {
        for number in 0..4 {
            let named = thread::Builder::new().name(format!("worker {number}"));
            named.spawn_scoped(scope, work).expect("a thread");
        }
    });
    timeline::close().expect("it is written");
    let events = events(&path);
    let chunks: Vec<&Value> = of_phase(&events, "X");
    assert_eq!(chunks.len(), 4);
    let mut names: Vec<&str> = chunks
        .iter()
        .map(|chunk| {
            let name = |event: &&Value| event["name"] == "thread_name" && event["tid"] == chunk["tid"];
            let found = events.iter().find(name).expect("its thread has a name");
            found["args"]["name"].as_str().expect("a string")
        })
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["worker 0", "worker 1", "worker 2", "worker 3"]);
    fs::remove_file(&path).expect("it was there");
}

#[test]
fn without_a_listener_no_text_is_made() {
    let _alone = alone();
    let mut asked = 0;
    drop(span(SpanKind::Launch, || {
        asked += 1;
        String::new()
    }));
    event("nothing", || {
        asked += 1;
        String::new()
    });
    assert_eq!(asked, 0);
}

#[test]
fn a_file_that_cannot_be_made_is_an_error() {
    let _alone = alone();
    let missing = path("missing").join("in a folder that is not there");
    assert!(timeline::open(&missing).is_err());
    assert!(!timeline::is_open());
}

/// What a subscriber hears.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn add(&self, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

struct Detail(String);

impl Visit for Detail {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0 += &format!(" {}={value:?}", field.name());
    }
}

impl Subscriber for Heard {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "tilewise"
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut detail = Detail(format!("new {}", attributes.metadata().name()));
        attributes.record(&mut detail);
        self.add(detail.0);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut detail = Detail("event".to_owned());
        event.record(&mut detail);
        self.add(detail.0);
    }

    fn enter(&self, _: &Id) {
        self.add("enter".to_owned());
    }

    fn exit(&self, _: &Id) {
        self.add("exit".to_owned());
    }
}

#[test]
fn a_subscriber_hears_spans_and_events() {
    let _alone = alone();
    let heard = Heard::default();
    tracing::subscriber::with_default(heard.clone(), || {
        for kind in SpanKind::ALL {
            let open = span(kind, || "x".to_owned());
            event("inside", || "y".to_owned());
            drop(open);
        }
    });
    let lines = heard.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let wanted: Vec<String> = SpanKind::ALL
        .iter()
        .flat_map(|kind| {
            let new = format!("new {} detail=\"x\"", kind.name());
            [new, "enter".into(), "event message=inside detail=\"y\"".into(), "exit".into()]
        })
        .collect();
    assert_eq!(lines, wanted);
}
