//! A place for each node: in each group what leads to something stands left of it, and groups fill the picture row by row.
//! Pure, and the same for the same input.

use std::collections::HashMap;

use app::model::picture::{NODE_HEIGHT, NODE_WIDTH};
use app::model::{Picture, PictureEdge, PictureNode};

/// The room between two columns.
const COLUMN_GAP: u32 = 64;
/// The room between two rows.
const ROW_GAP: u32 = 24;
/// The room within a group's border.
const PADDING: u32 = 16;
/// The room for a group's name.
const HEADER: u32 = 32;
/// The room between two groups.
const GROUP_GAP: u32 = 32;
/// The last layer. Chains of objects are shorter.
const LAYER_MAX: u32 = 7;
/// How many columns those have that have nothing to do with others.
const LOOSE_COLUMNS: usize = 4;
/// How often the order within layers is bettered.
const SWEEPS: usize = 4;

/// Gives everything in `picture` its place.
pub(super) fn place(mut picture: Picture) -> Picture {
    let layers = layers(&picture.nodes, &picture.edges);
    let near = neighbours(&picture.edges, picture.nodes.len());
    let mut boxes = Vec::new();
    for group in 0..picture.groups.len() {
        let members: Vec<usize> =
            (0..picture.nodes.len()).filter(|at| picture.nodes[*at].group as usize == group).collect();
        boxes.push(arrange(&mut picture.nodes, &members, &layers, &near));
    }
    let (width, height, corners) = pack(&boxes);
    for (group, ((x, y), (box_width, box_height))) in
        picture.groups.iter_mut().zip(corners.into_iter().zip(boxes))
    {
        (group.x, group.y, group.width, group.height) = (x, y, box_width, box_height);
    }
    for node in &mut picture.nodes {
        if let Some(group) = picture.groups.get(node.group as usize) {
            node.x += group.x;
            node.y += group.y;
        }
    }
    (picture.width, picture.height) = (width, height);
    picture
}

/// Where a kind stands at least, so that the same kinds of all groups are below each other: ways in, services and what acts
/// on workloads, workloads, what those use.
fn base(node: &PictureNode) -> u32 {
    match node.object.kind.as_str() {
        "Ingress" | "Route" | "Gateway" | "HTTPRoute" | "GRPCRoute" | "TCPRoute" | "TLSRoute" => 0,
        "Service"
        | "HorizontalPodAutoscaler"
        | "PodDisruptionBudget"
        | "NetworkPolicy"
        | "CronJob"
        | "ServiceMonitor"
        | "PodMonitor"
        | "ScaledObject"
        | "VerticalPodAutoscaler" => 1,
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Job" | "Pod" => 2,
        "RoleBinding" | "ClusterRoleBinding" => 3,
        "ConfigMap" | "Secret" | "PersistentVolumeClaim" | "ServiceAccount" | "Role" | "ClusterRole" => 4,
        _ => 1,
    }
}

/// The layer of each node: right of all that leads to it. What leads back is not followed.
fn layers(nodes: &[PictureNode], edges: &[PictureEdge]) -> Vec<u32> {
    let mut layers: Vec<u32> = nodes.iter().map(base).collect();
    let bases = layers.clone();
    for _ in 0..LAYER_MAX {
        let before = layers.clone();
        for edge in edges {
            let (from, to) = (edge.from as usize, edge.to as usize);
            if bases[from] <= bases[to] {
                layers[to] = layers[to].max(before[from] + 1).min(LAYER_MAX);
            }
        }
        if layers == before {
            break;
        }
    }
    layers
}

fn neighbours(edges: &[PictureEdge], nodes: usize) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); nodes];
    for edge in edges {
        near[edge.from as usize].push(edge.to as usize);
        near[edge.to as usize].push(edge.from as usize);
    }
    near
}

