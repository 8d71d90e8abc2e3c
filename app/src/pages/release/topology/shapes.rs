//! The shapes of the picture as SVG: made of numbers and of class names alone, so that nothing of a chart is in them. Texts
//! are put beside them as texts. Pure.

use crate::model::picture::{NODE_HEIGHT, NODE_WIDTH};
use crate::model::{Picture, PictureEdge, PictureNode, PodCounts, Relation};

/// How many characters of a name there is room for.
const NAME_MAX: usize = 15;

/// The class of what an edge means.
pub fn class(relation: Relation) -> &'static str {
    match relation {
        Relation::Routes => "edge edge-routes",
        Relation::Selects => "edge edge-selects",
        Relation::Scales => "edge edge-scales",
        Relation::Owns => "edge edge-owns",
        Relation::Mounts => "edge edge-mounts",
        Relation::Uses => "edge edge-uses",
    }
}

/// All edges.
pub fn edges(picture: &Picture) -> String {
    let mut shapes = String::new();
    for edge in &picture.edges {
        if let Some(path) = path(&picture.nodes, edge) {
            shapes.push_str("<path class=\"");
            shapes.push_str(class(edge.relation));
            shapes.push_str("\" marker-end=\"url(#arrow)\" d=\"");
            shapes.push_str(&path);
            shapes.push_str("\"/>");
        }
    }
    shapes
}

/// The boxes around the sub-charts.
pub fn boxes(picture: &Picture) -> String {
    let shape = |[x, y, width, height]: [u32; 4]| {
        let [x, y, width, height] = [x, y, width, height].map(|it| it.to_string());
        [
            "<rect class=\"group-box\" rx=\"16\" x=\"",
            &x,
            "\" y=\"",
            &y,
            "\" width=\"",
            &width,
            "\" height=\"",
            &height,
            "\"/>",
        ]
        .concat()
    };
    picture.groups.iter().map(|group| shape([group.x, group.y, group.width, group.height])).collect()
}

/// From the side of one node to the side of the other that faces it.
fn path(nodes: &[PictureNode], edge: &PictureEdge) -> Option<String> {
    let corner = |at: u32| nodes.get(at as usize).map(|node| (i64::from(node.x), i64::from(node.y)));
    let ((from_x, from_y), (to_x, to_y)) = (corner(edge.from)?, corner(edge.to)?);
    let (width, height) = (i64::from(NODE_WIDTH), i64::from(NODE_HEIGHT));
    let middle = height / 2;
    // The room that the arrow's head takes.
    let head = 6;
    let points = if to_x >= from_x + width {
        let bend = (to_x - from_x - width) / 2;
        let (start, end) = (from_x + width, to_x - head);
        [
            (start, from_y + middle),
            (start + bend, from_y + middle),
            (end - bend, to_y + middle),
            (end, to_y + middle),
        ]
    } else if from_x >= to_x + width {
        let bend = (from_x - to_x - width) / 2;
        let (start, end) = (from_x, to_x + width + head);
        [
            (start, from_y + middle),
            (start - bend, from_y + middle),
            (end + bend, to_y + middle),
            (end, to_y + middle),
        ]
    } else {
        let (x, to) = (from_x + width / 2, to_x + width / 2);
        let (start, end) =
            if to_y >= from_y { (from_y + height, to_y - head) } else { (from_y, to_y + height + head) };
        let bend = (end - start) / 2;
        [(x, start), (x, start + bend), (to, end - bend), (to, end)]
    };
    let mut path = String::from("M");
    for (number, (x, y)) in points.into_iter().enumerate() {
        path.push_str(["", " C", " ", " "][number]);
        path.push_str(&x.to_string());
        path.push(',');
        path.push_str(&y.to_string());
    }
    Some(path)
}

/// The ring of a workload: a part for its pods that are ready, one for those on their way, one for the failed ones.
pub fn ring(pods: PodCounts) -> String {
    let whole = pods.total.max(1).to_string();
    let mut shapes = "<circle class=\"ring\" cx=\"24\" cy=\"24\" r=\"15\"/>".to_owned();
    let mut before = 0;
    for (class, part) in [
        ("ring ring-ready", pods.ready),
        ("ring ring-progress", pods.progressing),
        ("ring ring-failed", pods.failed),
    ] {
        if part > 0 {
            let (part, offset) = (part.to_string(), before.to_string());
            shapes.extend([
                "<circle class=\"",
                class,
                "\" cx=\"24\" cy=\"24\" r=\"15\" pathLength=\"",
                &whole,
                "\" stroke-dasharray=\"",
                &part,
                " ",
                &whole,
                "\" stroke-dashoffset=\"-",
                &offset,
                "\"/>",
            ]);
        }
        before += part;
    }
    shapes
}

/// A name that there is room for: its end tells as much as its beginning.
pub fn shortened(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= NAME_MAX {
        return name.to_owned();
    }
    let end = (NAME_MAX - 1) / 2;
    let start = NAME_MAX - 1 - end;
    let beginning = chars.iter().take(start);
    beginning.chain(std::iter::once(&'…')).chain(chars.iter().skip(chars.len() - end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Health, ObjectRef};

    fn node(x: u32, y: u32) -> PictureNode {
        PictureNode {
            object: ObjectRef {
                api_version: String::new(),
                kind: String::new(),
                namespace: None,
                name: String::new(),
            },
            group: 0,
            is_in_manifest: true,
            is_hook: false,
            health: Health::Ready,
            message: String::new(),
            pods: None,
            x,
            y,
        }
    }

    #[test]
    fn an_edge_goes_from_the_side_that_faces_the_other_node() {
        let nodes = [node(0, 0), node(224, 72), node(0, 144)];
        let edge = |from, to| path(&nodes, &PictureEdge { from, to, relation: Relation::Owns });
        assert_eq!(edge(0, 1).as_deref(), Some("M160,24 C192,24 186,96 218,96"));
        assert_eq!(edge(1, 0).as_deref(), Some("M224,96 C192,96 198,24 166,24"));
        assert_eq!(edge(0, 2).as_deref(), Some("M80,48 C80,93 80,93 80,138"));
        assert_eq!(edge(2, 0).as_deref(), Some("M80,144 C80,99 80,99 80,54"));
        assert_eq!(edge(0, 9), None);
    }

    #[test]
    fn the_parts_of_a_ring_follow_each_other() {
        let ring = ring(PodCounts { ready: 2, progressing: 0, failed: 1, total: 4 });
        assert!(
            ring.contains("ring-ready") && ring.contains("stroke-dasharray=\"2 4\" stroke-dashoffset=\"-0\"")
        );
        assert!(
            ring.contains("ring-failed")
                && ring.contains("stroke-dasharray=\"1 4\" stroke-dashoffset=\"-2\"")
        );
        assert!(!ring.contains("ring-progress"));
    }

    #[test]
    fn a_long_name_keeps_its_ends() {
        for (name, short) in [
            ("web", "web"),
            ("exactly-fifteen", "exactly-fifteen"),
            ("hook-fails-migrate", "hook-fa…migrate"),
            ("übergrößenträgerin", "übergrö…rägerin"),
        ] {
            assert_eq!(shortened(name), short);
        }
    }
}
