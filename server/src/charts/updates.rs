//! Which releases have a newer version of their chart to go to.

use super::index::{Chart, Listed};
use super::order;

/// The chart of a release.
#[derive(Clone, Copy)]
pub struct Installed<'a> {
    /// The release's namespace.
    pub namespace: &'a str,
    /// The chart's name.
    pub chart: &'a str,
    /// Its version.
    pub version: &'a str,
}

/// What one repository has of a chart.
pub struct Offer<'a> {
    /// The repository's name in Slipway.
    pub repository: &'a str,
    /// The chart there.
    pub chart: &'a Chart,
}

/// The newest stable version after `installed`, and the repository that has it; none if there is none.
///
/// A release does not say where its chart is from, and another repository may have another chart of that name: only those
/// count that have the installed version as well. Where none has it any more, the one that has the chart at all counts, if
/// there is but one.
pub fn newest<'a>(
    installed: &str,
    offers: &[Offer<'a>],
    cluster: Option<&str>,
) -> Option<(&'a str, &'a str)> {
    let now = order::parse(installed)?;
    let has_it = |offer: &&Offer<'a>| {
        offer.chart.versions.iter().any(|listed| order::parse(&listed.version.version).as_ref() == Some(&now))
    };
    let mut likely: Vec<&Offer<'a>> = offers.iter().filter(has_it).collect();
    if likely.is_empty() && offers.len() == 1 {
        likely.extend(offers);
    }
    let newer = likely.iter().filter_map(|offer| {
        let is_one = |listed: &&Listed| {
            !listed.version.deprecated
                && order::is_stable(&listed.version.version)
                && !listed.shown(cluster).incompatible
        };
        let newest = offer.chart.versions.iter().find(is_one)?.version.version.as_str();
        let version = order::parse(newest)?;
        // What differs by its build alone is no newer.
        (version.cmp_precedence(&now) == std::cmp::Ordering::Greater).then_some((
            version,
            newest,
            offer.repository,
        ))
    });
    // Of two that have the same, the first one.
    let best = newer.reduce(|best, other| if other.0.cmp_precedence(&best.0).is_gt() { other } else { best });
    best.map(|(_, version, repository)| (version, repository))
}

#[cfg(test)]
mod tests {
    use super::super::index;
    use super::*;

    fn chart(versions: &[&str]) -> Chart {
        let mut text = String::from("entries:\n  web:\n");
        for version in versions {
            let (version, deprecated) = match version.strip_suffix('!') {
                Some(version) => (version, true),
                None => (*version, false),
            };
            text.push_str(&format!("  - {{version: '{version}', deprecated: {deprecated}, urls: [x]}}\n"));
        }
        index::parse(&text).unwrap().charts.remove("web").unwrap()
    }

    #[test]
    fn an_update_is_the_newest_stable_version_of_where_the_chart_came_from() {
        for (installed, repositories, expected) in [
            ("1.0.0", vec![("a", vec!["1.0.0", "1.9.0", "1.10.0"])], Some(("1.10.0", "a"))),
            ("1.10.0", vec![("a", vec!["1.0.0", "1.9.0", "1.10.0"])], None),
            ("1.0.0", vec![("a", vec!["1.0.0", "2.0.0-rc.1"])], None),
            ("2.0.0-rc.1", vec![("a", vec!["2.0.0-rc.1", "2.0.0"])], Some(("2.0.0", "a"))),
            ("1.0.0", vec![("a", vec!["1.0.0", "1.1.0!"])], None),
            ("1.0.0+a", vec![("a", vec!["1.0.0+a", "1.0.0+b"])], None),
            // Another chart of that name.
            ("1.0.0", vec![("a", vec!["1.0.0"]), ("b", vec!["9.0.0"])], None),
            (
                "1.0.0",
                vec![("a", vec!["1.0.0", "1.1.0"]), ("b", vec!["1.0.0", "1.2.0"])],
                Some(("1.2.0", "b")),
            ),
            (
                "1.0.0",
                vec![("a", vec!["1.0.0", "1.1.0"]), ("b", vec!["1.0.0", "1.1.0"])],
                Some(("1.1.0", "a")),
            ),
            // Old versions are taken away after a while.
            ("0.9.0", vec![("a", vec!["1.0.0"])], Some(("1.0.0", "a"))),
            ("0.9.0", vec![("a", vec!["1.0.0"]), ("b", vec!["2.0.0"])], None),
            ("v1.0.0", vec![("a", vec!["1.0.0", "v1.1.0"])], Some(("v1.1.0", "a"))),
            ("latest", vec![("a", vec!["1.0.0"])], None),
            ("1.0.0", vec![], None),
        ] {
            let charts: Vec<_> =
                repositories.iter().map(|(name, versions)| (*name, chart(versions))).collect();
            let offers: Vec<_> =
                charts.iter().map(|(repository, chart)| Offer { repository, chart }).collect();
            assert_eq!(newest(installed, &offers, None), expected, "{installed} of {repositories:?}");
        }
    }

    #[test]
    fn what_asks_for_another_kubernetes_is_no_update() {
        let text = "entries:\n  web:\n  - {version: 1.0.0, urls: [x]}\n  - {version: 1.1.0, urls: [x]}\n  \
                    - {version: 2.0.0, urls: [x], kubeVersion: '>=1.40'}\n";
        let chart = index::parse(text).unwrap().charts.remove("web").unwrap();
        let offers = [Offer { repository: "a", chart: &chart }];
        assert_eq!(newest("1.0.0", &offers, Some("1.37.0")), Some(("1.1.0", "a")));
        assert_eq!(newest("1.1.0", &offers, Some("1.37.0")), None);
        assert_eq!(newest("1.1.0", &offers, Some("1.41.2")), Some(("2.0.0", "a")));
        assert_eq!(
            newest("1.1.0", &offers, None),
            Some(("2.0.0", "a")),
            "nobody knows the cluster's version"
        );
    }
}
