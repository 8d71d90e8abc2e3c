//! The same in a terminal: the command line of an operation, to be copied. It is asked for when somebody wants to see it.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::client::fetch::fetch;
use crate::client::{Answer, client};
use crate::model::{CommandLine, OperationId, OperationOptions, SubmitOperation};
use crate::pages::install::form::Form;
use crate::signals::{Views, dynamic};
use crate::ui::state::{shown, skeleton_lines};
use crate::ui::text::CopyButton;
use crate::words::{t, told};

/// How a command line is asked for.
pub type Ask = Arc<dyn Fn() -> Answer<CommandLine> + Send + Sync>;

/// What an operation did, or does.
pub fn command_of(id: OperationId) -> AnyView {
    command_view(Arc::new(move || client().command_of(id.clone())))
}

/// What a dialog would do as it is filled in now, with `change` made to it as when it is sent.
pub fn command_for(form: Form, change: impl Fn(&mut OperationOptions) + Send + Sync + 'static) -> AnyView {
    let change: Box<dyn Fn(&mut OperationOptions) + Send + Sync> = Box::new(change);
    command_view(Arc::new(move || {
        // What is wrong in a field is told there; the line is then of what there was by default.
        let request = form.draft.with(|draft| {
            let namespace_and_name = (draft.namespace.clone(), draft.name.clone());
            draft.request(form.kind, None, String::new()).unwrap_or_else(|_| {
                let (namespace, name) = namespace_and_name;
                SubmitOperation {
                    kind: form.kind,
                    namespace,
                    name,
                    chart: None,
                    values: String::new(),
                    options: OperationOptions::default(),
                    idempotency_key: None,
                }
            })
        });
        let mut request = SubmitOperation { idempotency_key: None, ..request };
        change(&mut request.options);
        client().command_for(request)
    }))
}

/// What `ask` tells, once somebody wants to see it.
pub fn command_view(ask: Ask) -> AnyView {
    let is_open = RwSignal::new(false);
    let on_toggle = move |event: leptos::ev::Event| {
        let details = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        is_open.set(details.is_some_and(|it| it.has_attribute("open")));
    };
    let content = move || {
        is_open.get().then(|| {
            let ask = Arc::clone(&ask);
            let line = fetch(move || ask());
            let content = move || dynamic(move || line.data.get().map(line_view));
            shown(line, || skeleton_lines(2), content)
        })
    };
    view! {
        <details class="more command" on:toggle=on_toggle>
            <summary>{t("The same in a terminal")}</summary>
            {dynamic(content)}
        </details>
    }
    .into_any()
}

fn line_view(CommandLine { text, remarks }: CommandLine) -> AnyView {
    let remarks = remarks.iter().map(|remark| view! { <li>{told(remark)}</li> }).views();
    let remarks = (!remarks.is_empty()).then(|| view! { <ul class="command-remarks note">{remarks}</ul> });
    if text.is_empty() {
        return view! {
            <p class="note">{t("Helm has no command for this.")}</p>
            {remarks}
        }
        .into_any();
    }
    let line = Signal::stored(text.clone());
    view! {
        <div class="pf-v6-c-code-block">
            <div class="pf-v6-c-code-block__header">
                <div class="pf-v6-c-code-block__actions">
                    <CopyButton text=line />
                </div>
            </div>
            <div class="pf-v6-c-code-block__content">
                <pre class="pf-v6-c-code-block__pre" tabindex="0" role="region" aria-label=t("Command line")>
                    <code class="pf-v6-c-code-block__code">{text}</code>
                </pre>
            </div>
        </div>
        {remarks}
    }
    .into_any()
}
