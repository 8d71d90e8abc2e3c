//! The nodes and edges of a picture, without places. Pure.

use std::collections::{HashMap, HashSet};

use app::model::{
    Health, ObjectRef, Picture, PictureEdge, PictureGroup, PictureNode, PodCounts, Relation, Resource,
};
use serde_json::Value;

use super::relations::{CLAIM, Link, links, template};
use crate::kube::objects::Owner;
use crate::releases::family::group;

/// The most objects in a picture: more cannot be looked at.
pub(super) const NODES_MAX: usize = 500;
/// The most edges in it.
const EDGES_MAX: usize = 5_000;

/// What a picture is made of.
pub(super) struct Sketch<'a> {
    /// The objects of the manifest.
    pub resources: &'a [Resource],
    /// What the manifest says of each; null where that is not known.
    pub specs: &'a [Value],
    /// The pods that belong to them.
    pub pods: &'a [PodSeen],
}

/// A pod that belongs to an object of the manifest.
pub(super) struct PodSeen {
    /// The place of that object.
    pub root: usize,
    /// Those between the pod and that object, from below.
    pub between: Vec<Owner>,
    pub namespace: Option<String>,
    pub health: Health,
    /// The volume claims that it has.
    pub claims: Vec<String>,
}

/// A picture in the making.
struct Drawing<'a> {
    of: &'a Sketch<'a>,
    nodes: Vec<PictureNode>,
    /// The nodes of the manifest's objects, by their places there.
    nodes_of: HashMap<usize, u32>,
    /// The nodes by kind, namespace and name.
    names: HashMap<(String, Option<String>, String), u32>,
    edges: Vec<PictureEdge>,
    joined: HashSet<(u32, u32)>,
    groups: Vec<PictureGroup>,
    left_out: u32,
}

/// The nodes, edges and groups of `of`.
pub(super) fn of(of: &Sketch<'_>) -> Picture {
    let mut drawing = Drawing {
        of,
        nodes: Vec::new(),
        nodes_of: HashMap::new(),
        names: HashMap::new(),
        edges: Vec::new(),
        joined: HashSet::new(),
        groups: Vec::new(),
        left_out: 0,
    };
    drawing.add_resources();
    drawing.add_pods();
    drawing.add_links();
    let Drawing { nodes, edges, groups, left_out, .. } = drawing;
    Picture { nodes, edges, groups, left_out, ..Picture::default() }
}

/// `picture` without the number of pods where those of `listed` namespaces alone are known: none is not the same as unknown.
pub(super) fn with_known_pods(mut picture: Picture, listed: &[String]) -> Picture {
    for node in &mut picture.nodes {
        let is_listed = node.object.namespace.as_ref().is_some_and(|namespace| listed.contains(namespace));
        node.pods = node.pods.filter(|_| is_listed);
    }
    picture
}

/// How much an object says in a picture: of too many those with a high number are left out.
fn weight(object: &ObjectRef) -> u8 {
    match object.kind.as_str() {
        "Deployment" | "StatefulSet" | "DaemonSet" | "CronJob" | "Job" | "ReplicaSet" | "Pod" => 0,
        "Service" | "Ingress" | "Route" | "HTTPRoute" | "Gateway" => 1,
        CLAIM | "HorizontalPodAutoscaler" => 2,
        "ConfigMap" | "Secret" => 4,
        _ if group(&object.api_version).ends_with("k8s.io") => 5,
        _ => 3,
    }
}

