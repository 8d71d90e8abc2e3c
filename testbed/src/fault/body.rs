//! Bodies on their way from the API server to its client.

use std::pin::Pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream::{self, Stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};

use super::connection::Cut;
use super::rule::Rule;
use super::watch::{Distortion, Passed, WatchFault};

pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;
pub(super) type Body = UnsyncBoxBody<Bytes, Failure>;

/// How long an event waits for a neighbour to change places with: a held event that nothing follows would be lost.
const NEIGHBOUR: Duration = Duration::from_secs(1);

/// An event is an object, and the API server takes none above 3 MiB; etcd keeps none above 1.5.
const LONGEST_EVENT: usize = 8 << 20;

pub(super) fn whole(content: Bytes) -> Body {
    Full::new(content).map_err(|never| match never {}).boxed_unsync()
}

pub(super) fn unchanged(body: Incoming) -> Body {
    body.map_err(Failure::from).boxed_unsync()
}

/// Reads a request to its end: a client that still writes may not read the answer.
pub(super) async fn drain(mut body: Incoming) {
    while let Some(Ok(_)) = body.frame().await {}
}

/// The next piece of a body's content.
async fn data(body: &mut Incoming) -> Result<Option<Bytes>, Failure> {
    while let Some(frame) = body.frame().await.transpose()? {
        if let Ok(content) = frame.into_data() {
            return Ok(Some(content));
        }
    }
    Ok(None)
}

/// The first `left` bytes; then the connection is cut.
pub(super) fn cut_off(body: Incoming, left: u64, rule: Rule, cut: Cut) -> Body {
    let frames = stream::try_unfold((body, left), move |(mut body, left)| {
        let (rule, cut) = (rule.clone(), cut.clone());
        async move {
            if left > 0
                && let Some(mut content) = data(&mut body).await?
            {
                content.truncate(usize::try_from(left).unwrap_or(usize::MAX));
                let left = left - content.len() as u64;
                return Ok(Some((Frame::data(content), (body, left))));
            }
            rule.hit();
            // What was sent before is flushed while this waits.
            cut.now().await
        }
    });
    boxed(frames)
}

/// The events of a watch, distorted.
pub(super) fn distorted(body: Incoming, fault: WatchFault, rule: Rule) -> Body {
    let distortion = Distortion::new(fault);
    let first = distortion.first();
    if first.distorted {
        rule.hit();
    }
    let lines = Lines { body, buffer: BytesMut::new() };
    boxed(stream::try_unfold((lines, distortion, first), move |(mut lines, mut distortion, mut passed)| {
        let rule = rule.clone();
        async move {
            while passed.events.is_empty() && !passed.ends {
                passed = next(&mut lines, &mut distortion).await?;
                if passed.distorted {
                    rule.hit();
                }
            }
            let Passed { events, ends, .. } = passed;
            if events.is_empty() {
                return Ok(None);
            }
            let rest = Passed { ends, ..Passed::default() };
            Ok(Some((Frame::data(Bytes::from(events.concat())), (lines, distortion, rest))))
        }
    }))
}

/// What comes next in a distorted stream.
async fn next(lines: &mut Lines, distortion: &mut Distortion) -> Result<Passed, Failure> {
    let patience = if distortion.is_holding() { NEIGHBOUR } else { Duration::MAX };
    match tokio::time::timeout(patience, lines.next()).await {
        Ok(line) => match line? {
            Some(event) => Ok(distortion.pass(event)),
            None => Ok(Passed {
                events: distortion.release().into_iter().collect(),
                ends: true,
                distorted: false,
            }),
        },
        Err(_) => Ok(Passed { events: distortion.release().into_iter().collect(), ..Passed::default() }),
    }
}

/// A body as lines, each with its end.
struct Lines {
    body: Incoming,
    buffer: BytesMut,
}

impl Lines {
    /// Loses nothing if it is dropped while it waits.
    async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let mut searched = 0;
        loop {
            if let Some(at) = self.buffer[searched..].iter().position(|byte| *byte == b'\n') {
                return Ok(Some(self.buffer.split_to(searched + at + 1).freeze()));
            }
            searched = self.buffer.len();
            if searched > LONGEST_EVENT {
                return Err(format!("an event of a watch is longer than {LONGEST_EVENT} bytes").into());
            }
            match data(&mut self.body).await? {
                Some(content) => self.buffer.extend_from_slice(&content),
                None if self.buffer.is_empty() => return Ok(None),
                None => return Ok(Some(self.buffer.split().freeze())),
            }
        }
    }
}

fn boxed(frames: impl Stream<Item = Result<Frame<Bytes>, Failure>> + Send + 'static) -> Body {
    let frames: Pin<Box<dyn Stream<Item = _> + Send>> = Box::pin(frames);
    StreamBody::new(frames).boxed_unsync()
}
