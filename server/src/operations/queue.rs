//! Which queued operations may start now, and in which order the others follow. Pure: every server that knows of the same
//! operations comes to the same answer.
//!
//! Within a namespace it is first come first served. Between namespaces, the one with the fewest at work has its turn;
//! among equals the one whose last turn is longest ago, and then the one whose operation has waited longest. So a
//! namespace with a hundred operations delays another one's first by one turn at most.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use app::model::{Operation, OperationId, OperationState};

/// The queue at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Those that may start now, in this order.
    pub start: Vec<OperationId>,
    /// Those that wait, the next one first.
    pub waiting: Vec<OperationId>,
}

impl Plan {
    /// How many turns it takes until an operation may start: 1 for the next one; none when it does not wait.
    pub fn place(&self, id: &OperationId) -> Option<u32> {
        let index = self.waiting.iter().position(|waiting| waiting == id)?;
        u32::try_from(index).ok()?.checked_add(1)
    }
}

/// When a namespace last had its turn: never; at that time; just now, and the higher the later.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    #[default]
    Never,
    At(i64),
    Now(usize),
}

#[derive(Default)]
struct Lane<'a> {
    at_work: usize,
    turn: Turn,
    queued: VecDeque<&'a OperationId>,
}

/// Plans for all `operations` there are, in any order, when `most` may be at work at once. Those in `launched` have a
/// runner on its way and count as at work.
pub fn plan(operations: &[Arc<Operation>], launched: &HashSet<OperationId>, most: usize) -> Plan {
    let mut lanes: BTreeMap<&str, Lane> = BTreeMap::new();
    let mut at_work = 0;
    for operation in operations {
        let lane = lanes.entry(&operation.release.namespace).or_default();
        if let Some(first) = operation.attempts.first() {
            lane.turn = lane.turn.max(Turn::At(first.started.0));
        }
        let is_queued = operation.state == OperationState::Queued;
        if is_queued && !launched.contains(&operation.id) {
            lane.queued.push_back(&operation.id);
        } else if !operation.state.is_terminal() {
            at_work += 1;
            lane.at_work += 1;
            if is_queued {
                lane.turn = Turn::Now(0);
            }
        }
    }
    lanes.retain(|_, lane| !lane.queued.is_empty());
    // Ids sort by time.
    lanes.values_mut().for_each(|lane| lane.queued.make_contiguous().sort());
    let order = in_turn(lanes);
    let free = most.saturating_sub(at_work).min(order.len());
    let (start, waiting) = order.split_at(free);
    Plan { start: start.to_vec(), waiting: waiting.to_vec() }
}

/// All that is queued, in the order of their turns if none that is at work ever ended.
fn in_turn(lanes: BTreeMap<&str, Lane>) -> Vec<OperationId> {
    let mut lanes: Vec<Lane> = lanes.into_values().collect();
    let mut order = Vec::new();
    while let Some(lane) = lanes
        .iter_mut()
        .filter(|lane| !lane.queued.is_empty())
        .min_by_key(|lane| (lane.at_work, lane.turn, lane.queued.front().copied()))
    {
        order.extend(lane.queued.pop_front().cloned());
        lane.at_work += 1;
        lane.turn = Turn::Now(order.len());
    }
    order
}

#[cfg(test)]
mod tests;
