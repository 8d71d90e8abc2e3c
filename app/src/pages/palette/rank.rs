//! How well something fits what was typed. Pure.

/// Something that can be gone to, or done: in lower case.
pub struct Candidate<'a> {
    /// What is done with it; empty where it is only gone to.
    pub verb: &'a str,
    /// What it is called.
    pub name: &'a str,
    /// Where it is.
    pub place: &'a str,
    /// What else it is known by: key words, a description.
    pub about: &'a str,
    /// It is in the namespace that the user looks at.
    pub is_near: bool,
}

/// What a candidate in the user's own namespace is worth more, if its name fits: more than any word, so that it comes first.
const NEAR: u32 = 1_000;

/// The words of what was typed, in lower case.
pub fn words(typed: &str) -> Vec<String> {
    lower(typed).split_whitespace().map(str::to_owned).collect()
}

/// A text in lower case. The browser has the table that this takes; the program need not bring another one.
pub fn lower(text: &str) -> String {
    if cfg!(target_arch = "wasm32") {
        js_sys::JsString::from(text).to_lower_case().into()
    } else {
        text.to_lowercase()
    }
}

/// How well a candidate fits, more for better; none if a word fits nowhere. What is to be done has to be typed, or the
/// actions of each release would bury the releases.
pub fn score(words: &[String], candidate: &Candidate<'_>) -> Option<u32> {
    let mut total = 0;
    let mut is_verb_meant = candidate.verb.is_empty();
    let mut is_name_meant = false;
    for word in words {
        let of_verb = verb_score(word, candidate.verb);
        let of_name = name_score(word, candidate.name);
        let other = place_score(word, candidate.place).max(about_score(word, candidate.about));
        let best = of_verb.max(of_name).max(other);
        if best == 0 {
            return None;
        }
        is_verb_meant |= of_verb > 0;
        is_name_meant |= of_name > 0;
        total += best;
    }
    let near = if candidate.is_near && is_name_meant { NEAR } else { 0 };
    is_verb_meant.then_some(total + near)
}

fn verb_score(word: &str, verb: &str) -> u32 {
    let mut parts = verb.split_whitespace();
    if parts.any(|part| part.starts_with(word)) { 5 } else { 0 }
}

fn name_score(word: &str, name: &str) -> u32 {
    if name == word {
        return 12;
    }
    if parts(name).any(|part| part == word) {
        return if name.starts_with(word) { 10 } else { 9 };
    }
    match name.find(word) {
        Some(0) => 8,
        Some(at) if !name[..at].ends_with(char::is_alphanumeric) => 6,
        Some(_) => 4,
        None => 0,
    }
}

fn place_score(word: &str, place: &str) -> u32 {
    match place.find(word) {
        Some(0) => 3,
        Some(_) => 2,
        None => 0,
    }
}

/// A word by itself, or the beginning of one that is long enough to be meant.
fn about_score(word: &str, about: &str) -> u32 {
    let is_long = word.chars().count() > 2;
    match () {
        () if parts(about).any(|part| part == word) => 3,
        () if is_long && parts(about).any(|part| part.starts_with(word)) => 2,
        () => 0,
    }
}

/// The words of a text.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty())
}

/// The best ones so far, the best first; of equal ones those that came first.
pub struct Best<T> {
    found: Vec<(u32, T)>,
    most: usize,
    /// How many fitted, with those that found no place.
    pub all: usize,
}

impl<T> Best<T> {
    /// None yet, and at most `most`.
    pub fn new(most: usize) -> Self {
        Self { found: Vec::with_capacity(most + 1), most, all: 0 }
    }

    /// Takes one in, if it is among the best; only then it is made.
    pub fn offer(&mut self, score: u32, make: impl FnOnce() -> T) {
        self.all += 1;
        let at = self.found.partition_point(|(other, _)| *other >= score);
        if at < self.most {
            self.found.insert(at, (score, make()));
            self.found.truncate(self.most);
        }
    }

    /// The best ones, the best first.
    pub fn take(self) -> Vec<T> {
        self.found.into_iter().map(|(_, it)| it).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(typed: &str, verb: &str, name: &str, place: &str) -> Option<u32> {
        score(&words(typed), &Candidate { verb, name, place, about: "", is_near: false })
    }

    #[test]
    fn each_word_has_to_fit_somewhere() {
        for (typed, verb, name, place, fits) in [
            ("web", "", "web", "team-a", true),
            ("web team", "", "web", "team-a", true),
            ("web other", "", "web", "team-a", false),
            ("WEB", "", "web", "team-a", true),
            ("", "", "web", "team-a", true),
            ("", "upgrade", "web", "team-a", false),
            ("web", "upgrade", "web", "team-a", false),
            ("up web", "upgrade", "web", "team-a", true),
            ("back web", "roll back", "web", "team-a", true),
            ("grade web", "upgrade", "web", "team-a", false),
            ("shop", "", "crash-loop", "x", false),
            ("srv", "", "my-server", "x", false),
            ("ü", "", "jürgen", "x", true),
        ] {
            assert_eq!(of(typed, verb, name, place).is_some(), fits, "{typed} in {verb} {name} {place}");
        }
    }

    #[test]
    fn what_fits_better_is_worth_more() {
        let order = ["web", "web-shop", "my-web", "webserver", "my-webserver", "cobweb"];
        let scores: Vec<u32> = order.iter().map(|name| of("web", "", name, "a").unwrap()).collect();
        assert!(scores.is_sorted_by(|one, next| one > next), "{scores:?}");
        assert!(of("web", "", "shop", "web").unwrap() < of("web", "", "cobweb", "x").unwrap());
    }

    #[test]
    fn what_is_in_the_users_own_namespace_comes_first_if_its_name_fits() {
        let near = |name, place, is_near| {
            score(&words("shop"), &Candidate { verb: "", name, place, about: "", is_near })
        };
        assert!(near("my-shopfront", "team-a", true) > near("shop", "demo-x", false));
        assert!(near("web", "shop", true) < near("shop", "demo-x", false), "the place alone is no name");
    }

    #[test]
    fn a_chart_is_found_by_its_key_words_and_its_description() {
        let of = |typed: &str| {
            let about = "shop umbrella a whole web-shop with its database";
            let platform = Candidate { verb: "", name: "platform", place: "samples", about, is_near: false };
            score(&words(typed), &platform)
        };
        assert!(of("shop") > of("umb"));
        assert!(of("umb").is_some() && of("database").is_some());
        assert!(of("op").is_none() && of("base").is_none(), "the middle of a word is none");
    }

    #[test]
    fn only_the_best_are_kept_and_all_are_counted() {
        let mut best = Best::new(2);
        for (score, name) in [(1, "d"), (5, "a"), (3, "c"), (5, "b")] {
            best.offer(score, || name);
        }
        assert_eq!(best.all, 4);
        assert_eq!(best.take(), ["a", "b"]);
    }
}