/// Places the `members` of a group relative to its corner, and gives its size.
fn arrange(nodes: &mut [PictureNode], members: &[usize], layers: &[u32], near: &[Vec<usize>]) -> (u32, u32) {
    let (joined, loose): (Vec<usize>, Vec<usize>) = members.iter().partition(|at| !near[**at].is_empty());
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for layer in 0..=LAYER_MAX {
        let column: Vec<usize> = joined.iter().copied().filter(|at| layers[*at] == layer).collect();
        if !column.is_empty() {
            columns.push(column);
        }
    }
    straighten(&mut columns, near);
    let (cell_width, cell_height) = (NODE_WIDTH + COLUMN_GAP, NODE_HEIGHT + ROW_GAP);
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(0);
    for (column, of_column) in columns.iter().enumerate() {
        // Shorter columns stand in the middle.
        let above = length(tallest - of_column.len()) * cell_height / 2;
        for (row, at) in of_column.iter().enumerate() {
            nodes[*at].x = PADDING + length(column) * cell_width;
            nodes[*at].y = HEADER + PADDING + above + length(row) * cell_height;
        }
    }
    // What has nothing to do with others stands below, side by side.
    let wide = columns.len().max(LOOSE_COLUMNS.min(loose.len()));
    for (number, at) in loose.iter().enumerate() {
        nodes[*at].x = PADDING + length(number % wide) * cell_width;
        nodes[*at].y = HEADER + PADDING + length(tallest + number / wide) * cell_height;
    }
    let rows = length(tallest + loose.len().div_ceil(wide.max(1)));
    let width = 2 * PADDING + (length(wide) * cell_width).saturating_sub(COLUMN_GAP);
    let height = HEADER + 2 * PADDING + (rows * cell_height).saturating_sub(ROW_GAP);
    (width, height)
}

/// Orders each column by where the neighbours of its nodes stand, back and forth, so that few edges cross.
fn straighten(columns: &mut [Vec<usize>], near: &[Vec<usize>]) {
    let mut heights: HashMap<usize, u64> = HashMap::new();
    // In thousandths of a row from the middle of the column, raised so that none is negative.
    let height = |row: usize, rows: usize| 1_000_000 + row as u64 * 1_000 - (rows as u64 - 1) * 500;
    for column in columns.iter() {
        heights.extend(column.iter().enumerate().map(|(row, at)| (*at, height(row, column.len()))));
    }
    for sweep in 0..SWEEPS {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..columns.len()).collect() } else { (0..columns.len()).rev().collect() };
        for number in order {
            let column = &mut columns[number];
            column.sort_by_cached_key(|at| {
                let around: Vec<u64> =
                    near[*at].iter().filter_map(|other| heights.get(other).copied()).collect();
                let own = heights.get(at).copied().unwrap_or_default();
                let mean = around.iter().sum::<u64>().checked_div(around.len() as u64).unwrap_or(own);
                (mean, own)
            });
            let rows = column.len();
            heights.extend(column.iter().enumerate().map(|(row, at)| (*at, height(row, rows))));
        }
    }
}

/// Puts boxes side by side in rows, so that the whole is about as wide as a screen is: its size, and a corner for each.
fn pack(boxes: &[(u32, u32)]) -> (u32, u32, Vec<(u32, u32)>) {
    let area: u64 = boxes
        .iter()
        .map(|(width, height)| u64::from(width + GROUP_GAP) * u64::from(height + GROUP_GAP))
        .sum();
    let widest = boxes.iter().map(|(width, _)| *width).max().unwrap_or(0);
    let wide = u32::try_from((area * 8 / 5).isqrt()).unwrap_or(u32::MAX).max(widest);
    let (mut x, mut y, mut row_height, mut full_width) = (0, 0, 0, 0);
    let mut corners = Vec::new();
    for (width, height) in boxes {
        if x > 0 && x + width > wide {
            (x, y, row_height) = (0, y + row_height + GROUP_GAP, 0);
        }
        corners.push((x, y));
        full_width = full_width.max(x + width);
        row_height = row_height.max(*height);
        x += width + GROUP_GAP;
    }
    (full_width, y + row_height, corners)
}

fn length(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
