//! Which part of the picture is in sight, and how large. Pure.

/// The smallest and the largest that a picture is shown.
const SCALES: (f64, f64) = (0.1, 2.5);
/// What is smaller than this cannot be read: a picture that would be begins at its corner.
const READABLE: f64 = 0.6;
/// The room around what is shown.
const MARGIN: f64 = 16.0;

/// A length in each direction.
pub type Size = (f64, f64);

/// Who chose what is in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Nobody: it is as it was shown at first.
    First,
    /// The user wanted all of it.
    All,
    /// The user has moved it, or made it larger or smaller.
    Own,
}

/// A point of the picture is shown at itself times `scale`, plus `x` and `y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// How large.
    pub scale: f64,
    /// Where the picture's left edge is.
    pub x: f64,
    /// Where its upper edge is.
    pub y: f64,
}

impl Sight {
    /// All of the picture, in the middle, and no larger than it is.
    pub fn fit(picture: Size, frame: Size) -> Self {
        let room = |length: f64| (length - 2.0 * MARGIN).max(1.0);
        let scale = (room(frame.0) / picture.0.max(1.0)).min(room(frame.1) / picture.1.max(1.0));
        let scale = scale.clamp(SCALES.0, 1.0);
        Self { scale, x: (frame.0 - picture.0 * scale) / 2.0, y: (frame.1 - picture.1 * scale) / 2.0 }
    }

    /// How the picture is shown at first.
    pub fn first(picture: Size, frame: Size) -> Self {
        let fit = Self::fit(picture, frame);
        if fit.scale >= READABLE {
            return fit;
        }
        let place = |picture: f64, frame: f64| ((frame - picture * READABLE) / 2.0).max(MARGIN);
        Self { scale: READABLE, x: place(picture.0, frame.0), y: place(picture.1, frame.1) }
    }

    /// What is shown when the picture or its frame has got another size. What a user chose stays, as far as it can be seen.
    pub fn anew(self, choice: Choice, picture: Size, frame: Size) -> Self {
        match choice {
            Choice::First => Self::first(picture, frame),
            Choice::All => Self::fit(picture, frame),
            Choice::Own => self.moved((0.0, 0.0), picture, frame),
        }
    }

    /// Larger or smaller, with what is at a point of the frame staying there.
    pub fn zoomed(self, by: f64, (x, y): Size) -> Self {
        let scale = (self.scale * by).clamp(SCALES.0, SCALES.1);
        let by = scale / self.scale;
        Self { scale, x: x - (x - self.x) * by, y: y - (y - self.y) * by }
    }

    /// Moved; some of the picture stays in the frame.
    pub fn moved(self, (x, y): Size, picture: Size, frame: Size) -> Self {
        let keep = |at: f64, picture: f64, frame: f64| {
            let seen = (4.0 * MARGIN).min(picture * self.scale).min(frame);
            at.clamp(seen - picture * self.scale, frame - seen)
        };
        Self { x: keep(self.x + x, picture.0, frame.0), y: keep(self.y + y, picture.1, frame.1), ..self }
    }

    /// Moved as little as is needed for something in the picture to be in the frame.
    pub fn showing(self, (x, y): Size, (width, height): Size, frame: Size) -> Self {
        let shift = |at: f64, length: f64, frame: f64| {
            let (from, to) = (at, at + length * self.scale);
            if from < MARGIN {
                MARGIN - from
            } else if to > frame - MARGIN {
                // What is larger than the frame is shown from its beginning.
                (frame - MARGIN - to).max(MARGIN - from)
            } else {
                0.0
            }
        };
        Self {
            x: self.x + shift(self.x + x * self.scale, width, frame.0),
            y: self.y + shift(self.y + y * self.scale, height, frame.1),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-6
    }

    #[test]
    fn all_of_a_picture_is_shown_in_the_middle() {
        for (picture, frame) in [
            ((400.0, 300.0), (1000.0, 600.0)),
            ((4000.0, 300.0), (1000.0, 600.0)),
            ((200.0, 3000.0), (390.0, 400.0)),
        ] {
            let sight = Sight::fit(picture, frame);
            assert!(sight.x >= 0.0 && sight.y >= 0.0, "{sight:?}");
            assert!(near(sight.x * 2.0 + picture.0 * sight.scale, frame.0), "{sight:?}");
            assert!(sight.scale <= 1.0);
        }
    }

    #[test]
    fn a_large_picture_begins_where_it_can_be_read() {
        let sight = Sight::first((9000.0, 9000.0), (1000.0, 600.0));
        assert_eq!(sight, Sight { scale: READABLE, x: MARGIN, y: MARGIN });
        let small = Sight::first((400.0, 300.0), (1000.0, 600.0));
        assert_eq!(small, Sight::fit((400.0, 300.0), (1000.0, 600.0)));
    }

    #[test]
    fn another_size_shows_the_picture_anew_and_keeps_what_a_user_chose() {
        let picture = (400.0, 300.0);
        let (wide, narrow) = ((1000.0, 600.0), (340.0, 420.0));
        let before = Sight::first(picture, wide);
        assert_eq!(before.anew(Choice::First, picture, narrow), Sight::first(picture, narrow));
        assert_eq!(before.anew(Choice::First, picture, narrow).anew(Choice::First, picture, wide), before);
        let large = (2000.0, 300.0);
        assert_eq!(before.anew(Choice::All, large, narrow), Sight::fit(large, narrow));
        let own = Sight { scale: 2.0, x: -100.0, y: 30.0 };
        assert_eq!(own.anew(Choice::Own, picture, narrow), own);
        let aside = Sight { scale: 1.0, x: 900.0, y: 0.0 }.anew(Choice::Own, picture, narrow);
        assert!(aside.scale == 1.0 && aside.x < narrow.0, "{aside:?}");
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let before = Sight { scale: 1.0, x: 20.0, y: -30.0 };
        let at = (300.0, 200.0);
        let of = |sight: Sight| ((at.0 - sight.x) / sight.scale, (at.1 - sight.y) / sight.scale);
        for by in [1.2, 0.5, 100.0, 0.0001] {
            let after = before.zoomed(by, at);
            assert!(near(of(before).0, of(after).0) && near(of(before).1, of(after).1), "{after:?}");
            assert!((SCALES.0..=SCALES.1).contains(&after.scale));
        }
    }

    #[test]
    fn the_picture_cannot_be_lost() {
        let (picture, frame) = ((400.0, 300.0), (1000.0, 600.0));
        for by in [(1e6, 1e6), (-1e6, -1e6)] {
            let sight = Sight { scale: 1.0, x: 0.0, y: 0.0 }.moved(by, picture, frame);
            assert!(sight.x < frame.0 && sight.x + picture.0 > 0.0, "{sight:?}");
            assert!(sight.y < frame.1 && sight.y + picture.1 > 0.0, "{sight:?}");
        }
    }

    #[test]
    fn what_is_out_of_sight_is_brought_into_it() {
        let frame = (500.0, 400.0);
        let node = (160.0, 48.0);
        let sight = Sight { scale: 1.0, x: 0.0, y: 0.0 };
        assert_eq!(sight.showing((100.0, 100.0), node, frame), sight);
        for at in [(900.0, 100.0), (-300.0, 900.0), (0.0, -50.0)] {
            let sight = sight.showing(at, node, frame);
            let (x, y) = (sight.x + at.0, sight.y + at.1);
            assert!(x >= MARGIN && x + node.0 <= frame.0 && y >= MARGIN && y + node.1 <= frame.1);
        }
    }
}
