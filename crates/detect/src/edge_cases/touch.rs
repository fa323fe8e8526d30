//! Fingers on touch screens, as in the specifications of pointer and touch events and in browser sources.
//!
//! A finger has no path to a target, only the touch. Its timestamps are finer than a mouse's, its positions are between
//! pixels, it has a radius, and it slides a little.

use super::{assert_not_flagged, assess_accepted};
use crate::testing::{CheckBuilder, encode};
use serde_json::{Value, json};

const ANDROID: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

/// One tap, in tenths of a millisecond and hundredths of a pixel.
#[derive(Clone, Copy)]
struct Tap {
    /// Time of contact.
    at: i64,
    /// Duration of the contact.
    hold: i64,
    /// Position of the contact.
    place: (i64, i64),
    /// Distance of the slide during the contact, which a browser reports once per frame.
    slide: i64,
    /// Pressure in thousandths, as pointer events report it.
    pressure: i64,
    /// Radii of the contact area.
    radius: (i64, i64),
    /// `true` if the browser offers coalesced and predicted events.
    offers: bool,
    /// Number of the target: 1 for the first, 2 for the second.
    role: i64,
}

impl Tap {
    const FIRST: Self = Self {
        at: 26_037,
        hold: 871,
        place: (21_354, 18_427),
        slide: 0,
        pressure: 1000,
        radius: (1246, 1133),
        offers: true,
        role: 1,
    };
    const SECOND: Self = Self {
        at: 42_419,
        hold: 653,
        place: (33_189, 34_602),
        role: 2,
        ..Self::FIRST
    };

    /// Returns the moments of the touch: down, the steps of its slide, up.
    fn moments(self) -> Vec<(i64, i64, i64)> {
        let steps = if self.slide == 0 { 0 } else { self.hold / 170 };
        let step = |n: i64| (0, self.at + n * 167 + n % 3, self.slide * n / (steps + 1));
        let down = (1, self.at, 0);
        let up = (2, self.at + self.hold, self.slide);
        std::iter::once(down)
            .chain((1..=steps).map(step))
            .chain([up])
            .collect()
    }

    /// Returns the pointer rows: the finger enters the page, goes down, up and leaves; then the click.
    fn pointer(self) -> Value {
        let row = |kind: i64, t: i64, dx: i64, pressed: i64| {
            let x = self.place.0 + dx;
            let y = self.place.1;
            let predicted_events = if self.offers {
                i64::from(kind == 0)
            } else {
                -1
            };
            let pressure = pressed * self.pressure;
            [
                kind,
                t,
                x,
                y,
                x + 900,
                y + 11_200,
                0,
                0,
                pressed,
                pressure,
                2,
                3,
                self.role,
                predicted_events,
                predicted_events.min(0),
                31,
            ]
        };
        let mut rows = vec![row(4, self.at, 0, 0)];
        rows[0][12] = 0;
        rows.extend(
            self.moments()
                .into_iter()
                .map(|(kind, t, dx)| row(kind, t, dx, i64::from(kind != 2))),
        );
        let end = self.at + self.hold;
        let mut leave_row = row(5, end, self.slide, 0);
        leave_row[12] = 0;
        let mut click = row(6, end + 48, self.slide, 0);
        click[11] |= 1 << 2;
        encode(&[rows, vec![leave_row, click]].concat())
    }

    /// Returns the touch rows of this tap.
    fn touches(self, before: &mut [i64; 3]) -> Vec<Value> {
        let kinds = [1, 0, 2];
        let mut rows = Vec::new();
        for (kind, t, dx) in self.moments() {
            let now = [t, self.place.0 + dx, self.place.1];
            let kind = kinds.iter().position(|candidate| *candidate == kind);
            rows.push(json!([
                kind,
                now[0] - before[0],
                now[1] - before[1],
                now[2] - before[2],
                0,
                self.radius.0,
                self.radius.1,
                self.pressure,
                1
            ]));
            *before = now;
        }
        rows
    }
}

