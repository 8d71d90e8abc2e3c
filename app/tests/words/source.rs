//! The texts in the sources, as Rust itself reads them.

use std::path::Path;
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What takes a text to the language of the page.
const TRANSLATORS: [&str; 4] = ["t", "say", "count", "phrase"];
/// What only people who run the server read.
const LOGS: [&str; 9] =
    ["trace", "debug", "info", "warn", "error", "expect", "unreachable", "event", "info_span"];

/// A text in a source.
pub struct Said {
    /// Its file.
    pub file: String,
    /// The text.
    pub text: String,
    /// The catalogue translates it.
    pub is_translated: bool,
    /// It stands in a table, a constant: it is translated when it is drawn.
    pub is_kept: bool,
}

impl Said {
    /// Whether a person would read it: it begins with a capital letter, and goes on in small ones.
    pub fn reads_as_text(&self) -> bool {
        let text = self.text.trim_start();
        let mut letters = text.strip_prefix("A ").map_or(text, |_| "An").chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    }

    /// Whether it is more than a word: a sentence, or words that one is filled in with.
    pub fn reads_as_sentence(&self) -> bool {
        let letters = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '’');
        let bare = |word: &'_ str| letters(word.trim_end_matches(['.', ',', ';', ':'])) && !word.is_empty();
        let words: Vec<&str> = self.text.trim().split(' ').collect();
        let has_words = words.windows(2).any(|pair| pair.iter().all(|word| bare(word)));
        has_words || self.reads_as_text() && words.len() > 1
    }
}

/// The texts in the Rust files below these folders, without those of tests and logs.
pub fn sources(folders: &[&str]) -> Vec<Said> {
    let mut found = Vec::new();
    for (file, text) in files(folders) {
        let tokens = TokenStream::from_str(&text).expect("Rust");
        read(&file, tokens, Stands::default(), &mut found);
    }
    found
}

/// The sources in these folders, tests left out: each with its text.
pub fn files(folders: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut left: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
            continue;
        }
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if is_source && !is_of_tests(&path, &root) {
            let file = path.strip_prefix(&root).expect("below the root").display().to_string();
            let text = std::fs::read_to_string(&path).expect("a source");
            found.push((file, text));
        }
    }
    found
}

/// Whether a source is compiled for tests alone: it is, or lies below, what its parent declares as `#[cfg(test)] mod tests`. A page
/// about tests has the same name.
fn is_of_tests(path: &Path, root: &Path) -> bool {
    let upwards = path.ancestors().take_while(|part| *part != root);
    upwards.filter(|part| part.file_stem().is_some_and(|name| name == "tests")).any(|part| {
        let parent = part.parent().map(|folder| folder.with_extension("rs"));
        let parent = parent.and_then(|parent| std::fs::read_to_string(parent).ok());
        parent.is_some_and(|text| {
            let lines: Vec<&str> = text.lines().collect();
            lines.windows(2).any(|pair| pair[0] == "#[cfg(test)]" && pair[1].ends_with("mod tests;"))
        })
    })
}

/// Where a text stands.
#[derive(Clone, Copy, Default)]
struct Stands {
    is_translated: bool,
    is_kept: bool,
}

fn read(file: &str, tokens: TokenStream, mut stands: Stands, found: &mut Vec<Said>) {
    let outside = stands.is_kept;
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let word = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => String::new(),
        };
        match &tokens[at] {
            // Attributes: `#[…]` and `#![…]`. What `cfg(test)` stands before is left out with it.
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                at += 1;
                if let Some(TokenTree::Group(group)) = tokens.get(at) {
                    read_error(file, group, found);
                }
                if matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
                    at += 1;
                }
                let is_test = matches!(tokens.get(at), Some(TokenTree::Group(group)) if is_test(group));
                while is_test && tokens.get(at).is_some_and(|token| !is_end(token)) {
                    at += 1;
                }
            }
            TokenTree::Group(group) => {
                let before = at.checked_sub(1).map(word).unwrap_or_default();
                let marked = at.checked_sub(2).map(word).unwrap_or_default();
                let is_call = group.delimiter() == Delimiter::Parenthesis;
                if is_call && (LOGS.contains(&before.as_str()) || LOGS.contains(&marked.as_str())) {
                    at += 1;
                    continue;
                }
                let is_translated = is_call && TRANSLATORS.contains(&before.as_str());
                read(file, group.stream(), Stands { is_translated, ..stands }, found);
            }
            TokenTree::Literal(literal) => {
                if let syn::Lit::Str(text) = syn::Lit::new(literal.clone()) {
                    let Stands { is_translated, is_kept } = stands;
                    found.push(Said { file: file.to_owned(), text: text.value(), is_translated, is_kept });
                }
            }
            TokenTree::Ident(_)
                if word(at + 1) != "fn" && ["const", "static"].contains(&word(at).as_str()) =>
            {
                stands.is_kept = true;
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => stands.is_kept = outside,
            _ => {}
        }
        at += 1;
    }
}

/// The words of an error, `#[error("…")]`.
fn read_error(file: &str, attribute: &Group, found: &mut Vec<Said>) {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    if let [TokenTree::Ident(name), TokenTree::Group(words)] = tokens.as_slice()
        && name == "error"
    {
        read(file, words.stream(), Stands::default(), found);
    }
}

fn is_test(attribute: &Group) -> bool {
    matches!(attribute.stream().to_string().replace(' ', "").as_str(), "cfg(test)" | "test")
}

/// Whether an item ends here: with its body, or with a semicolon.
fn is_end(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    }
}
