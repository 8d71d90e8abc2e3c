//! Races and outages: the same again may succeed.

use super::super::retry::Again;
use super::{Rule, TRY_LATER, TRY_SOURCE_LATER, rule};
use crate::model::{FailureClass::Transient, NextAction::*};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule(Transient, &["operation cannot be fulfilled on resourcequotas", "the object has been modified"], &[],
        "The quota {changing} was being updated by others at the same moment.", "Try again.", &[TryAgain]),
    rule(Transient, &["operation cannot be fulfilled on ", "the object has been modified"], &[],
        "{changing} was being changed by somebody else at the same moment.", "Try again.", &[TryAgain]),
    rule(Transient, &[], &["etcdserver: request timed out", "etcdserver: leader changed", "raft proposal dropped"],
        "The cluster's store did not answer in time.", TRY_LATER, &[TryAgain]),
    rule(Transient, &["could not get apiversions from kubernetes", "unable to handle the request"], &[],
        "An API that another service provides is not up.", "Try again when that service runs; the text names the API.",
        &[TryAgain]),
    rule(Transient, &["failed calling webhook"],
        &["connection refused", "no endpoints available for service", "endpoints \"", "i/o timeout",
          "context deadline exceeded", "service unavailable", ": eof", "unexpected eof", "connection reset by peer"],
        "The admission webhook {1} does not answer; its pod may be starting.",
        "Try again when the webhook's pods are ready.", &[TryAgain]),
    rule(Transient, &["conversion webhook for ", "failed"],
        &["connection refused", "no endpoints available for service", "endpoints \"", "i/o timeout",
          "context deadline exceeded", "service unavailable", ": eof", "unexpected eof", "connection reset by peer"],
        "A conversion webhook does not answer; its pod may be starting.",
        "Try again when the webhook's pods are ready.", &[TryAgain]),
    // Two kinds of 403: before the rights that are missing.
    rule(Transient, &[" cannot ", ": rbac: ", "role", "\" not found"], &[],
        "The API server did not find a role that is bound to the identity that helm works with.",
        "It finds all some seconds after its start; if it keeps happening, ask for the role that the text names.",
        &[TryAgain]),
    rule(Transient, &["unable to create new content in namespace", "being terminated"], &[],
        "The namespace is being deleted.", "Try again when it is gone.", &[TryAgain]).again(Again::WhileTerminating),
    rule(Transient, &["kubernetes cluster unreachable"],
        &["tls handshake timeout", "connection refused", "i/o timeout", ": eof", "awaiting headers", "no route to host",
          "connection reset by peer", "context deadline exceeded", "the server is currently unable to handle"],
        "The cluster's API server could not be reached.", TRY_LATER, &[TryAgain]),
    rule(Transient, &["failed to fetch "], &[" : 429", " : 500", " : 502", " : 503", " : 504"],
        "The chart's repository did not answer as it should.", TRY_SOURCE_LATER, &[TryAgain]),
    // A registry, as the library behind helm says it.
    rule(Transient, &[], &["response status code 429", "response status code 500", "response status code 502",
          "response status code 503", "response status code 504"],
        "The chart's registry did not answer as it should.", TRY_SOURCE_LATER, &[TryAgain]),
    rule(Transient, &[], &["no such host", "temporary failure in name resolution", "server misbehaving"],
        "A host's name could not be resolved.", "Check the repository's address, and try again.",
        &[TryAgain, ChooseAnotherVersion]),
    rule(Transient, &["not a valid chart repository or cannot be reached"],
        &["connection refused", "i/o timeout", "tls handshake timeout", "deadline exceeded", ": eof", "unexpected eof"],
        "The chart's repository could not be reached.",
        "Try again; if it keeps happening, check the repository's address.", &[TryAgain, ChooseAnotherVersion]),
    rule(Transient, &[],
        &["http2: client connection lost", "connection reset by peer", "unexpected eof", "tls handshake timeout",
          "connect: connection refused", "i/o timeout", "awaiting headers"],
        "A connection broke, or could not be made.", TRY_LATER, &[TryAgain]),
    // 429, 500, 502, 503 and 504, as Kubernetes' client says them.
    rule(Transient, &[],
        &["server is currently unable to handle the request", "unable to return a response in the time allotted",
          "server has received too many requests", "request did not complete within",
          "has prevented the request from succeeding"],
        "The cluster's API server was too busy, or not well.", TRY_LATER, &[TryAgain]),
];
