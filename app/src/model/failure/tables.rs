//! The known texts of helm 3, helm 4 and Kubernetes, what kind of failure each is, and what to tell a person.
//!
//! The first rule that fits wins, and the order of the tables matters: a chart's or a policy's own words can contain any
//! other text, so those rules come first; texts of webhooks and quotas contain words of the later tables.

use super::FailureClass::{self, Cancelled, Hook, Locked, Permanent, TimedOut, Transient};

/// One known text.
pub(super) struct Rule {
    /// All of these are in it, in lower case…
    all: &'static [&'static str],
    /// …and one of these, unless there are none.
    any: &'static [&'static str],
    /// What kind of failure it is.
    pub class: FailureClass,
    /// The cause; `{1}` and `{2}` stand for the first and second quoted words of the text.
    pub cause: &'static str,
    /// What to do.
    pub advice: &'static str,
}

/// The rule that fits `text`, if there is one.
pub(super) fn find(text: &str) -> Option<&'static Rule> {
    let text = text.to_ascii_lowercase();
    TABLES.iter().flat_map(|table| table.iter()).find(|rule| rule.fits(&text))
}

/// Whether a chart or a policy speaks in `text`, possibly over many lines.
pub(super) fn is_told_by_others(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    TOLD_BY_OTHERS.iter().any(|rule| rule.fits(&text))
}

impl Rule {
    fn fits(&self, text: &str) -> bool {
        self.all.iter().all(|words| text.contains(words))
            && (self.any.is_empty() || self.any.iter().any(|words| text.contains(words)))
    }
}

const TABLES: [&[Rule]; 4] = [TOLD_BY_OTHERS, PASSING, LASTING, DEPENDS];

const fn rule(
    class: FailureClass,
    all: &'static [&'static str],
    any: &'static [&'static str],
    cause: &'static str,
    advice: &'static str,
) -> Rule {
    Rule { all, any, class, cause, advice }
}

const FIX_VALUES: &str = "Correct the values and submit again.";
const ASK_AUTHOR: &str = "This is a defect of the chart: try another version, or tell its authors.";
const TRY_LATER: &str = "Try again; if it keeps happening, look at the cluster's control plane.";
const CHECK_SOURCE: &str = "Check the chart's name and version, and the repository's address.";

#[rustfmt::skip]
const TOLD_BY_OTHERS: &[Rule] = &[
    rule(Permanent, &["values don't meet the specifications of the schema"], &[],
        "The values do not satisfy the chart's schema.", FIX_VALUES),
    rule(Permanent, &["execution error at ("], &[],
        "The chart refuses these values while it is rendered.", FIX_VALUES),
    rule(Permanent, &["parse error at ("], &[],
        "A template of the chart cannot be parsed.", ASK_AUTHOR),
    rule(Permanent, &["yaml parse error on "], &[],
        "A template of the chart renders to text that is not YAML, with these values.",
        "Correct the values that the template uses; if they are right, it is a defect of the chart."),
    rule(Permanent, &["admission webhook ", "denied the request"], &[],
        "The cluster's policy (admission webhook {1}) refuses an object.",
        "The text says what the policy asks for; change the values accordingly, or ask who runs the policy."),
];