/// Builds a check that two taps complete, in Chromium on a phone.
fn tapped(first: Tap, second: Tap) -> CheckBuilder {
    let mut draft = CheckBuilder::person();
    on_a_phone(&mut draft);
    for (batch, tap) in [(&mut draft.first, first), (&mut draft.second, second)] {
        batch["pointer"] = tap.pointer();
        batch["touches"] = tap.touches(&mut [0; 3]).into();
    }
    let touches = first.moments().len() + second.moments().len();
    draft.second["counts"] = json!({"move": touches - 4, "raw": touches - 4, "down": 2, "up": 2, "click": 2, "key": 0, "touch": touches, "wheel": 0});
    draft
}

fn on_a_phone(draft: &mut CheckBuilder) {
    let env = &mut draft.first["env"];
    for place in ["", "/worker", "/frame"] {
        let place = env.pointer_mut(place).unwrap();
        (place["ua"], place["platform"], place["hardwareConcurrency"]) =
            (ANDROID.into(), "Linux armv81".into(), 8.into());
        (place["webglVendor"], place["webglRenderer"]) =
            ("Qualcomm".into(), "Adreno (TM) 740".into());
    }
    env["hints"]["mobile"] = true.into();
    (
        env["hints"]["platform"],
        env["hints"]["model"],
        env["hints"]["architecture"],
    ) = ("Android".into(), "K".into(), "".into());
    env["media"] =
        json!({"hover": false, "anyHover": false, "pointer": "coarse", "anyPointer": "coarse"});
    (env["maxTouchPoints"], env["devicePixelRatio"]) = (5.into(), 2.625.into());
    env["screen"] = json!({"w": 432, "h": 960, "availW": 432, "availH": 960, "depth": 24});
    (env["outer"], env["position"]) = (json!({"w": 432, "h": 864}), json!({"x": 0, "y": 0}));
    for (name, value) in &mut draft.headers {
        match name.as_str() {
            "user-agent" => *value = ANDROID.into(),
            "sec-ch-ua-platform" => *value = "\"Android\"".into(),
            "sec-ch-ua-mobile" => *value = "?1".into(),
            _ => {}
        }
    }
}

/// Changes a check to Safari on a phone: no client hints, no coalesced events, and no pressure.
fn safari(draft: &mut CheckBuilder) {
    let env = &mut draft.first["env"];
    env.as_object_mut().unwrap().remove("hints");
    for place in ["", "/worker", "/frame"] {
        let place = env.pointer_mut(place).unwrap();
        (place["ua"], place["platform"]) = (IPHONE.into(), "iPhone".into());
        (place["webglVendor"], place["webglRenderer"]) = ("Apple Inc.".into(), "Apple GPU".into());
    }
    (env["vendor"], env["devicePixelRatio"]) = ("Apple Computer, Inc.".into(), 3.into());
    env["engine"] = json!({"errorShape": "jsc", "evalLength": 37, "nullError":
        "null is not an object (evaluating 'null.x')", "features": ["ApplePaySession", "TouchEvent",
        "ondeviceorientation", "PaymentRequest", "structuredClone", "MediaSession", "cookieStore", "GPU"]});
    draft
        .headers
        .retain(|(name, _)| !name.starts_with("sec-ch-"));
    draft.headers[0].1 = IPHONE.into();
}

#[test]
fn two_taps_on_a_phone() {
    let draft = tapped(Tap::FIRST, Tap::SECOND);
    assert_not_flagged(&draft);
    let assessment = assess_accepted(&draft);
    let against: Vec<_> = assessment
        .findings
        .iter()
        .filter(|finding| finding.weight.as_milli() > 0)
        .collect();
    assert!(
        against.is_empty() && assessment.human.as_milli() > 0,
        "{against:?}"
    );
}

#[test]
fn two_taps_in_safari() {
    let flat = |tap: Tap| Tap {
        pressure: 0,
        offers: false,
        ..tap
    };
    let mut draft = tapped(flat(Tap::FIRST), flat(Tap::SECOND));
    safari(&mut draft);
    draft.second["counts"]["raw"] = 0.into();
    assert_not_flagged(&draft);
}

