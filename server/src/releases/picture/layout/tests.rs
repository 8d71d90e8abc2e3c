use app::model::{Health, ObjectRef, PictureGroup, Relation};

use super::*;

fn node(kind: &str, name: &str, group: u32) -> PictureNode {
    let object = ObjectRef {
        api_version: "v1".into(),
        kind: kind.into(),
        namespace: Some("ns".into()),
        name: name.into(),
    };
    PictureNode {
        object,
        group,
        is_in_manifest: true,
        is_hook: false,
        health: Health::Ready,
        message: String::new(),
        pods: None,
        x: 0,
        y: 0,
    }
}

fn picture(nodes: Vec<PictureNode>, edges: &[(u32, u32)]) -> Picture {
    let groups = nodes.iter().map(|node| node.group).max().map_or(0, |last| last + 1);
    let group = |at| PictureGroup { source: format!("g{at}"), x: 0, y: 0, width: 0, height: 0 };
    let edge = |(from, to): &(u32, u32)| PictureEdge { from: *from, to: *to, relation: Relation::Selects };
    Picture {
        nodes,
        edges: edges.iter().map(edge).collect(),
        groups: (0..groups).map(group).collect(),
        ..Picture::default()
    }
}

/// That nodes lie within their groups, groups within the picture, and nothing upon anything else.
fn check(picture: &Picture) {
    let apart = |a: (u32, u32, u32, u32), b: (u32, u32, u32, u32)| {
        a.0 + a.2 <= b.0 || b.0 + b.2 <= a.0 || a.1 + a.3 <= b.1 || b.1 + b.3 <= a.1
    };
    let nodes: Vec<_> = picture.nodes.iter().map(|it| (it.x, it.y, NODE_WIDTH, NODE_HEIGHT)).collect();
    let groups: Vec<_> = picture.groups.iter().map(|it| (it.x, it.y, it.width, it.height)).collect();
    for all in [&nodes, &groups] {
        for (at, one) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| apart(*one, *other)), "{at} lies upon another: {one:?}");
        }
    }
    for (node, (x, y, width, height)) in picture.nodes.iter().zip(&nodes) {
        let group = groups[node.group as usize];
        assert!(*x >= group.0 && x + width <= group.0 + group.2, "{node:?} in {group:?}");
        assert!(*y >= group.1 + HEADER && y + height <= group.1 + group.3, "{node:?} in {group:?}");
    }
    assert!(groups.iter().all(|it| it.0 + it.2 <= picture.width && it.1 + it.3 <= picture.height));
}

#[test]
fn what_leads_to_something_stands_left_of_it() {
    let nodes = vec![
        node("ConfigMap", "c", 0),
        node("Deployment", "d", 0),
        node("Service", "s", 0),
        node("Ingress", "i", 0),
        node("HorizontalPodAutoscaler", "h", 0),
    ];
    let placed = place(picture(nodes, &[(3, 2), (2, 1), (1, 0), (4, 1)]));
    check(&placed);
    let x: Vec<u32> = placed.nodes.iter().map(|node| node.x).collect();
    assert!(x[3] < x[2] && x[2] < x[1] && x[1] < x[0] && x[4] == x[2], "{x:?}");
    assert_eq!(placed.nodes[3].y, placed.nodes[1].y, "alone in their columns, they stand in the middle");
}

#[test]
fn edges_that_would_cross_are_straightened() {
    let mut nodes: Vec<_> = (0..4).map(|at| node("Service", &format!("s{at}"), 0)).collect();
    nodes.extend((0..4).map(|at| node("Deployment", &format!("d{at}"), 0)));
    let placed = place(picture(nodes, &[(0, 7), (1, 6), (2, 5), (3, 4)]));
    check(&placed);
    for (from, to) in [(0, 7), (1, 6), (2, 5), (3, 4)] {
        assert_eq!(placed.nodes[from].y, placed.nodes[to].y, "{from} {to}");
    }
}

#[test]
fn what_has_nothing_to_do_with_others_stands_below_side_by_side() {
    let mut nodes = vec![node("Service", "s", 0), node("Deployment", "d", 0)];
    nodes.extend((0..9).map(|at| node("ConfigMap", &format!("c{at}"), 0)));
    let placed = place(picture(nodes, &[(0, 1)]));
    check(&placed);
    assert!(placed.nodes[2..].iter().all(|node| node.y > placed.nodes[0].y));
    assert_eq!(placed.nodes[2].y, placed.nodes[5].y);
    assert!(placed.nodes[6].y > placed.nodes[5].y);
}

#[test]
fn a_circle_of_objects_comes_to_an_end() {
    let nodes: Vec<_> = (0..3).map(|at| node("Widget", &at.to_string(), 0)).collect();
    check(&place(picture(nodes, &[(0, 1), (1, 2), (2, 0)])));
    check(&place(picture(vec![], &[])));
}

#[test]
fn many_groups_fill_a_picture_that_is_about_as_wide_as_a_screen_and_always_the_same() {
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for group in 0..46 {
        let first = u32::try_from(nodes.len()).unwrap();
        nodes.extend([
            node("Service", "s", group),
            node("Deployment", "d", group),
            node("ConfigMap", "c", group),
        ]);
        nodes.extend((0..group % 5).map(|_| node("Secret", "x", group)));
        edges.extend([(first, first + 1), (first + 1, first + 2)]);
        if group > 0 {
            edges.push((first - 1, first));
        }
    }
    let drawn = picture(nodes, &edges);
    let placed = place(drawn.clone());
    check(&placed);
    let ratio = f64::from(placed.width) / f64::from(placed.height);
    assert!((1.0..2.5).contains(&ratio), "{} x {}", placed.width, placed.height);
    assert_eq!(placed, place(drawn));
}

#[test]
fn the_largest_picture_takes_no_time_to_speak_of() {
    let nodes: Vec<_> =
        (0..500).map(|at| node(["Service", "Deployment", "ConfigMap"][at % 3], &at.to_string(), 0)).collect();
    let edges: Vec<(u32, u32)> =
        (0..5_000).map(|at| (at % 500, at * 7 % 500)).filter(|(a, b)| a != b).collect();
    let began = std::time::Instant::now();
    check(&place(picture(nodes, &edges)));
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
}
