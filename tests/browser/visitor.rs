//! People who visit a page: they look at the screen, and use mouse or keyboard.

use crate::chromium::Chromium;
use crate::person::Person;
use crate::quest::{Ending, Quest};
use crate::screen::{Area, Screen};
use std::path::Path;
use std::time::Duration;

/// The colour of the window's targets in its light theme.
const TARGET: [u8; 3] = [0x2f, 0x5b, 0xea];
/// Two targets are at least this many pixels apart.
const APART: i32 = 150;

/// How long a visitor waits for a page to go on before looking at the screen again.
const WAIT: Duration = Duration::from_millis(400);
/// How often a visitor does.
const TIMES: u32 = 60;

/// A page with a button that somebody came to click.
pub(crate) trait Page {
    /// What the page shows or does in the end.
    type End;

    /// Its address.
    fn address(&self) -> String;

    /// The colour of its button.
    fn button(&self) -> [u8; 3];

    /// How often Tab leads from the top of the page to its button.
    fn tabs(&self) -> usize;

    /// Waits a moment for the page's end.
    fn end(&self, screen: &Screen, wait: Duration) -> Option<Self::End>;
}

impl Page for Quest {
    type End = Ending;

    fn address(&self) -> String {
        self.url()
    }

    fn button(&self) -> [u8; 3] {
        [0x0a, 0x7d, 0x5c]
    }

    fn tabs(&self) -> usize {
        1
    }

    fn end(&self, _: &Screen, wait: Duration) -> Option<Ending> {
        self.ending_within(wait)
    }
}

/// Somebody clicks through a page with a mouse.
pub(crate) fn with_a_mouse<P: Page>(page: &P, corpus: &Path) -> P::End {
    with_a_mouse_and(page, corpus, |_, _| {})
}

/// Somebody clicks through a page with a mouse, and signs with a wallet on the way.
pub(crate) fn with_a_mouse_and_a_wallet<P: Page>(page: &P, corpus: &Path) -> P::End {
    with_a_mouse_and(page, corpus, |person, screen| person.click(screen.find("the button to sign", TARGET, is_sign)))
}

fn with_a_mouse_and<P: Page>(page: &P, corpus: &Path, before: impl FnOnce(&mut Person<'_>, &Screen)) -> P::End {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &page.address());
    let mut person = Person::recorded(&screen, corpus);
    person.click(screen.find("the page's button", page.button(), is_claim));
    before(&mut person, &screen);
    let first = screen.find("the first target", TARGET, is_target);
    person.click(first);
    person.click(screen.find("the second target", TARGET, |area| is_target(area) && is_apart(area, first)));
    wait(page, &screen, |area| person.click(area))
}

/// Somebody goes through a page with nothing but Tab and Enter.
pub(crate) fn with_a_keyboard<P: Page>(page: &P, corpus: &Path) -> P::End {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &page.address());
    let person = Person::recorded(&screen, corpus);
    screen.find("the page's button", page.button(), is_claim);
    for _ in 0..page.tabs() {
        person.key("Tab");
    }
    person.key("Return");
    screen.find("the target", TARGET, is_target);
    person.key("Return");
    wait(page, &screen, |_| person.key("Return"))
}

/// Waits for the page to go on. After a check of more than five seconds the dialog asks for one more press.
fn wait<P: Page>(page: &P, screen: &Screen, mut press: impl FnMut(Area)) -> P::End {
    for _ in 0..TIMES {
        if let Some(end) = page.end(screen, WAIT) {
            return end;
        }
        if let Some(button) = screen.glance(TARGET, is_continue) {
            press(button);
        }
    }
    panic!("the page did not go on");
}

fn is_claim(area: Area) -> bool {
    area.width >= 150 && area.height >= 44
}

fn is_target(area: Area) -> bool {
    area.width >= 100 && area.height >= 50
}

/// It is as wide as half of the window, and a little lower than a target.
fn is_sign(area: Area) -> bool {
    area.width >= 140 && (48..50).contains(&area.height)
}

/// It stands where no target is: in the middle, and lower than a target is high.
fn is_continue(area: Area) -> bool {
    area.width >= 100 && (40..48).contains(&area.height)
}

fn is_apart(a: Area, b: Area) -> bool {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    dx * dx + dy * dy >= (APART - 2) * (APART - 2)
}
