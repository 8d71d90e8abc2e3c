//! The colours in a log (SGR, ECMA-48 8.3.117), and what else a terminal would obey: that is left out.

const BOLD: u8 = 1;
const DIM: u8 = 2;
const ITALIC: u8 = 4;
const UNDERLINED: u8 = 8;

/// How a piece of a line looks. The colours are the eight that every terminal has; where a program asks for finer ones, the
/// text keeps the page's own, which can be read in both themes. So it does on coloured grounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// From 1 on; 0 for the page's own.
    colour: u8,
    marks: u8,
}

impl Style {
    /// The class names for it; empty for the page's own look.
    pub fn class(self) -> String {
        let colour = match self.colour {
            1 => "ansi-black",
            2 => "ansi-red",
            3 => "ansi-green",
            4 => "ansi-yellow",
            5 => "ansi-blue",
            6 => "ansi-magenta",
            7 => "ansi-cyan",
            _ => "",
        };
        let mut class = colour.to_owned();
        for (mark, name) in [
            (BOLD, " ansi-bold"),
            (DIM, " ansi-dim"),
            (ITALIC, " ansi-italic"),
            (UNDERLINED, " ansi-underlined"),
        ] {
            if self.marks & mark != 0 {
                class.push_str(name);
            }
        }
        class
    }

    fn obey(&mut self, codes: &str) {
        let mut codes = codes.split([';', ':']).map(|code| code.parse::<u8>().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Self::default(),
                1 => self.marks |= BOLD,
                2 => self.marks |= DIM,
                3 => self.marks |= ITALIC,
                4 => self.marks |= UNDERLINED,
                22 => self.marks &= !(BOLD | DIM),
                23 => self.marks &= !ITALIC,
                24 => self.marks &= !UNDERLINED,
                30..=37 => self.colour = code - 29,
                90..=97 => self.colour = code - 89,
                39 => self.colour = 0,
                38 | 48 | 58 => {
                    let colour = match codes.next() {
                        Some(5) => codes.next().filter(|colour| *colour < 16).map_or(0, |it| it % 8 + 1),
                        Some(2) => {
                            codes.nth(2);
                            0
                        }
                        _ => 0,
                    };
                    if code == 38 {
                        self.colour = colour;
                    }
                }
                _ => {}
            }
        }
    }
}

/// The text of a line in pieces of one look each; `style` is how it begins, and then how the next line does.
pub fn pieces(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut pieces: Vec<(Style, String)> = Vec::new();
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => match chars.next() {
                Some('[') => {
                    let mut codes = String::new();
                    let end = loop {
                        match chars.next() {
                            Some(end @ '@'..='~') => break end,
                            Some(code) => codes.push(code),
                            None => break ' ',
                        }
                    };
                    if end == 'm' {
                        style.obey(&codes);
                    }
                }
                // A title, an address, …: up to its terminator.
                Some(']' | 'P' | 'X' | '^' | '_') => {
                    while let Some(char) = chars.next() {
                        if char == '\u{7}' || char == '\u{1b}' && chars.next_if_eq(&'\\').is_some() {
                            break;
                        }
                    }
                }
                _ => {}
            },
            // What follows overwrites the line, as a counter does.
            '\r' if chars.peek().is_some() => pieces.clear(),
            char if char.is_control() && char != '\t' => {}
            char => match pieces.last_mut().filter(|(last, _)| last == style) {
                Some((_, text)) => text.push(char),
                None => pieces.push((*style, char.into())),
            },
        }
    }
    pieces
}

/// A piece of a line that is searched: a hit, the rest of a hit whose look changes within, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// No hit.
    Plain,
    /// A hit begins.
    Hit,
    /// It goes on.
    More,
}

