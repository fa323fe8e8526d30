//! People who visit a page: they look at the screen, and use mouse or keyboard.

use crate::chromium::Chromium;
use crate::person::Person;
use crate::quest::{Ending, Quest};
use crate::screen::{Area, Screen};
use std::path::Path;
use std::time::Duration;

/// The colour of the button on the tests' own page.
const CLAIM: [u8; 3] = [0x0a, 0x7d, 0x5c];
/// The colour of the window's targets in its light theme.
const TARGET: [u8; 3] = [0x2f, 0x5b, 0xea];
/// Two targets are at least this many pixels apart.
const APART: i32 = 150;

/// How long a visitor waits for a page to go on before looking at the screen again.
const WAIT: Duration = Duration::from_millis(400);
/// How often a visitor does.
const TIMES: u32 = 60;

/// Somebody clicks through a page with a mouse.
pub(crate) fn with_a_mouse(quest: &Quest, corpus: &Path) -> Ending {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &quest.url());
    let mut person = Person::recorded(&screen, corpus);
    person.click(screen.find("the page's button", CLAIM, is_claim));
    let first = screen.find("the first target", TARGET, is_target);
    person.click(first);
    person.click(screen.find("the second target", TARGET, |area| is_target(area) && is_apart(area, first)));
    wait(quest, &screen, |area| person.click(area))
}

/// Somebody goes through a page with nothing but Tab and Enter.
pub(crate) fn with_a_keyboard(quest: &Quest, corpus: &Path) -> Ending {
    let screen = Screen::open();
    let _browser = Chromium::open(&screen, &quest.url());
    let person = Person::recorded(&screen, corpus);
    screen.find("the page's button", CLAIM, is_claim);
    person.key("Tab");
    person.key("Return");
    screen.find("the target", TARGET, is_target);
    person.key("Return");
    wait(quest, &screen, |_| person.key("Return"))
}

/// Waits for the page to go on. After a check of more than five seconds the dialog asks for one more press.
fn wait(quest: &Quest, screen: &Screen, mut press: impl FnMut(Area)) -> Ending {
    for _ in 0..TIMES {
        if let Some(ending) = quest.ending_within(WAIT) {
            return ending;
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

/// It stands where no target is: in the middle, and lower than a target is high.
fn is_continue(area: Area) -> bool {
    area.width >= 100 && (40..48).contains(&area.height)
}

fn is_apart(a: Area, b: Area) -> bool {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    dx * dx + dy * dy >= (APART - 2) * (APART - 2)
}
