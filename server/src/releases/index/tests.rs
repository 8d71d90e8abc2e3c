use app::model::{RecordStatus, RecordSummary};
use proptest::prelude::*;

use super::*;

fn record(namespace: &str, name: &str, revision: u32, writing: u32) -> RecordMeta {
    RecordMeta {
        key: ReleaseKey::new(namespace, name),
        revision,
        status: RecordStatus::Deployed,
        created: None,
        changed: None,
        operation: None,
        uid: format!("{namespace}/{name}/{revision}"),
        resource_version: writing.to_string(),
    }
}

fn web(revision: u32) -> RecordMeta {
    record("a", "web", revision, 1)
}

fn known(chart: &str) -> Detail {
    Detail::Known(RecordSummary { chart: Some(chart.into()), ..RecordSummary::default() })
}

fn read(record: &RecordMeta, chart: &str) -> Read {
    Read { uid: record.uid.clone(), resource_version: record.resource_version.clone(), detail: known(chart) }
}

fn index(changes: impl IntoIterator<Item = Change<RecordMeta>>) -> Index {
    let mut index = Index::default();
    for change in changes {
        index.apply(&None, change);
    }
    index
}

fn revision(index: &Index, key: &ReleaseKey) -> Option<u32> {
    index.latest(key).map(|record| record.revision)
}

#[test]
fn the_highest_revision_is_the_latest_whatever_came_last() {
    let index = index([Change::Written(web(10)), Change::Written(web(9))]);
    assert_eq!(revision(&index, &web(1).key), Some(10));
}

#[test]
fn a_revision_that_leaves_uncovers_the_one_below_and_the_last_takes_the_release_along() {
    let mut index = index([Change::Written(web(1)), Change::Written(web(2))]);
    assert_eq!(index.apply(&None, Change::Removed(web(2))), BTreeSet::from([web(1).key]));
    assert_eq!(revision(&index, &web(1).key), Some(1));
    index.apply(&None, Change::Removed(web(1)));
    assert_eq!(index.keys(None).count(), 0);
}

#[test]
fn a_late_word_of_a_removal_does_not_take_the_successor_of_the_same_name() {
    let anew = RecordMeta { uid: "anew".into(), ..web(1) };
    let index = index([Change::Written(anew), Change::Removed(web(1))]);
    assert_eq!(revision(&index, &web(1).key), Some(1));
}

#[test]
fn what_a_new_list_does_not_have_is_gone_when_it_is_complete_and_not_before() {
    let other = record("b", "other", 1, 1);
    let mut index = index([Change::Written(web(1)), Change::Written(other.clone())]);
    index.apply(&None, Change::Restarted);
    index.apply(&None, Change::Listed(other.clone()));
    assert_eq!(revision(&index, &web(1).key), Some(1));
    assert_eq!(index.apply(&None, Change::Complete), BTreeSet::from([web(1).key]));
    assert_eq!(index.keys(None).collect::<Vec<_>>(), [&other.key]);
}

#[test]
fn a_list_that_failed_half_way_takes_nothing() {
    let mut index = index([Change::Written(web(1)), Change::Restarted]);
    index.apply(&None, Change::Failed(ClusterError::Unreachable("reset".into())));
    assert_eq!(revision(&index, &web(1).key), Some(1));
}

#[test]
fn one_namespaces_list_says_nothing_of_another() {
    let other = record("b", "other", 1, 1);
    let mut index = index([Change::Written(web(1)), Change::Written(other.clone())]);
    for change in [Change::Restarted, Change::Complete] {
        index.apply(&Some("b".into()), change);
    }
    assert_eq!(index.keys(None).collect::<Vec<_>>(), [&web(1).key]);
}

#[test]
fn a_right_that_is_taken_away_takes_what_it_showed() {
    let mut index = index([Change::Written(web(1)), Change::Written(record("b", "other", 1, 1))]);
    let touched = index.apply(&Some("b".into()), Change::Failed(ClusterError::Forbidden("no".into())));
    assert_eq!(touched.len(), 1);
    assert_eq!(index.keys(None).collect::<Vec<_>>(), [&web(1).key]);
}