/// The pieces of a line, split where `wanted` (in ASCII lower case) is found in it.
pub fn found(pieces: Vec<(Style, String)>, wanted: &str) -> Vec<(Style, String, Part)> {
    if wanted.is_empty() {
        return pieces.into_iter().map(|(style, text)| (style, text, Part::Plain)).collect();
    }
    let whole: String = pieces.iter().map(|(_, text)| text.to_ascii_lowercase()).collect();
    let hits: Vec<(usize, usize)> =
        whole.match_indices(wanted).map(|(at, hit)| (at, at + hit.len())).collect();
    let (mut parts, mut at) = (Vec::new(), 0);
    for (style, text) in pieces {
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let hit = hits.iter().find(|(_, end)| *end > at);
            let (part, until) = match hit {
                Some((start, end)) if *start == at => (Part::Hit, *end),
                Some((start, end)) if *start < at => (Part::More, *end),
                Some((start, _)) => (Part::Plain, *start),
                None => (Part::Plain, usize::MAX),
            };
            let (piece, after) = rest.split_at(rest.len().min(until - at));
            parts.push((style, piece.to_owned(), part));
            at += piece.len();
            rest = after;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<(String, String)> {
        let mut style = Style::default();
        pieces(line, &mut style).into_iter().map(|(style, text)| (style.class(), text)).collect()
    }

    #[test]
    fn colours_become_classes() {
        for (line, expected) in [
            ("plain", vec![("", "plain")]),
            ("\u{1b}[31mred\u{1b}[0m plain", vec![("ansi-red", "red"), ("", " plain")]),
            (
                "\u{1b}[1;92mgreen\u{1b}[22m, not bold",
                vec![("ansi-green ansi-bold", "green"), ("ansi-green", ", not bold")],
            ),
            ("\u{1b}[38;5;4mblue\u{1b}[39m-", vec![("ansi-blue", "blue"), ("", "-")]),
            ("\u{1b}[38;5;208mfine\u{1b}[38;2;1;2;3mfiner", vec![("", "finefiner")]),
            ("\u{1b}[48;5;1;33myellow", vec![("ansi-yellow", "yellow")]),
            ("\u{1b}[mreset", vec![("", "reset")]),
            ("\u{1b}[38mno colour\u{1b}[999;xmodd", vec![("", "no colourmodd")]),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|(class, text)| (class.to_owned(), text.to_owned())).collect();
            assert_eq!(shown(line), expected, "{line:?}");
        }
    }

    #[test]
    fn what_else_a_terminal_obeys_is_left_out() {
        for (line, text) in [
            ("a\u{1b}[2Jb\u{1b}[10;3Hc", "abc"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b", "ab"),
            ("a\u{8}\u{0}\u{7f}b\tc", "ab\tc"),
            ("10%\r50%\r100%", "100%"),
            ("end\r", "end"),
            ("cut\u{1b}[3", "cut"),
            ("cut\u{1b}", "cut"),
            ("<b>日本</b> & \"x\"", "<b>日本</b> & \"x\""),
        ] {
            let whole: String = shown(line).into_iter().map(|(_, text)| text).collect();
            assert_eq!(whole, text, "{line:?}");
        }
    }

    #[test]
    fn a_colour_lasts_to_the_next_line() {
        let mut style = Style::default();
        pieces("\u{1b}[31mred", &mut style);
        assert_eq!(pieces("still", &mut style), [(style, "still".to_owned())]);
        assert_eq!(style.class(), "ansi-red");
    }

    #[test]
    fn hits_are_found_whatever_their_case_and_across_colours() {
        let parts = |line: &str, wanted: &str| -> Vec<(String, Part)> {
            let mut style = Style::default();
            found(pieces(line, &mut style), wanted).into_iter().map(|(_, text, part)| (text, part)).collect()
        };
        let own = |parts: &[(&str, Part)]| -> Vec<(String, Part)> {
            parts.iter().map(|(text, part)| ((*text).to_owned(), *part)).collect()
        };
        assert_eq!(
            parts("an Error, error", "error"),
            own(&[("an ", Part::Plain), ("Error", Part::Hit), (", ", Part::Plain), ("error", Part::Hit),])
        );
        assert_eq!(
            parts("E\u{1b}[31mrr\u{1b}[0mor!", "error"),
            own(&[("E", Part::Hit), ("rr", Part::More), ("or", Part::More), ("!", Part::Plain),])
        );
        assert_eq!(parts("aaa", "aa"), own(&[("aa", Part::Hit), ("a", Part::Plain)]));
        assert_eq!(
            parts("Ünï日本", "日"),
            own(&[("Ünï", Part::Plain), ("日", Part::Hit), ("本", Part::Plain)])
        );
        assert_eq!(parts("x", ""), own(&[("x", Part::Plain)]));
        assert_eq!(parts("", "x"), own(&[]));
    }
}
