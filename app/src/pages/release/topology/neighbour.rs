//! Which node lies next to another one. Pure.

use crate::model::PictureNode;

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

impl Direction {
    /// That of an arrow key.
    pub fn of(key: &str) -> Option<Self> {
        match key {
            "ArrowLeft" => Some(Self::Left),
            "ArrowRight" => Some(Self::Right),
            "ArrowUp" => Some(Self::Up),
            "ArrowDown" => Some(Self::Down),
            _ => None,
        }
    }
}

/// The nearest node of `nodes` in that direction from the one at `from`; what lies aside is farther away than it is.
pub fn neighbour(nodes: &[PictureNode], from: usize, direction: Direction) -> Option<usize> {
    let here = nodes.get(from)?;
    let distance = |node: &PictureNode| {
        let (right, down) = (i64::from(node.x) - i64::from(here.x), i64::from(node.y) - i64::from(here.y));
        let (along, aside) = match direction {
            Direction::Left => (-right, down),
            Direction::Right => (right, down),
            Direction::Up => (-down, right),
            Direction::Down => (down, right),
        };
        (along > 0).then(|| along + 3 * aside.abs())
    };
    let all = nodes.iter().enumerate();
    all.filter_map(|(at, node)| Some((distance(node)?, at))).min().map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Health, ObjectRef};

    #[test]
    fn arrows_lead_to_what_lies_next() {
        // 0  1  2
        //    3
        // 4     5
        let places = [(0, 0), (200, 0), (400, 0), (200, 70), (0, 140), (400, 140)];
        let nodes: Vec<PictureNode> = places
            .into_iter()
            .map(|(x, y)| PictureNode {
                object: ObjectRef {
                    api_version: "v1".into(),
                    kind: "Pod".into(),
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
            })
            .collect();
        use Direction::{Down, Left, Right, Up};
        for (from, direction, to) in [
            (0, Right, Some(1)),
            (1, Right, Some(2)),
            (2, Right, None),
            (2, Left, Some(1)),
            (1, Down, Some(3)),
            (3, Up, Some(1)),
            (0, Down, Some(4)),
            (4, Right, Some(5)),
            (5, Up, Some(2)),
            (0, Up, None),
            (9, Up, None),
        ] {
            assert_eq!(neighbour(&nodes, from, direction), to, "{from} {direction:?}");
        }
        assert_eq!([Direction::of("ArrowUp"), Direction::of("a")], [Some(Up), None]);
    }
}
