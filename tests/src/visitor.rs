//! Visitors of a page: they look at the screen, and use mouse or keyboard.

use crate::chromium::Chromium;
use crate::hand::{InputDriver, Typist};
use crate::person::Person;
use crate::screen::{Area, Colour, Screen};
use crate::second_try::second_try;
use std::path::Path;
use std::time::Duration;

/// The colours of the window's buttons in its light theme: as they are, and under a pointer. A target may appear where the
/// pointer rests after a press, and keeps that colour until it is moved.
const BUTTON: [Colour; 2] = [[0x2f, 0x5b, 0xea], [0x23, 0x48, 0xc4]];
/// Two targets are at least this many pixels apart.
const MIN_TARGET_DISTANCE: i32 = 150;

/// How long a visitor waits for a page to go on before looking at the screen again.
const WAIT: Duration = Duration::from_millis(100);
/// How often a visitor does.
const TIMES: u32 = 400;
/// After so many looks no target can be in the way of the button that comes after a long check.
const LONG: u32 = 120;
/// After so many looks at a target that was pressed and is still there, it was not pressed well.
const MISSED: u32 = 60;

/// A page with a button that somebody came to click.
pub trait Page {
    /// What the page shows or does in the end.
    type End;

    /// Its address.
    fn address(&self) -> String;

    /// The colour of its button.
    fn button(&self) -> Colour;

    /// How often Tab leads from the top of the page to its button.
    fn tabs(&self) -> usize;

    /// Waits a moment for the page's end.
    fn end(&self, screen: &Screen, wait: Duration) -> Option<Self::End>;
}

/// Somebody clicks through a page with a mouse.
pub fn with_a_mouse<P: Page>(page: &P, corpus: &Path) -> P::End {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &page.address());
    go_through(page, &screen, &mut Person::recorded(&screen, corpus))
}

/// Somebody goes through a page with nothing but Tab and Enter.
pub fn with_a_keyboard<P: Page>(page: &P) -> P::End {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &page.address());
    go_through(page, &screen, &mut Typist::new(&screen, page.tabs(), "Return"))
}

/// Presses the page's button, then each target that appears, until the page goes on. Before them the window may ask to sign;
/// after a check of more than five seconds the dialog asks for one more press.
pub fn go_through<P: Page>(page: &P, screen: &Screen, hand: &mut dyn InputDriver) -> P::End {
    let mut last = screen.find("the page's button", &[page.button()], is_claim);
    hand.press(last);
    let (mut presses, mut since, mut target) = (1, 0, None);
    for waited in 0..TIMES {
        if let Some(end) = page.end(screen, WAIT) {
            return end;
        }
        // On a dense screen that button is as high as a target, and may be near the last one.
        let is_resume = |area| is_other_button(area) || (is_target(area) && waited > LONG);
        let is_missed = |area| area == last && waited > since + MISSED;
        // Targets keep apart from each other, and from nothing else: the first may lie where the button to sign was.
        let is_new = |area| is_target(area) && target.is_none_or(|before| is_apart(area, before));
        let is_next = |area| area != last && (is_new(area) || is_resume(area));
        if let Some(next) = screen.glance(&BUTTON, |area| is_next(area) || is_missed(area)) {
            if is_missed(next) {
                second_try("a press", &format!("nothing came of the one at {last:?}"));
            }
            hand.press(next);
            (last, since) = (next, waited);
            target = is_target(next).then_some(next).or(target);
            presses += 1;
        }
    }
    panic!("the page did not go on after {presses} presses, the last one at {last:?}");
}

fn is_claim(area: Area) -> bool {
    area.width >= 150 && area.height >= 44
}

fn is_target(area: Area) -> bool {
    area.width >= 100 && area.height >= 50
}

/// The button to sign with a wallet, or to continue: both stand in the middle, and are lower than a target is high.
fn is_other_button(area: Area) -> bool {
    area.width >= 100 && (40..50).contains(&area.height)
}

fn is_apart(a: Area, b: Area) -> bool {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    dx * dx + dy * dy >= (MIN_TARGET_DISTANCE - 2) * (MIN_TARGET_DISTANCE - 2)
}
