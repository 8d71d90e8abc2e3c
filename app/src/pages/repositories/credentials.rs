//! What opens a repository, in its form: for Slipway's own the credentials themselves, which nothing brings back; for
//! OpenShift's the names of the objects that they are in.

use leptos::prelude::*;

use super::draft::{Draft, Proof, Text};
use super::form::{State, field, field_error, hint};
use crate::pages::frame::{choice, group, wrapped};
use crate::signals::{Memo, Views, dynamic};
use crate::words::{say, t};

/// The section.
pub fn credentials(state: State) -> AnyView {
    let is_own = Memo::new(move || state.draft.with(Draft::is_own));
    let error = move || state.refusal_at(&["credentials", "references"]).map(field_error);
    view! {
        <fieldset class="credentials">
            <legend class="pf-v6-c-title pf-m-h2">{t("Credentials")}</legend>
            {dynamic(error)}
            {dynamic(move || if is_own.get() { own(state) } else { references(state) })}
        </fieldset>
    }
    .into_any()
}

/// Those that Slipway keeps.
fn own(state: State) -> AnyView {
    let has_stored = state.draft.with_untracked(Draft::has_stored);
    let replace = Memo::new(move || state.draft.with(|draft| draft.replace));
    let given = dynamic(move || replace.get().then(|| given(state)));
    if !has_stored {
        return given;
    }
    let stored = say("Stored: {what}. They are never shown.", &[("what", &stored_words(state))]);
    let about = t("What you leave empty below is then removed.");
    let switch = check(
        "repository-replace",
        t("Replace the stored credentials"),
        Some(about),
        replace,
        Box::new(move |on| state.draft.update(|draft| draft.replace = on)),
    );
    vec![wrapped(stored), switch, given].into_any()
}

/// A check box with its label and, where that is not enough, what it means.
pub fn check(
    id: &'static str,
    label: &'static str,
    about: Option<&'static str>,
    checked: Memo<bool>,
    change: Box<dyn Fn(bool) + Send>,
) -> AnyView {
    let about_id = format!("{id}-about");
    let described_by = about.map(|_| about_id.clone());
    let about = about.map(|about| {
        view! {
            <span class="pf-v6-c-check__description" id=about_id>
                {about}
            </span>
        }
    });
    view! {
        <div class="pf-v6-c-check">
            <input
                class="pf-v6-c-check__input"
                type="checkbox"
                id=id
                aria-describedby=described_by
                prop:checked=move || checked.get()
                on:change=move |event| change(event_target_checked(&event))
            />
            <label class="pf-v6-c-check__label" for=id>
                {label}
            </label>
            {about}
        </div>
    }
    .into_any()
}

fn stored_words(state: State) -> String {
    let stored = state.draft.with_untracked(|draft| draft.stored.clone());
    let all = [
        (stored.password, t("user name and password")),
        (stored.token, t("bearer token")),
        (stored.ca, t("certificate authority")),
        (stored.certificate, t("client certificate and key")),
    ];
    all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, words)| words).collect::<Vec<_>>().join(", ")
}

fn given(state: State) -> AnyView {
    let proof = Memo::new(move || state.draft.with(|draft| draft.proof));
    let options: Vec<(String, String)> =
        [("none", t("None")), ("password", t("User name and password")), ("token", t("Bearer token"))]
            .map(|(value, words)| (value.to_owned(), words.to_owned()))
            .into();
    let value = Memo::new(move || {
        let word = match proof.get() {
            Proof::None => "none",
            Proof::Password => "password",
            Proof::Token => "token",
        };
        word.to_owned()
    });
    let choose = move |word: String| {
        state.draft.update(|draft| {
            draft.proof = match word.as_str() {
                "password" => Proof::Password,
                "token" => Proof::Token,
                _ => Proof::None,
            };
        });
    };
    let about =
        hint(state, None, t("Credentials are sent to this repository’s own server, over https alone."));
    let secrets = move || match proof.get() {
        Proof::None => Vec::new(),
        Proof::Password => vec![
            field(state, Text::Username, t("User name"), "", true, false),
            field(state, Text::Password, t("Password"), "", true, true),
        ],
        Proof::Token => vec![field(state, Text::Token, t("Bearer token"), "", true, true)],
    };
    let options = Signal::derive(move || options.clone());
    let select = choice("repository-proof", value.into(), options, Box::new(choose));
    let authorities =
        t("The certificates of the authorities to trust, as PEM, besides those that the system trusts.");
    vec![
        group("repository-proof", t("Authentication"), false, about, select),
        dynamic(secrets),
        pem(state, Text::Ca, t("CA certificate"), authorities),
        pem(state, Text::Certificate, t("TLS client certificate"), t("The certificate, as PEM.")),
        pem(state, Text::Key, t("TLS client key"), t("The key of the certificate, as PEM.")),
    ]
    .into_any()
}

/// Certificates and keys.
fn pem(state: State, text: Text, label: &'static str, about: &'static str) -> AnyView {
    let below = hint(state, Some(text), about);
    let id = text.id();
    let is_refused = move || state.refusal_at(&[text.field()]).is_some().to_string();
    let area = view! {
        <span class="pf-v6-c-form-control pf-m-textarea">
            <textarea
                rows="3"
                class="pem"
                autocomplete="off"
                spellcheck="false"
                id=id
                aria-describedby=format!("{id}-hint")
                aria-invalid=is_refused
                prop:value=move || state.draft.with(|draft| draft.text(text).to_owned())
                on:input=move |event| state.set(text, event_target_value(&event))
            ></textarea>
        </span>
    };
    group(id, label, false, below, area.into_any())
}

/// The objects that hold them.
fn references(state: State) -> AnyView {
    let fields = [
        (
            Text::CaName,
            t("CA certificate"),
            t(
                "The name of a ConfigMap with the certificates of the authorities to trust, at the key ca-bundle.crt.",
            ),
        ),
        (
            Text::CertificateName,
            t("TLS client config"),
            t("The name of a Secret with a client certificate and its key, at tls.crt and tls.key."),
        ),
        (
            Text::PasswordName,
            t("Basic authentication"),
            t("The name of a Secret with the keys username and password."),
        ),
    ];
    let fields = fields.map(|(text, label, about)| field(state, text, label, about, false, false));
    let place = move || match state.draft.with(|draft| draft.namespace.clone()) {
        Some(namespace) => say("The objects are in the namespace {name}.", &[("name", &namespace)]),
        None => t("The objects are in the namespace openshift-config.").to_owned(),
    };
    view! {
        <p class="note">{dynamic(place)}</p>
        {fields.into_iter().views()}
    }
    .into_any()
}