#[test]
fn slow_sliding_finger_and_quick_finger() {
    let slow = |tap: Tap| Tap {
        hold: 9_213,
        slide: 437,
        ..tap
    };
    let quick = |tap: Tap| Tap { hold: 214, ..tap };
    for change in [slow as fn(Tap) -> Tap, quick] {
        assert_not_flagged(&tapped(change(Tap::FIRST), change(Tap::SECOND)));
    }
}

#[test]
fn rounded_touches_without_touch_events() {
    // Whole pixels and milliseconds, no radius, no touch events: privacy settings can round all of these.
    let plain = |tap: Tap| {
        let at = tap.at / 10 * 10;
        let hold = tap.hold / 10 * 10;
        Tap {
            at,
            hold,
            place: (tap.place.0 / 100 * 100, tap.place.1 / 100 * 100),
            radius: (0, 0),
            ..tap
        }
    };
    let mut draft = tapped(plain(Tap::FIRST), plain(Tap::SECOND));
    for batch in [&mut draft.first, &mut draft.second] {
        batch["touches"] = json!([]);
    }
    draft.second["counts"]["touch"] = 0.into();
    assert_not_flagged(&draft);
}

#[test]
fn a_finger_on_a_laptop_with_a_mouse() {
    let mut draft = tapped(Tap::FIRST, Tap::SECOND);
    let desktop = CheckBuilder::person();
    (draft.first["env"], draft.headers) = (desktop.first["env"].clone(), desktop.headers);
    draft.first["env"]["maxTouchPoints"] = 10.into();
    assert_not_flagged(&draft);
}

/// A visitor at a laptop with a touch screen moves the mouse over the page, then touches the targets.
///
/// The touch is either on a target, or so far beside it that the browser moves the tap.
#[test]
fn finger_after_mouse_on_hybrid_laptop() {
    for beside in [false, true] {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["maxTouchPoints"] = 10.into();
        draft.all_rows(|_, row| {
            if row[0] != 0 {
                (row[9], row[10], row[13]) = (if row[0] == 1 { 1000 } else { 0 }, 2, 0);
            }
            if beside && matches!(row[0], 1 | 2) {
                row[12] = 0;
            }
        });
        let tap = |draft: &CheckBuilder, batch: &Value| -> Value {
            let down = batch["pointer"].as_array().unwrap()[..32].iter();
            let sum = |at: usize| {
                down.clone()
                    .map(|row| row[at].as_i64().unwrap())
                    .sum::<i64>()
            };
            assert!(draft.completed);
            json!([[0, sum(1), sum(2), sum(3), 0, 1246, 1133, 1000, 1]])
        };
        draft.first["touches"] = tap(&draft, &draft.first);
        draft.second["touches"] = tap(&draft, &draft.second);
        draft.second["counts"]["touch"] = 2.into();
        assert_not_flagged(&draft);
        let assessment = assess_accepted(&draft);
        let against: Vec<_> = assessment
            .findings
            .iter()
            .filter(|finding| finding.weight.as_milli() > 0)
            .collect();
        assert!(against.is_empty(), "{against:?}");
        assert_eq!(
            assessment.human.as_milli(),
            if beside { 0 } else { 1000 },
            "the mouse's moves are no sign"
        );
    }
}

/// The visitor presses the first target with the mouse and the second with a finger.
#[test]
fn a_mouse_and_then_a_finger() {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["maxTouchPoints"] = 10.into();
    draft.second["pointer"] = Tap::SECOND.pointer();
    draft.second["touches"] = Tap::SECOND.touches(&mut [0; 3]).into();
    draft.second["counts"]["touch"] = 2.into();
    assert_not_flagged(&draft);
    assert_eq!(draft.fires("other_pointer_moved"), None);
}

#[test]
fn touch_does_not_suppress_other_rules() {
    let mut draft = tapped(Tap::FIRST, Tap::SECOND);
    draft.first["env"]["webdriver"]["value"] = true.into();
    assert!(draft.fires("webdriver").is_some());
}