#[rustfmt::skip]
const PASSING: &[Rule] = &[
    rule(Transient, &["operation cannot be fulfilled on resourcequotas", "the object has been modified"], &[],
        "The quota {1} was being updated by others at the same moment.", "Try again."),
    rule(Transient, &["operation cannot be fulfilled on ", "the object has been modified"], &[],
        "{1} was being changed by somebody else at the same moment.", "Try again."),
    rule(Transient, &[], &["etcdserver: request timed out", "etcdserver: leader changed", "raft proposal dropped"],
        "The cluster's store did not answer in time.", TRY_LATER),
    rule(Transient, &["could not get apiversions from kubernetes", "unable to handle the request"], &[],
        "An API that another service provides is not up.", "Try again when that service runs; the text names the API."),
    rule(Transient, &["failed calling webhook"],
        &["connection refused", "no endpoints available for service", "endpoints \"", "i/o timeout",
          "context deadline exceeded", "service unavailable", "eof", "connection reset by peer"],
        "The admission webhook {1} does not answer; its pod may be starting.",
        "Try again when the webhook's pods are ready."),
    rule(Transient, &["conversion webhook for ", "failed"], &["connection refused", "no endpoints available", "i/o timeout", "context deadline exceeded"],
        "A conversion webhook does not answer; its pod may be starting.",
        "Try again when the webhook's pods are ready."),
    rule(Transient, &["unable to create new content in namespace", "being terminated"], &[],
        "The namespace is being deleted.", "Try again when it is gone."),
    rule(Transient, &["kubernetes cluster unreachable"],
        &["tls handshake timeout", "connection refused", "i/o timeout", ": eof", "awaiting headers", "no route to host",
          "connection reset by peer", "the server is currently unable to handle"],
        "The cluster's API server could not be reached.", TRY_LATER),
    rule(Transient, &["failed to fetch "], &[" : 429", " : 500", " : 502", " : 503", " : 504"],
        "The chart's repository did not answer as it should.", "Try again; if it keeps happening, look at the repository."),
    rule(Transient, &[], &["no such host", "temporary failure in name resolution", "server misbehaving"],
        "A host's name could not be resolved.", "Check the repository's address, and try again."),
    rule(Transient, &["not a valid chart repository or cannot be reached"], &["connection refused", "i/o timeout", "tls handshake timeout", "deadline exceeded", "eof"],
        "The chart's repository could not be reached.", "Try again; if it keeps happening, check the repository's address."),
    rule(Transient, &[],
        &["http2: client connection lost", "connection reset by peer", "unexpected eof", "tls handshake timeout",
          "server is currently unable to handle the request", "unable to return a response in the time allotted",
          "server has received too many requests", "connect: connection refused"],
        "A connection broke, or a server was too busy.", TRY_LATER),
];

