//! For which operation the Lease of each release was held, and when, as the audit log has it.

use std::collections::BTreeMap;

use app::model::OperationId;
use jiff::Timestamp;
use serde_json::Value;
use testbed::AuditEvent;

use crate::evidence::{OPERATIONS, Span, is_done, span};

/// The time for which a Lease was held for one operation, by whomever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The operation.
    pub operation: OperationId,
    /// The write that took it: it was held from some moment in it on.
    pub taken: Span,
    /// The write that ended it, if it was.
    pub ended: Option<Span>,
}

/// What is known of one Lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// In the order of time.
    pub holds: Vec<Hold>,
    /// When something was done with it that is not in the log.
    pub gaps: Vec<Span>,
}

/// A write to a Lease that was done.
struct Write {
    at: Span,
    /// Its place in etcd's own order. A deletion comes right after the version that it names.
    order: (u64, bool),
    /// The version that it was decided on.
    before: Option<u64>,
    /// The version that it made.
    after: Option<u64>,
    /// For whom it is held then.
    holder: Option<OperationId>,
}

/// The timelines of all releases, by `namespace/name`.
pub fn timelines(audit: &[AuditEvent]) -> BTreeMap<String, Timeline> {
    let leases = audit
        .iter()
        .filter(|event| event.resource == "leases" && event.namespace == OPERATIONS && is_done(event));
    let mut releases: BTreeMap<String, String> = BTreeMap::new();
    let mut writes: BTreeMap<String, Vec<Write>> = BTreeMap::new();
    for event in leases {
        let text = |value: &Option<Value>, pointer: &str| {
            value.as_ref()?.pointer(pointer)?.as_str().map(str::to_owned)
        };
        let version = |value: &Option<Value>, pointer: &str| text(value, pointer)?.parse::<u64>().ok();
        let after = version(&event.response, "/metadata/resourceVersion").filter(|_| event.verb != "delete");
        let before = version(&event.request, "/metadata/resourceVersion")
            .or_else(|| version(&event.request, "/preconditions/resourceVersion"));
        // The name is in the answer where it is not in the address.
        let name = text(&event.response, "/metadata/name").unwrap_or_else(|| event.name.clone());
        let name = if event.name.is_empty() { name } else { event.name.clone() };
        if let Some(release) = text(&event.request, "/metadata/annotations/slipway.dev~1release") {
            releases.insert(name.clone(), release);
        }
        writes.entry(name).or_default().push(Write {
            at: span(event),
            order: (after.or(before).unwrap_or_default(), after.is_none()),
            before,
            after,
            holder: text(&event.request, "/spec/holderIdentity").map(OperationId),
        });
    }
    let named = writes.into_iter().map(|(name, mut writes)| {
        writes.sort_by_key(|write| write.order);
        (releases.get(&name).cloned().unwrap_or(name), Timeline::of(&writes))
    });
    named.collect()
}

impl Timeline {
    fn of(writes: &[Write]) -> Self {
        let mut timeline = Self::default();
        // Of the write before: when, and which version it left, none when it deleted the Lease.
        let mut last: Option<(Span, Option<u64>)> = None;
        for write in writes {
            let known = last.and_then(|(_, version)| version);
            if write.before != known {
                // A create has no version before it, and neither has what follows a deletion.
                let from = last.map_or(Timestamp::MIN, |(at, _)| at.from);
                timeline.gaps.push(Span { from, to: write.at.to });
                timeline.end(write.at);
            }
            if timeline.current().is_none_or(|hold| Some(&hold.operation) != write.holder.as_ref()) {
                timeline.end(write.at);
                timeline.holds.extend(write.holder.clone().map(|operation| Hold {
                    operation,
                    taken: write.at,
                    ended: None,
                }));
            }
            last = Some((write.at, write.after));
        }
        timeline
    }

    fn current(&self) -> Option<&Hold> {
        self.holds.last().filter(|hold| hold.ended.is_none())
    }

    fn end(&mut self, at: Span) {
        if let Some(hold) = self.holds.last_mut().filter(|hold| hold.ended.is_none()) {
            hold.ended = Some(at);
        }
    }

    /// Whether it may have been held for `operation` all the while.
    pub fn may_cover(&self, operation: &OperationId, write: Span) -> bool {
        self.holds.iter().any(|hold| {
            hold.operation == *operation
                && hold.taken.from <= write.from
                && hold.ended.is_none_or(|ended| write.to <= ended.to)
        })
    }

    /// The operation other than `operation` for which it surely was held at a moment of `write`, if there is one.
    pub fn other(&self, operation: Option<&OperationId>, write: Span) -> Option<&OperationId> {
        let surely = |hold: &&Hold| {
            hold.taken.to <= write.to && hold.ended.is_none_or(|ended| write.from <= ended.from)
        };
        let others = self.holds.iter().filter(|hold| Some(&hold.operation) != operation);
        others.filter(surely).map(|hold| &hold.operation).next()
    }

    /// Whether it was held for anybody when `write` came.
    pub fn was_held(&self, write: Span) -> bool {
        self.holds.iter().any(|hold| {
            hold.taken.from <= write.from && hold.ended.is_none_or(|ended| write.from <= ended.to)
        })
    }

    /// Whether something of that time is not known.
    pub fn is_doubtful(&self, write: Span) -> bool {
        self.gaps.iter().any(|gap| gap.meets(write))
    }
}
