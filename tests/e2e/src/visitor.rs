//! Visitors of a page, who look at the screen and use mouse or keyboard.

use crate::chromium::Chromium;
use crate::os_input::{InputDriver, Typist};
use crate::person::Person;
use crate::screen::{Area, Colour, Screen};
use crate::second_try::second_try;
use std::path::Path;
use std::time::Duration;

/// Colours of the window's buttons in its light theme: normal, and under a pointer.
///
/// A target may appear where the pointer rests after a press, and has that colour until the pointer moves.
const BUTTON: [Colour; 2] = [[0x2f, 0x5b, 0xea], [0x23, 0x48, 0xc4]];
/// Minimum distance of two targets, in pixels.
const MIN_TARGET_DISTANCE: i32 = 150;

/// Time that a visitor waits for the page before looking at the screen again.
const WAIT: Duration = Duration::from_millis(100);
/// Maximum number of looks.
const TIMES: u32 = 400;
/// Number of looks after which no target can be confused with the button that follows a long check.
const LONG: u32 = 120;
/// Number of looks after which a target that is still visible is pressed again.
const MISSED: u32 = 60;

/// Page with a button that a visitor clicks.
pub trait Page {
    /// Final state of the page.
    type End;

    /// Returns the address of the page.
    fn address(&self) -> String;

    /// Returns the colour of its button.
    fn button(&self) -> Colour;

    /// Returns the number of Tabs from the top of the page to its button.
    fn tabs(&self) -> usize;

    /// Waits for `wait` for the page's final state.
    fn end(&self, screen: &Screen, wait: Duration) -> Option<Self::End>;
}

/// Completes a page with a mouse.
pub fn with_a_mouse<P: Page>(page: &P, corpus: &Path) -> P::End {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &page.address());
    go_through(page, &screen, &mut Person::recorded(&screen, corpus))
}

/// Completes a page with nothing but Tab and Enter.
pub fn with_a_keyboard<P: Page>(page: &P) -> P::End {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &page.address());
    go_through(
        page,
        &screen,
        &mut Typist::new(&screen, page.tabs(), "Return"),
    )
}

/// Presses the page's button, then each target that appears, until the page reaches its final state.
///
/// Before them the window may ask for a signature; after a check of more than five seconds the dialog asks for one more press.
pub fn go_through<P: Page>(page: &P, screen: &Screen, hand: &mut dyn InputDriver) -> P::End {
    let mut last = screen.find("the page's button", &[page.button()], is_claim);
    hand.press(last);
    let mut presses = 1;
    let mut since = 0;
    let mut target = None;
    for waited in 0..TIMES {
        if let Some(end) = page.end(screen, WAIT) {
            return end;
        }
        // On a dense screen that button is as high as a target, and may be near the last one.
        let is_resume = |area| is_other_button(area) || (is_target(area) && waited > LONG);
        let is_missed = |area| area == last && waited > since + MISSED;
        // Targets have a minimum distance from each other only: the first may be where the button to sign was.
        let is_new =
            |area| is_target(area) && target.is_none_or(|last_target| is_apart(area, last_target));
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

/// Returns `true` for the button to sign with a wallet, or to continue: both are centred, and lower than a target.
fn is_other_button(area: Area) -> bool {
    area.width >= 100 && (40..50).contains(&area.height)
}

fn is_apart(a: Area, b: Area) -> bool {
    let dx = a.x - b.x;
    let dy = a.y - b.y;
    dx * dx + dy * dy >= (MIN_TARGET_DISTANCE - 2) * (MIN_TARGET_DISTANCE - 2)
}