impl Drawing<'_> {
    fn add_resources(&mut self) {
        let resources = self.of.resources;
        let mut order: Vec<usize> = (0..resources.len()).collect();
        order.sort_by_key(|place| resources.get(*place).map(|it| (weight(&it.object), *place)));
        let mut shown: Vec<usize> = order.iter().copied().take(NODES_MAX).collect();
        self.left_out = count(order.len() - shown.len());
        shown.sort_unstable();
        for place in shown {
            let Some(resource) = resources.get(place) else { continue };
            let spec = self.of.specs.get(place).unwrap_or(&Value::Null);
            let makes_pods = template(spec).is_some() && resource.object.kind != "Pod";
            let group = self.group(&resource.source);
            let node = self.add(PictureNode {
                object: resource.object.clone(),
                group,
                is_in_manifest: true,
                is_hook: !resource.hooks.is_empty(),
                health: resource.health,
                message: resource.message.clone(),
                pods: makes_pods.then(PodCounts::default),
                x: 0,
                y: 0,
            });
            if let Some(node) = node {
                self.nodes_of.insert(place, node);
            }
        }
    }

    fn group(&mut self, source: &str) -> u32 {
        if let Some(known) = self.groups.iter().position(|group| group.source == source) {
            return count(known);
        }
        self.groups.push(PictureGroup { source: source.to_owned(), x: 0, y: 0, width: 0, height: 0 });
        count(self.groups.len() - 1)
    }

    /// Adds a node, unless there are too many. Of two of the same name the first one is meant.
    fn add(&mut self, node: PictureNode) -> Option<u32> {
        if self.nodes.len() >= NODES_MAX {
            self.left_out += 1;
            return None;
        }
        let at = count(self.nodes.len());
        let ObjectRef { kind, namespace, name, .. } = node.object.clone();
        self.names.entry((kind, namespace, name)).or_insert(at);
        self.nodes.push(node);
        Some(at)
    }

    /// Adds those that something in the manifest made, and counts pods.
    fn add_pods(&mut self) {
        for pod in self.of.pods {
            let Some(mut above) = self.nodes_of.get(&pod.root).copied() else { continue };
            // A Deployment's replica sets are its own business.
            let between = pod.between.iter().rev().filter(|owner| owner.object.kind != "ReplicaSet");
            for owner in between {
                let Some(node) = self.made(&owner.object, above, pod.health) else { break };
                self.join(above, node, Relation::Owns);
                above = node;
            }
            for claim in &pod.claims {
                let object = ObjectRef {
                    api_version: "v1".to_owned(),
                    kind: CLAIM.to_owned(),
                    namespace: pod.namespace.clone(),
                    name: claim.clone(),
                };
                if let Some(node) = self.made(&object, above, pod.health) {
                    self.join(above, node, Relation::Mounts);
                }
            }
            if let Some(node) = self.nodes.get_mut(above as usize).filter(|node| node.object.kind != "Pod") {
                let counts = node.pods.get_or_insert_default();
                counts.total += 1;
                match pod.health {
                    Health::Ready => counts.ready += 1,
                    Health::Failed => counts.failed += 1,
                    _ => counts.progressing += 1,
                }
            }
        }
    }

    /// The node of an object, which is made if there is none. Of what is not in the manifest its pods tell how it does: one
    /// that runs has its volumes.
    fn made(&mut self, object: &ObjectRef, above: u32, health: Health) -> Option<u32> {
        let name = (object.kind.clone(), object.namespace.clone(), object.name.clone());
        if let Some(known) = self.names.get(&name).copied() {
            if let Some(node) = self.nodes.get_mut(known as usize).filter(|node| !node.is_in_manifest) {
                node.health = worse(node.health, health);
            }
            return Some(known);
        }
        let group = self.nodes.get(above as usize)?.group;
        self.add(PictureNode {
            object: object.clone(),
            group,
            is_in_manifest: false,
            is_hook: false,
            health,
            message: String::new(),
            pods: None,
            x: 0,
            y: 0,
        })
    }

    fn add_links(&mut self) {
        let mut places: Vec<(usize, u32)> =
            self.nodes_of.iter().map(|(place, node)| (*place, *node)).collect();
        places.sort_unstable();
        // Who makes pods with which labels, and which services have which.
        let labels =
            |spec: &'static str, value: &Value| value.pointer(spec).and_then(Value::as_object).cloned();
        let mut pods = Vec::new();
        let mut services = Vec::new();
        for (place, node) in &places {
            let Some(spec) = self.of.specs.get(*place) else { continue };
            if let Some(found) = template(spec).and_then(|it| labels("/metadata/labels", it)) {
                pods.push((*node, found));
            }
            if let (Some("Service"), Some(found)) = (spec["kind"].as_str(), labels("/metadata/labels", spec))
            {
                services.push((*node, found));
            }
        }
        for (place, node) in places {
            let Some(spec) = self.of.specs.get(place) else { continue };
            for link in links(spec) {
                match link {
                    Link::Named { relation, kind, namespace, name } => {
                        if let Some(other) = self.find(node, kind, namespace, name) {
                            self.join(node, other, relation);
                        }
                    }
                    Link::NamedBy { relation, kind, name } => {
                        if let Some(other) = self.find(node, kind, None, name) {
                            self.join(other, node, relation);
                        }
                    }
                    Link::Pods(selector) => {
                        for (other, _) in pods.iter().filter(|(_, labels)| selector.selects(labels)) {
                            self.join_if_near(node, *other, Relation::Selects);
                        }
                    }
                    Link::Services(selector) => {
                        for (other, _) in services.iter().filter(|(_, labels)| selector.selects(labels)) {
                            self.join_if_near(node, *other, Relation::Selects);
                        }
                    }
                }
            }
        }
    }

    /// The node of this name that `from` means: in its own namespace, unless it names another; or without one.
    fn find(&self, from: u32, kind: &str, namespace: Option<&str>, name: &str) -> Option<u32> {
        let own = self.nodes.get(from as usize)?.object.namespace.clone();
        let namespace = namespace.map(str::to_owned).or(own);
        let named = |namespace| self.names.get(&(kind.to_owned(), namespace, name.to_owned())).copied();
        named(namespace).or_else(|| named(None))
    }

    fn join_if_near(&mut self, from: u32, to: u32, relation: Relation) {
        let namespace = |node: u32| self.nodes.get(node as usize).map(|it| &it.object.namespace);
        if namespace(from) == namespace(to) {
            self.join(from, to, relation);
        }
    }

    /// Two objects are joined once, by what is told first.
    fn join(&mut self, from: u32, to: u32, relation: Relation) {
        if from != to && self.edges.len() < EDGES_MAX && self.joined.insert((from, to)) {
            self.edges.push(PictureEdge { from, to, relation });
        }
    }
}

/// What of the two is told of something that has both.
fn worse(a: Health, b: Health) -> Health {
    let rank = |health| match health {
        Health::Failed => 0,
        Health::Progressing | Health::Terminating | Health::Missing | Health::NotYet => 1,
        Health::Unknown => 2,
        Health::Ready => 3,
    };
    if rank(b) < rank(a) { b } else { a }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
