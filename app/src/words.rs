//! The message catalogue. English is in the code, where it is read; another language is a file beside the program
//! (`public/words/`: what the pages say, and what the server does), which only those load who read it. A page is in one language for as long as it is open.

use std::cell::OnceCell;
use std::collections::HashMap;

#[cfg(feature = "csr")]
mod load;
#[cfg(feature = "csr")]
mod phrase;

#[cfg(feature = "csr")]
pub use load::{Language, choose, load, locale};
#[cfg(feature = "csr")]
pub use phrase::phrase;

thread_local! {
    static CATALOGUE: OnceCell<Catalogue> = const { OnceCell::new() };
}

/// Sentences in another language by their English ones. `{name}` in a sentence stands for what changes.
struct Catalogue {
    /// All of them.
    whole: HashMap<String, &'static str>,
    /// The server's.
    server: HashMap<String, &'static str>,
    /// The server's with places: those with the most words of their own first.
    patterns: Vec<(String, &'static str)>,
}

/// Makes a language that of the page: what the pages say, and what the server does. The texts live as long as the page.
#[cfg_attr(not(feature = "csr"), allow(dead_code, reason = "the server speaks English"))]
fn learn(pages: Vec<(String, String)>, server: Vec<(String, String)>) {
    let kept = |(english, other): (String, String)| (english, &*Box::leak(other.into_boxed_str()));
    let server: Vec<(String, &'static str)> = server.into_iter().map(kept).collect();
    let mut patterns: Vec<(String, &'static str)> =
        server.iter().filter(|(english, _)| english.contains('{')).cloned().collect();
    let whole = pages.into_iter().map(kept).chain(server.iter().cloned()).collect();
    let server = server.into_iter().collect();
    let own = |pattern: &str| pieces(pattern).map(|(before, _)| before.len()).sum::<usize>();
    patterns.sort_by_key(|(english, _)| std::cmp::Reverse(own(english)));
    CATALOGUE.with(|catalogue| {
        let _ = catalogue.set(Catalogue { whole, server, patterns });
    });
}

/// A text of the page in its language; in English, where the language lacks it.
pub fn t(english: &'static str) -> &'static str {
    CATALOGUE
        .with(|catalogue| catalogue.get().and_then(|it| it.whole.get(english).copied()))
        .unwrap_or(english)
}

/// A text with places, `{name}`, in the language of the page, filled in.
pub fn say(english: &'static str, with: &[(&str, &str)]) -> String {
    fill(t(english), |name| with.iter().find(|(one, _)| *one == name).map(|(_, value)| *value))
}

/// A text about a number of things: `{n}` is the number.
pub fn count(n: usize, one: &'static str, many: &'static str) -> String {
    say(if n == 1 { one } else { many }, &[("n", &n.to_string())])
}

/// A sentence of the server's in the language of the page. It is known by its English words, with whatever was filled in,
/// which is told likewise; what helm or the cluster said, which no catalogue has, stays as it is.
pub fn told(sentence: &str) -> String {
    CATALOGUE.with(|catalogue| match catalogue.get() {
        Some(catalogue) => match catalogue.whole.get(sentence) {
            Some(whole) => (*whole).to_owned(),
            None => catalogue.told(sentence),
        },
        None => sentence.to_owned(),
    })
}

/// What stands between two parts of what the server says, and whether both must be known to be told by themselves.
const BETWEEN: [(&str, bool); 6] =
    [(". ", false), ("; ", false), (": ", false), (" Or: ", false), (" or ", true), (" ", true)];
/// What stands in the place of this name was said by a program of the user's own, and stays as it is.
const SAID: &str = "verbatim";
/// What is longer than this, in bytes, is not the server's own sentence, and is not taken apart.
const PARTED_MAX: usize = 500;

impl Catalogue {
    fn told(&self, sentence: &str) -> String {
        let found = self.known(sentence, true).or_else(|| self.parted(sentence));
        found.or_else(|| self.known(sentence, false)).unwrap_or_else(|| sentence.to_owned())
    }

    /// One that the language has, perhaps without its full stop. What is filled in is one sentence, where `is_one` is asked for.
    fn known(&self, sentence: &str, is_one: bool) -> Option<String> {
        let bare = sentence.strip_suffix('.').filter(|bare| !bare.is_empty());
        if let Some(whole) = self.server.get(sentence) {
            return Some((*whole).to_owned());
        }
        if let Some(whole) = bare.and_then(|bare| self.server.get(bare)) {
            return Some(format!("{whole}."));
        }
        self.patterns.iter().find_map(|(english, other)| {
            let whole = matched(english, sentence).map(|values| (values, ""));
            let is_bare = !english.ends_with('.');
            let bare = || Some((matched(english, bare.filter(|_| is_bare)?)?, "."));
            let (values, stop) = whole.or_else(bare)?;
            if is_one && values.iter().any(|(name, value)| *name != SAID && value.contains(". ")) {
                return None;
            }
            let told =
                |name: &str, value: &str| if name == SAID { value.to_owned() } else { self.told(value) };
            let values: Vec<_> = values.into_iter().map(|(name, value)| (name, told(name, value))).collect();
            let filled = fill(other, |name| {
                values.iter().find(|(one, _)| *one == name).map(|(_, value)| value.as_str())
            });
            Some(filled + stop)
        })
    }

    /// Several in a row: the first of them that the language has, and what is before and after it.
    fn parted(&self, sentence: &str) -> Option<String> {
        if sentence.len() > PARTED_MAX {
            return None;
        }
        BETWEEN.iter().find_map(|&(between, is_strict)| {
            sentence.match_indices(between).find_map(|(at, _)| {
                // A full stop belongs to what is before it.
                let end = at + usize::from(between == ". ");
                let (before, after) = (sentence.get(..end)?, sentence.get(at + between.len()..)?);
                let between = between.get(end - at..)?;
                let (before, after) = match self.known(before, true) {
                    Some(before) if is_strict => (before, self.known(after, true)?),
                    Some(before) => (before, self.told(after)),
                    None if is_strict => return None,
                    None => (before.to_owned(), self.known(after, true)?),
                };
                Some(before + self.server.get(between).unwrap_or(&between) + &after)
            })
        })
    }
}

/// The text before each place with the place's name; at last, what is after the last one, with none.
fn pieces(pattern: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(pattern);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some((before, name, after)) = text
            .split_once('{')
            .and_then(|(before, after)| after.split_once('}').map(|(name, after)| (before, name, after)))
        else {
            rest = None;
            return Some((text, None));
        };
        rest = Some(after);
        Some((before, Some(name)))
    })
}

fn fill<'a>(pattern: &str, value: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut filled = String::with_capacity(pattern.len() + 16);
    for (before, name) in pieces(pattern) {
        filled.push_str(before);
        filled.push_str(name.and_then(&value).unwrap_or_default());
    }
    filled
}

/// What stands in the places of `pattern`, if it is this sentence. A `{name}` is one word.
fn matched<'a>(pattern: &'a str, sentence: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let mut values = Vec::new();
    let mut open: Option<&str> = None;
    let mut rest = sentence;
    let mut pieces = pieces(pattern).peekable();
    while let Some((before, name)) = pieces.next() {
        let is_last = pieces.peek().is_none();
        match open.take() {
            None => rest = rest.strip_prefix(before)?,
            Some(place) => {
                let at = if is_last {
                    rest.len().checked_sub(before.len()).filter(|at| rest.get(*at..) == Some(before))?
                } else {
                    rest.find(before)?
                };
                let value = rest.get(..at)?;
                if place == "name" && value.contains(' ') {
                    return None;
                }
                values.push((place, value));
                rest = rest.get(at + before.len()..)?;
            }
        }
        open = name;
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speak(sentences: &[(&str, &str)]) {
        let owned = |(english, other): &(&str, &str)| ((*english).to_owned(), (*other).to_owned());
        learn(vec![("{a} is {b}".into(), "{a} ist {b}".into())], sentences.iter().map(owned).collect());
    }

    #[test]
    fn a_page_without_another_language_is_in_english() {
        assert_eq!(t("Releases"), "Releases");
        assert_eq!(say("Delete {name}?", &[("name", "web")]), "Delete web?");
        assert_eq!(told("Waiting for helm"), "Waiting for helm");
        assert_eq!(count(1, "{n} item", "{n} items"), "1 item");
        assert_eq!(count(0, "{n} item", "{n} items"), "0 items");
    }

    #[test]
    fn texts_and_their_places_are_told_in_the_language_of_the_page() {
        speak(&[
            ("Releases", "Releases (de)"),
            ("Delete {name}?", "{name} löschen?"),
            ("{n} items", "{n} Einträge"),
        ]);
        assert_eq!(t("Releases"), "Releases (de)");
        assert_eq!(say("Delete {name}?", &[("name", "web")]), "web löschen?");
        assert_eq!(count(2, "{n} item", "{n} items"), "2 Einträge");
        assert_eq!(t("Charts"), "Charts", "what the language lacks is told in English");
    }

    #[test]
    fn a_sentence_of_the_servers_is_known_by_its_words() {
        speak(&[
            ("Waiting for {what}", "Warten auf {what}"),
            ("Waiting for {what} to be ready", "Warten, bis {what} bereit ist"),
            ("{done} of {all} ready", "{done} von {all} bereit"),
            ("the queue", "die Schlange"),
            ("pod {name}", "Pod {name}"),
            ("ended", "endete"),
            (" or ", " oder "),
        ]);
        for (english, other) in [
            ("Waiting for helm", "Warten auf helm"),
            ("Waiting for the queue", "Warten auf die Schlange"),
            ("Waiting for Deployment web to be ready", "Warten, bis Deployment web bereit ist"),
            ("3 of 14 ready", "3 von 14 bereit"),
            ("3 of 14 {odd}", "3 of 14 {odd}"),
            ("an error of helm's", "an error of helm's"),
            ("", ""),
            ("3 of 14 ready. Waiting for helm.", "3 von 14 bereit. Warten auf helm."),
            ("pre-install: 3 of 14 ready", "pre-install: 3 von 14 bereit"),
            ("3 of 14 ready; exit status 2", "3 von 14 bereit; exit status 2"),
            ("pod web ended", "Pod web endete"),
            ("ended or the queue", "endete oder die Schlange"),
            ("the queue or else", "the queue or else"),
            ("what pages say is not looked for", "what pages say is not looked for"),
            ("helm is gone", "helm is gone"),
        ] {
            assert_eq!(told(english), other);
        }
    }

    /// The German of this repository, as the browser has it.
    fn speak_german() {
        let file: HashMap<String, HashMap<String, String>> =
            serde_json::from_str(include_str!("../../public/words/de.json")).expect("a language");
        let part = |name: &str| file[name].clone().into_iter().collect();
        learn(part("pages"), part("server"));
    }

    #[test]
    fn what_the_server_puts_together_is_told_in_german() {
        speak_german();
        for (english, german) in [
            (
                "Deployment shop/web is not ready: container web exited with 3 (2 restarts).",
                "Deployment shop/web ist nicht bereit: Container web beendet mit 3 (2 Neustarts).",
            ),
            (
                "Job shop/migrate failed: init container wait crashes again and again; it was ended by signal 9 (1 restart).",
                "Job shop/migrate ist fehlgeschlagen: Init-Container wait stürzt immer wieder ab: durch Signal 9 beendet (1 Neustart).",
            ),
            (
                "The upgrade failed; the release is as it was",
                "Upgrade fehlgeschlagen; das Release ist, wie es war",
            ),
            ("Installing, attempt 2 of 3", "Wird installiert, Versuch 2 von 3"),
            (
                "Something is being done with the release web already: upgrade that ada asked for.",
                "Am Release web wird schon gearbeitet: Upgrade, angefordert von ada.",
            ),
            (
                "Helm makes the cluster what revision 1 says, and records that as revision 3. Revision 2 stays pending-upgrade in the history.",
                "Helm bringt den Cluster auf den Stand von Revision 1 und verzeichnet das als Revision 3. Revision 2 bleibt im Verlauf pending-upgrade.",
            ),
            (
                "This must be a text or a list, not a number. Put it in quotation marks to make it a text.",
                "Erwartet: ein Text oder eine Liste, nicht eine Zahl. In Anführungszeichen setzen, damit es ein Text ist.",
            ),
            ("The chart samples/web was not found", "Das Chart samples/web wurde nicht gefunden"),
            (
                "The identity that helm works with may not do this: list secrets in the namespace ns.",
                "Die Identität, mit der helm arbeitet, darf das nicht: list secrets im Namespace ns.",
            ),
            (
                "In a hook: Not everything became ready in time.",
                "In einem Hook: Nicht alles wurde rechtzeitig bereit.",
            ),
            ("2 of 3 replicas ready; Unknown: no idea", "2 von 3 Replikaten bereit; Unbekannt: no idea"),
            (
                "The index could not be fetched: the server answered HTTP 503",
                "Der Index konnte nicht geholt werden: der Server antwortete mit HTTP 503",
            ),
            ("helm says: oh no. What now?", "helm meldet: oh no. What now?"),
            (
                "The values do not satisfy the chart's schema: replicas must be at most 9, not 99; host is missing.",
                "Die Values erfüllen das Schema des Charts nicht: replicas darf höchstens 9 sein, nicht 99; host fehlt.",
            ),
            (
                "Job web-migrate failed and said: migration 42 failed: relation \"orders\" does not exist",
                "Job web-migrate ist fehlgeschlagen und sagte: migration 42 failed: relation \"orders\" does not exist",
            ),
            (
                "The install failed after 8s: Not everything became ready in time.",
                "Installation nach 8s fehlgeschlagen: Nicht alles wurde rechtzeitig bereit.",
            ),
            ("pre-install: When it ran is not kept.", "pre-install: Wann es lief, ist nicht aufgezeichnet."),
        ] {
            assert_eq!(told(english), german);
        }
    }
}