#[test]
fn the_keys_of_a_namespace_are_those_of_no_other_with_a_like_name() {
    let index = index(["a", "ab", "a-b", "b"].map(|namespace| Change::Written(record(namespace, "x", 1, 1))));
    assert_eq!(index.keys(Some("a")).collect::<Vec<_>>(), [&ReleaseKey::new("a", "x")]);
    assert_eq!(index.keys(None).count(), 4);
}

#[test]
fn each_writing_of_the_latest_record_is_read_once() {
    let mut index = index([Change::Written(web(1))]);
    let key = web(1).key;
    assert_eq!(index.record(&key).unwrap().detail, Detail::Loading);
    assert_eq!(index.unread(&key), Some(&web(1)));
    index.learn(&key, read(&web(1), "web"));
    assert_eq!((index.unread(&key), index.record(&key).unwrap().detail), (None, known("web")));

    let again = record("a", "web", 1, 2);
    index.apply(&None, Change::Written(again.clone()));
    assert_eq!(index.unread(&key), Some(&again));
    assert_eq!(index.record(&key).unwrap().detail, known("web"), "shown until the newer one is read");
}

#[test]
fn a_new_revision_shows_nothing_of_the_one_before() {
    let mut index = index([Change::Written(web(1))]);
    index.learn(&web(1).key, read(&web(1), "old"));
    index.apply(&None, Change::Written(web(2)));
    assert_eq!(index.record(&web(1).key).unwrap().detail, Detail::Loading);
    index.learn(&web(1).key, read(&web(1), "late"));
    assert_eq!(index.record(&web(1).key).unwrap().detail, Detail::Loading, "another record's summary");
}

/// What can happen to the cluster's records, and to the watch of them.
#[derive(Clone, Debug)]
enum Happening {
    Write(RecordMeta),
    Delete(RecordMeta),
    Relist,
    RelistThatFails,
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let record =
        (0..2_usize, 0..3_usize, 1..4_u32, 1..3_u32).prop_map(|(namespace, name, revision, writing)| {
            record(["a", "b"][namespace], ["x", "y", "z"][name], revision, writing)
        });
    let happening = prop_oneof![
        4 => record.clone().prop_map(Happening::Write),
        3 => record.prop_map(Happening::Delete),
        1 => Just(Happening::Relist),
        1 => Just(Happening::RelistThatFails),
    ];
    proptest::collection::vec(happening, 0..60)
}

proptest! {
    /// However the watch breaks off in between, after the next complete list the index is what the cluster is.
    #[test]
    fn the_index_ends_up_as_the_cluster_is(happenings in happenings(), lost in 0..40_usize) {
        let mut cluster: BTreeMap<(ReleaseKey, u32), RecordMeta> = BTreeMap::new();
        let mut index = Index::default();
        let relist = |index: &mut Index, cluster: &BTreeMap<_, RecordMeta>| {
            index.apply(&None, Change::Restarted);
            for record in cluster.values() {
                index.apply(&None, Change::Listed(record.clone()));
            }
            index.apply(&None, Change::Complete);
        };
        for (at, happening) in happenings.into_iter().enumerate() {
            let seen = at >= lost;
            match happening {
                Happening::Write(record) => {
                    cluster.insert((record.key.clone(), record.revision), record.clone());
                    if seen { index.apply(&None, Change::Written(record)); }
                }
                Happening::Delete(record) => {
                    if let Some(record) = cluster.remove(&(record.key.clone(), record.revision))
                        && seen { index.apply(&None, Change::Removed(record)); }
                }
                Happening::Relist => relist(&mut index, &cluster),
                Happening::RelistThatFails => {
                    index.apply(&None, Change::Restarted);
                    if let Some(record) = cluster.values().next() {
                        index.apply(&None, Change::Listed(record.clone()));
                    }
                    index.apply(&None, Change::Failed(ClusterError::Unreachable("reset".into())));
                }
            }
            if at == lost { relist(&mut index, &cluster); }
        }
        relist(&mut index, &cluster);
        let mut expected: BTreeMap<ReleaseKey, RecordMeta> = BTreeMap::new();
        for record in cluster.into_values() {
            expected.insert(record.key.clone(), record);
        }
        let found: BTreeMap<ReleaseKey, RecordMeta> =
            index.keys(None).map(|key| (key.clone(), index.latest(key).unwrap().clone())).collect();
        prop_assert_eq!(found, expected);
    }
}
