use super::*;
use crate::model::{Detail, OperationKind, Phase, RecordStatus, RecordSummary, ReleaseUpdate, Timestamp};

fn row(namespace: &str, name: &str, phase: Phase, updated: i64, chart: (&str, &str)) -> ReleaseRow {
    let (chart, version) = (Some(chart.0.to_owned()), Some(chart.1.to_owned()));
    ReleaseRow {
        key: ReleaseKey::new(namespace, name),
        phase,
        revision: Some(1),
        status: None,
        detail: Detail::Known(RecordSummary { chart, chart_version: version, ..RecordSummary::default() }),
        updated: Some(Timestamp(updated)),
    }
}

fn rows() -> Vec<ReleaseRow> {
    let kind = OperationKind::Install;
    let stuck = Phase::Stuck { status: RecordStatus::PendingUpgrade };
    let mut rows = vec![
        row("a", "api", Phase::Failed { kind: None }, 1, ("node", "1.10.0")),
        row("a", "web", Phase::Deployed, 3, ("nginx", "1.9.0")),
        row("b", "db", Phase::Queued { kind }, 2, ("postgres, large", "0.1.0")),
        row("b", "old", stuck, 0, ("nginx", "2.0.0-rc.1")),
    ];
    rows[3].status = Some(RecordStatus::PendingUpgrade);
    rows
}

fn updates() -> Updates {
    let newer = |name: &str, version: &str| ReleaseUpdate {
        namespace: "a".into(),
        name: name.into(),
        version: version.into(),
        repository: "samples".into(),
    };
    Updates::new(&[newer("web", "1.10.0"), newer("api", "1.10.0")])
}

fn query(address: &[(&str, &str)]) -> Query {
    Query::read(|name| {
        address.iter().find(|(there, _)| *there == name).map_or("", |(_, value)| value).to_owned()
    })
}

fn names(address: &[(&str, &str)]) -> Vec<String> {
    query(address).apply(&rows(), &updates()).keys.into_iter().map(|key| key.name).collect()
}

#[test]
fn an_address_without_a_query_lists_all_by_name() {
    assert_eq!(names(&[]), ["api", "db", "old", "web"]);
}

#[test]
fn the_address_filters() {
    for (address, expected) in [
        (vec![("name", "W")], vec!["web"]),
        (vec![("status", "failed,in-progress")], vec!["api", "db"]),
        (vec![("status", "pending-upgrade")], vec!["old"]),
        (vec![("status", "stuck,pending-upgrade")], vec!["old"]),
        (vec![("status", "failed"), ("name", "web")], vec![]),
        (vec![("namespace", "b")], vec!["db", "old"]),
        (vec![("chart", "nginx")], vec!["old", "web"]),
        (vec![("chart", "postgres%2C large,node")], vec!["api", "db"]),
        (vec![("chart", "nginx"), ("namespace", "a,b"), ("status", "deployed")], vec!["web"]),
        (vec![("update", "true")], vec!["web"]),
    ] {
        assert_eq!(names(&address), expected, "{address:?}");
    }
}

#[test]
fn the_address_sorts_by_each_column_in_both_directions() {
    for (column, expected) in [
        ("name", ["api", "db", "old", "web"]),
        ("namespace", ["api", "web", "db", "old"]),
        ("updated", ["old", "api", "db", "web"]),
        ("status", ["web", "api", "db", "old"]),
        ("chart", ["web", "old", "api", "db"]),
        ("chart-version", ["db", "web", "api", "old"]),
    ] {
        assert_eq!(names(&[("sort", column)]), expected, "{column}");
    }
    assert_eq!(names(&[("sort", "updated"), ("dir", "desc")]), ["web", "db", "api", "old"]);
    assert_eq!(names(&[("sort", "app-version")]), ["api", "db", "old", "web"], "none has one");
}

#[test]
fn a_page_beyond_the_last_is_the_last() {
    let query = query(&[("page", "9"), ("per-page", "20")]);
    let many: Vec<ReleaseRow> =
        (0..45).map(|at| row("a", &format!("r{at:02}"), Phase::Deployed, 0, ("c", "1"))).collect();
    let listed = query.apply(&many, &updates());
    assert_eq!((listed.total, listed.page, listed.keys.len()), (45, 2, 5));
    assert_eq!(query.all(&many, &updates()).len(), 45);
}

#[test]
fn an_address_that_makes_no_sense_is_read_as_if_it_said_nothing() {
    let address = [("sort", "x"), ("status", "y"), ("page", "-1"), ("per-page", "7"), ("update", "?")];
    assert_eq!(query(&address), query(&[]));
}

#[test]
fn every_row_is_shown_as_one_status() {
    for row in rows() {
        assert_eq!(Status::SHOWN.into_iter().filter(|status| status.is_of(&row)).count(), 1, "{row:?}");
    }
}

#[test]
fn choices_are_counted_with_what_the_other_filters_let_through() {
    let counts = |address: &[(&str, &str)], facet| {
        let counts = query(address).counts(facet, &rows(), &updates());
        counts.into_iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>()
    };
    let expected =
        |all: &[(&str, usize)]| all.iter().map(|(word, n)| ((*word).to_owned(), *n)).collect::<Vec<_>>();
    assert_eq!(
        counts(&[("chart", "nginx")], Facet::Status),
        expected(&[("deployed", 1), ("stuck", 1), ("pending-upgrade", 1)])
    );
    assert_eq!(counts(&[("status", "failed")], Facet::Status).len(), 5, "its own choice does not count");
    assert_eq!(counts(&[("chart", "nginx")], Facet::Namespace), expected(&[("a", 1), ("b", 1)]));
    assert_eq!(counts(&[], Facet::Update), expected(&[("true", 1)]));
    let gone = query(&[("namespace", "gone")]).counts(Facet::Namespace, &rows(), &updates());
    assert_eq!(gone, expected(&[("a", 2), ("b", 2), ("gone", 0)]));
}

#[test]
fn a_choice_comes_back_from_the_address_that_it_makes() {
    for (facet, word) in
        [(Facet::Status, "stuck"), (Facet::Namespace, "a"), (Facet::Chart, "x, y%"), (Facet::Update, "true")]
    {
        let on = query(&[]).changed(facet, word, true);
        let on: Vec<(&str, &str)> = on.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(query(&on).chosen(facet), [word]);
        let off = query(&on).changed(facet, word, false);
        assert!(off.iter().all(|(_, value)| value.is_empty()));
    }
}

#[test]
fn a_row_is_found_wherever_it_stands() {
    let mut rows = rows();
    rows.swap(0, 3);
    for key in [("a", "api"), ("a", "web"), ("b", "db"), ("b", "old")] {
        let key = ReleaseKey::new(key.0, key.1);
        assert_eq!(row_of(&rows, &key).map(|row| &row.key), Some(&key));
    }
    assert_eq!(row_of(&rows, &ReleaseKey::new("a", "none")), None);
}
