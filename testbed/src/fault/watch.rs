//! What can happen to the events of a watch.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;

use super::Answer;

/// How the stream of a watch differs from what the API server sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WatchFault {
    /// It ends after so many events.
    CloseAfter(usize),
    /// After so many events it says that the client's version is gone, and ends. This is how an API server says 410.
    GoneAfter(usize),
    /// Bookmarks are missing; but not the one that ends the list at the start of a stream, which the API promises.
    DropBookmarks,
    /// Each event comes twice.
    Double,
    /// Each two neighbours change places. An event without a neighbour is not held back for long. A client that trusts
    /// the order may take an object's older state for its last: client-go does, so a helm that waits may wait in vain.
    Swap,
}

/// The part of an event that a fault looks at.
#[derive(Deserialize)]
struct Head<'a> {
    r#type: &'a str,
}

/// What has happened to one stream so far.
#[derive(Debug)]
pub(super) struct Distortion {
    fault: WatchFault,
    seen: usize,
    held: Option<Bytes>,
}

/// What becomes of an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// What the client gets in its place.
    pub(super) events: Vec<Bytes>,
    /// Whether that is the end.
    pub(super) ends: bool,
    /// Whether this is other than what the API server sent.
    pub(super) distorted: bool,
}

impl Distortion {
    pub(super) fn new(fault: WatchFault) -> Self {
        Self { fault, seen: 0, held: None }
    }

    /// What comes before the first event.
    pub(super) fn first(&self) -> Passed {
        self.end(Vec::new())
    }

    /// Passes an event, which is a line with its end.
    pub(super) fn pass(&mut self, event: Bytes) -> Passed {
        self.seen += 1;
        match self.fault {
            WatchFault::CloseAfter(_) | WatchFault::GoneAfter(_) => self.end(vec![event]),
            WatchFault::DropBookmarks if is_lossy_bookmark(&event) => {
                Passed { distorted: true, ..Passed::default() }
            }
            WatchFault::DropBookmarks => Passed { events: vec![event], ..Passed::default() },
            WatchFault::Double => {
                Passed { events: vec![event.clone(), event], distorted: true, ..Passed::default() }
            }
            WatchFault::Swap => match self.held.take() {
                Some(earlier) => {
                    Passed { events: vec![event, earlier], distorted: true, ..Passed::default() }
                }
                None => {
                    self.held = Some(event);
                    Passed::default()
                }
            },
        }
    }

    /// The event that waits for its neighbour.
    pub(super) fn release(&mut self) -> Option<Bytes> {
        self.held.take()
    }

    pub(super) fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    fn end(&self, mut events: Vec<Bytes>) -> Passed {
        let ends = match self.fault {
            WatchFault::CloseAfter(count) => self.seen >= count,
            WatchFault::GoneAfter(count) if self.seen >= count => {
                let gone = json!({ "type": "ERROR", "object": Answer::gone().status() });
                events.push(Bytes::from(format!("{gone}\n")));
                true
            }
            _ => false,
        };
        Passed { events, ends, distorted: ends }
    }
}

fn is_lossy_bookmark(event: &[u8]) -> bool {
    let bookmark = serde_json::from_slice::<Head>(event).is_ok_and(|head| head.r#type == "BOOKMARK");
    let ends_the_list = b"k8s.io/initial-events-end";
    bookmark && !event.windows(ends_the_list.len()).any(|part| part == ends_the_list)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOKMARK: &str = r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}"#;
    const END_OF_LIST: &str =
        r#"{"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}"#;

    /// What a client sees of these events, and how often something was other than it was sent.
    fn seen(fault: WatchFault, events: &[&str]) -> (String, usize) {
        let mut distortion = Distortion::new(fault);
        let mut passed = distortion.first();
        let (mut all, mut distorted) = (Vec::new(), 0);
        let mut events = events.iter();
        loop {
            distorted += usize::from(passed.distorted);
            all.append(&mut passed.events);
            match events.next() {
                Some(event) if !passed.ends => passed = distortion.pass(Bytes::from((*event).to_owned())),
                _ => break,
            }
        }
        all.extend(distortion.release());
        let words = all.iter().map(|event| String::from_utf8_lossy(event).into_owned()).collect::<Vec<_>>();
        (words.join(" "), distorted)
    }

    #[test]
    fn each_fault_distorts_in_its_way() {
        for (fault, events, expected, distorted) in [
            (WatchFault::CloseAfter(2), &["1", "2", "3"][..], "1 2", 1),
            (WatchFault::CloseAfter(0), &["1"], "", 1),
            (WatchFault::CloseAfter(4), &["1"], "1", 0),
            (WatchFault::Double, &["1", "2"], "1 1 2 2", 2),
            (WatchFault::Swap, &["1", "2", "3", "4"], "2 1 4 3", 2),
            (WatchFault::Swap, &["1", "2", "3"], "2 1 3", 1),
            (WatchFault::DropBookmarks, &["1", BOOKMARK, "2"], "1 2", 1),
            (WatchFault::DropBookmarks, &[END_OF_LIST], END_OF_LIST, 0),
        ] {
            assert_eq!(seen(fault, events), (expected.to_owned(), distorted), "{fault:?} of {events:?}");
        }
    }

    #[test]
    fn a_version_is_gone_in_the_words_of_the_stream() {
        let (seen, distorted) = seen(WatchFault::GoneAfter(1), &["1", "2"]);
        let (first, gone) = seen.split_once(' ').expect("two events");
        assert_eq!((first, distorted), ("1", 1));
        let gone: serde_json::Value = serde_json::from_str(gone).expect("an event");
        assert_eq!((&gone["type"], &gone["object"]["code"]), (&json!("ERROR"), &json!(410)));
    }
}
