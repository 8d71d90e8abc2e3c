//! What opens a repository, in its form: for Slipway's own the credentials themselves, which nothing brings back; for
//! OpenShift's the names of the objects that they are in.

use leptos::prelude::*;

use super::draft::{Draft, Proof, Text};
use super::form::{State, field, hint};
use crate::pages::frame::{choice, group, wrapped};
use crate::signals::{Memo, Views, dynamic};
use crate::ui::markup::{Part, live, markup};
use crate::words::{say, t};

/// The section.
pub fn credentials(state: State) -> AnyView {
    let is_own = Memo::new(move || state.draft.with(Draft::is_own));
    let error = move || {
        let text = state.refusal_at(&["credentials", "references"])?;
        Some(markup(r#"<p class="field-error" role="alert"><!></p>"#, vec![Part::Text(text)]))
    };
    markup(
        r#"<fieldset class="credentials"><legend class="pf-v6-c-title pf-m-h2"><!></legend><!><!></fieldset>"#,
        vec![
            Part::Word(t("Credentials")),
            Part::View(dynamic(error)),
            Part::View(dynamic(move || if is_own.get() { own(state) } else { references(state) })),
        ],
    )
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
        r#"<div class="pf-v6-c-check"><input class="pf-v6-c-check__input" type="checkbox" id="repository-replace" aria-describedby="repository-replace-about" x><label class="pf-v6-c-check__label" for="repository-replace"><!></label><span class="pf-v6-c-check__description" id="repository-replace-about"><!></span></div>"#,
        t("Replace the stored credentials"),
        about,
        replace,
        Box::new(move |on| state.draft.update(|draft| draft.replace = on)),
    );
    [wrapped(stored), switch, given].into_iter().views().into_any()
}

/// A check box of this markup, with its label and what it means.
pub fn check(
    html: &'static str,
    label: &'static str,
    about: &'static str,
    checked: Memo<bool>,
    change: Box<dyn Fn(bool) + Send>,
) -> AnyView {
    markup(
        html,
        vec![
            Part::Switch("checked", Box::new(move || checked.get())),
            Part::On("change", Box::new(move |event| change(event_target_checked(&event)))),
            Part::Word(label),
            Part::Word(about),
        ],
    )
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
    [
        group("repository-proof", t("Authentication"), false, about, select),
        dynamic(secrets),
        pem(state, Text::Ca, t("CA certificate"), authorities),
        pem(state, Text::Certificate, t("TLS client certificate"), t("The certificate, as PEM.")),
        pem(state, Text::Key, t("TLS client key"), t("The key of the certificate, as PEM.")),
    ]
    .into_iter()
    .views()
    .into_any()
}

/// Certificates and keys.
fn pem(state: State, text: Text, label: &'static str, about: &'static str) -> AnyView {
    let below = hint(state, Some(text), about);
    let id = text.id();
    let is_refused = move || Some(state.refusal_at(&[text.field()]).is_some().to_string());
    let area = markup(
        r#"<span class="pf-v6-c-form-control pf-m-textarea"><textarea rows="3" class="pem" autocomplete="off" spellcheck="false" x></textarea></span>"#,
        vec![
            Part::Set("id", id.to_owned()),
            Part::Set("aria-describedby", format!("{id}-hint")),
            Part::Follow("aria-invalid", Box::new(is_refused)),
            Part::Value("value", Box::new(move || state.draft.with(|draft| draft.text(text).to_owned()))),
            Part::On("input", Box::new(move |event| state.set(text, event_target_value(&event)))),
        ],
    );
    group(id, label, false, below, area)
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
    let place = markup(r#"<p class="note"><!></p>"#, vec![live(place)]);
    std::iter::once(place).chain(fields).views().into_any()
}