#[rustfmt::skip]
const LASTING: &[Rule] = &[
    rule(Permanent, &["name that is still in use"], &["cannot re-use a", "cannot reuse a"],
        "A release of this name exists.", "Upgrade or uninstall that release, or choose another name."),
    rule(Permanent, &["has no deployed releases"], &[],
        "No revision of the release was ever deployed, so there is nothing to upgrade.",
        "Uninstall the release and install it again."),
    rule(Permanent, &["release: not found"], &[],
        "There is no such release.", "Nothing is left to be done."),
    rule(Permanent, &[], &["too long: must have at most 1048576", "too long: may not be more than 1048576", "request entity too large"],
        "The chart and its values are too big for helm's record.",
        "Use smaller values, or a chart without large files; the limit is 1 MiB compressed."),
    rule(Permanent, &[], &["unable to build kubernetes objects from current release manifest", "current release manifest contains removed kubernetes api"],
        "The release as it is deployed uses APIs that this cluster no longer has.",
        "Its record has to be mapped to the new APIs (helm's mapkubeapis plug-in), or the release installed anew."),
    rule(Permanent, &["no matches for kind \""], &[],
        "The cluster does not know a kind of object that the chart uses.",
        "Install the custom resource definition that it needs, or a chart version for this cluster."),
    rule(Permanent, &["exists and cannot be imported into the current release"], &[],
        "An object that the chart wants to create exists and belongs to something else.",
        "Look at who owns it; rename or remove it, or choose another release name."),
    rule(Permanent, &[], &["field is immutable", "updates to statefulset spec for fields other than"],
        "The upgrade changes a field that cannot be changed on an existing object.",
        "Delete the object and upgrade again, or keep the old value."),
    rule(Permanent, &["apply failed with ", "conflict"], &[],
        "Another manager owns fields that the chart sets ({1}).",
        "Find out who manages them; helm can take them over with --force-conflicts."),
    rule(Permanent, &[], &["exceeded quota: ", "failed quota: "],
        "The namespace's quota does not allow it.", "Ask for less, or for a larger quota; the text has the numbers."),
    rule(Permanent, &[": service \"", "not found", "webhook"], &[],
        "An admission webhook points to a service that does not exist.",
        "Remove the orphaned webhook configuration, or install the service again."),
    rule(Permanent, &["is forbidden: ", " cannot "], &[],
        "The identity that helm works with may not do this: {2}.", "Ask for the right that the text names."),
    rule(Permanent, &["invalid release name"], &[],
        "helm does not take this release name.", "Choose a name of lower-case letters, digits and '-', at most 53 characters."),
    rule(Permanent, &[], &["missing in charts/ directory", "library charts are not installable", "chart.yaml file is missing", "chart metadata is missing"],
        "The chart is not complete, or not made to be installed.", ASK_AUTHOR),
    rule(Permanent, &["chart requires kubeversion"], &[],
        "The chart does not support this cluster's version of Kubernetes.", "Choose another version of the chart."),
    rule(Permanent, &["failed to fetch "], &[" : 401", " : 403"],
        "The repository does not let Slipway read the chart.", "Check the repository's credentials."),
    rule(Permanent, &["failed to fetch "], &[" : 404", " : 410"],
        "The chart's archive is not where the repository says.", CHECK_SOURCE),
    rule(Permanent, &["not found in "], &["chart \""],
        "The repository does not have the chart {1} in this version.", CHECK_SOURCE),
    rule(Permanent, &[], &["no chart version found for", "no chart name found", "unable to locate any tags in provided repository",
          "could not locate a version matching", "not a valid chart repository", "invalid_reference"],
        "The chart was not found at its source.", CHECK_SOURCE),
    rule(Permanent, &["namespaces \"", "\" not found"], &[],
        "The namespace {1} does not exist.", "Create the namespace, or let the install create it."),
    rule(Permanent, &["x509: "], &[],
        "A server's certificate is not trusted.", "Add its authority to the trusted ones, or correct the address."),
    rule(Permanent, &[], &["unauthorized", "must be logged in to the server", "the server has asked for the client to provide credentials"],
        "The credentials are not accepted.", "Sign in again, or correct the credentials."),
    rule(Permanent, &["already exists"], &["configmaps \"", "services \"", "deployments.apps \"", "serviceaccounts \"", "jobs.batch \""],
        "The object {1} exists already.", "Remove it, or find out which release it belongs to."),
    rule(Permanent, &[" is invalid: "], &[],
        "The cluster refuses an object of the chart as invalid.", FIX_VALUES),
    rule(Permanent, &["error validating data"], &[],
        "An object of the chart has fields that the cluster does not know.", FIX_VALUES),
];

#[rustfmt::skip]
const DEPENDS: &[Rule] = &[
    rule(Locked, &[], &["(install/upgrade/rollback) is in progress", "release: already exists"],
        "Another helm works on this release, or died while it did.",
        "Wait for it; if the release stays pending and nobody works on it, roll it back or uninstall it."),
    rule(Locked, &["secrets \"sh.helm.release.v1.", "already exists"], &[],
        "Another helm wrote this release at the same moment.", "Wait for it to finish."),
    rule(Hook, &["failed: "], &["backofflimitexceeded", "deadlineexceeded"],
        "A hook's job failed.", "Its pod's log says why; correct that and submit again."),
    rule(Hook, &["resource job/", "not ready. status: failed"], &[],
        "A job failed.", "Its pod's log says why; correct that and submit again."),
    rule(Hook, &["pod ", " failed"], &[],
        "A hook's pod failed.", "Its log says why; correct that and submit again."),
    rule(Cancelled, &[], &["context canceled", "context cancelled"],
        "helm was told to stop.", "Submit again when you are ready."),
    rule(TimedOut, &["resource ", " not ready. status: "], &[],
        "Not everything became ready in time.",
        "What was created stays and may yet become ready; look at the resources that are not."),
    rule(TimedOut, &[], &["timed out waiting for the condition", "context deadline exceeded", "would exceed context deadline"],
        "Not everything became ready in time.",
        "What was created stays and may yet become ready; look at the resources that are not."),
];
