//! The frame of the forms for an install and an upgrade, with a foot that stays in sight: errors, and the buttons.

use crate::signals::{Memo, Slot, dynamic};
use leptos::prelude::*;

use super::command::CommandDialog;
use super::form::Form;
use super::preview::{PreviewDialog, SHOWN};
use super::storage;
use super::values::check::problems_title;
use crate::client::new_key;
use crate::model::{ApiError, ChartSource, OperationId, SubmitOperation, Tone};
use crate::pages::query::{query_setter, query_value};
use crate::pages::route::Route;
use crate::ui::address::Address;
use crate::ui::alert::Alert;
use crate::ui::button::button;
use crate::words::{t, told};

/// By this its preview sends it.
pub(super) const FORM_ID: &str = "release-form";
/// The dry run that is looked at, by its word in the address.
const PREVIEW: &str = "preview";

/// The form.
#[component]
pub fn FormFrame(
    form: Form,
    /// The chart to send; none while it is not known.
    source: Memo<Option<ChartSource>>,
    /// What the first button says.
    verb: &'static str,
    /// Where "Cancel" leads.
    #[prop(into)]
    cancel: Signal<String>,
    /// Why it cannot be sent now.
    #[prop(into)]
    blocked: Signal<Option<String>>,
    /// The fields.
    children: Children,
) -> impl IntoView {
    let address = Address::get();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if blocked.with_untracked(Option::is_some) {
            return;
        }
        let release = form.release();
        form.send_checked(source.get_untracked(), move |_| {
            // Who has left the form meanwhile is not taken from where they are; the drawer has the operation.
            if form.sent() {
                address.go(&Route::release(&release).to_string());
            }
        });
    };
    // In the address, so that a reload brings it back, and a link shows it to whoever may see it.
    let (asked, set) = (query_value(PREVIEW), query_setter());
    let previewed = Memo::new(move || {
        // Its values are told by the form, which takes them from the chart.
        let is_ready = source.with(Option::is_some);
        asked.with(|id| (is_ready && !id.is_empty()).then(|| OperationId(id.clone())))
    });
    let preview = move |_| {
        // Each look is an operation of its own, and none is the one that the form makes.
        let change = |request: &mut SubmitOperation| {
            request.options.dry_run = true;
            request.idempotency_key = Some(new_key());
        };
        form.send(source.get_untracked(), change, move |id| set.run(vec![(PREVIEW, id.0)]));
    };
    let leave = Callback::new(move |()| {
        set.run(vec![(PREVIEW, String::new()), (SHOWN, String::new())]);
    });
    let told_as = Slot::new();
    let tell = move || {
        if let Some(chart) = source.get_untracked() {
            told_as.set(form.request(Some(chart)));
        }
    };
    let is_blocked = Memo::new(move || blocked.with(Option::is_some));
    view! {
        <form id=FORM_ID class="pf-v6-c-form form-frame" novalidate on:submit=submit>
            <section class="pf-v6-c-page__main-section form-body">{children()}</section>
            <section class="pf-v6-c-page__main-section form-foot">
                {form.refusal_view()}
                <div class="form-buttons">
                    <button
                        type="submit"
                        class="pf-v6-c-button pf-m-primary"
                        disabled=Signal::derive(move || is_blocked.get() || form.sending.is_busy.get())
                        aria-describedby=Signal::derive(move || is_blocked.get().then_some("blocked"))
                    >
                        <span class="pf-v6-c-button__text">
                            {dynamic(move || if form.sending.is_busy.get() { t("Sending…") } else { verb })}
                        </span>
                    </button>
                    // Not disabled while it is sent: the focus comes back to it.
                    <button type="button" class="pf-v6-c-button pf-m-secondary" disabled=Signal::derive(move || is_blocked.get()) on:click=preview>
                        <span class="pf-v6-c-button__text">{t("Preview")}</span>
                    </button>
                    <a
                        class="pf-v6-c-button pf-m-link"
                        href=cancel
                        on:click=move |_| form.name.with_value(|name| storage::forget(name))
                    >
                        <span class="pf-v6-c-button__text">{t("Cancel")}</span>
                    </a>
                    <span class="note" id="blocked">
                        {dynamic(move || blocked.get())}
                    </span>
                    <span class="form-terminal">
                        {button("pf-v6-c-button pf-m-link pf-m-inline", t("The same in a terminal"), tell)}
                    </span>
                </div>
            </section>
        </form>
        {dynamic(move || {
            previewed
                .get()
                .map(|id| {
                    view! { <PreviewDialog form id on_close=leave /> }
                })
        })}
        {dynamic(move || {
            told_as
                .get()
                .map(|request| {
                    view! { <CommandDialog request on_close=Callback::new(move |()| told_as.set(None)) /> }
                })
        })}
    }
}

/// Why the last try was refused. What belongs to a field is said there; here it is said that there is something.
pub(super) fn refusal_view(form: Form) -> Option<AnyView> {
    let fields = form.errors.with(Vec::len);
    if fields > 0 {
        let title = if fields == 1 { t("One field needs a look") } else { t("Some fields need a look") };
        return Some(
            view! { <Alert tone=Tone::Danger title=title>{t("See the notes at the fields.")}</Alert> }
                .into_any(),
        );
    }
    if let Some(problems) = form.stopped.with(|found| found.map(|found| found.problems.len())) {
        let insist = view! {
            <button
                type="submit"
                class="pf-v6-c-button pf-m-link pf-m-inline"
                on:click=move |_| form.insists.set(true)
            >
                <span class="pf-v6-c-button__text">{t("Send it all the same")}</span>
            </button>
        };
        return Some(
            view! {
                <Alert tone=Tone::Danger title=problems_title(problems)>
                    <p>{t("Nothing was sent: Helm refuses values that the chart’s schema does not allow.")}</p>
                    <p>{insist}</p>
                </Alert>
            }
            .into_any(),
        );
    }
    let refusal = form.sending.refusal.get()?;
    let (title, text) = (told(refusal.title()), told(&refusal.to_string()));
    let link = match &refusal {
        // Other verbs are sent from that very page.
        ApiError::Conflict { operation, .. } if form.kind.takes_chart() => {
            let words =
                if operation.is_some() { t("See what is going on there") } else { t("See that release") };
            Some(view! { <p><a href=Route::release(&form.release()).to_string()>{words}</a></p> })
        }
        _ => None,
    };
    let retry = refusal.is_passing().then(|| {
        t("Nothing that you typed is lost. Send it again when you like: it is still one operation.")
    });
    Some(
        view! {
            <Alert tone=Tone::Danger title=title>
                <p class="wrap">{text}</p>
                {link}
                {retry.map(|text| view! { <p>{text}</p> })}
            </Alert>
        }
        .into_any(),
    )
}
