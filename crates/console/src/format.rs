//! Values as the pages show them. Every type here writes HTML that it has escaped itself.

use askama::filters::HtmlSafe;
use std::fmt;
use voight_domain::Timestamp;
use voight_domain::verdict::{Answer, Nats, Status};
use voight_domain::vocabulary::EoaAddress;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const MINUS: char = '\u{2212}';

/// Time, relative to now within a day.
pub(crate) struct Time {
    at: Timestamp,
    now: Timestamp,
}

/// Address, shortened for the eye and complete for copying.
pub(crate) struct Address(EoaAddress);

/// Status of an address as a word with a tone.
pub(crate) struct StatusMark(Status);

/// Score with a bar.
pub(crate) struct Score {
    hundredths: u8,
    is_bot: bool,
}

/// State as a word with a tone.
pub(crate) struct State {
    tone: &'static str,
    word: &'static str,
}

impl HtmlSafe for Time {}
impl HtmlSafe for Address {}
impl HtmlSafe for StatusMark {}
impl HtmlSafe for Score {}
impl HtmlSafe for State {}

impl Time {
    /// Creates a time that is shown at `now`.
    pub(crate) const fn new(at: Timestamp, now: Timestamp) -> Self {
        Self { at, now }
    }

    /// Returns the text for the eye.
    fn text(&self) -> String {
        let utc = UtcText::new(self.at);
        let age = self.now.saturating_since(self.at).as_secs();
        if self.at > self.now.saturating_add(std::time::Duration::from_mins(1)) {
            return format!("{}, {}", utc.day_and_month(), utc.minute());
        }
        match age {
            0..MINUTE => "just now".to_owned(),
            MINUTE..HOUR => format!("{} min ago", age / MINUTE),
            HOUR..DAY => format!("{} h ago", age / HOUR),
            _ if utc.year() == UtcText::new(self.now).year() => {
                format!("{}, {}", utc.day_and_month(), utc.minute())
            }
            _ => format!("{} {}", utc.day_and_month(), utc.year()),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = UtcText::new(self.at);
        write!(
            f,
            "<time datetime=\"{}\" title=\"{} UTC\">{}</time>",
            utc.0,
            utc.second(),
            self.text()
        )
    }
}

/// RFC 3339 text of a time.
struct UtcText(String);

impl UtcText {
    fn new(at: Timestamp) -> Self {
        let seconds = at.as_seconds().clamp(0, 253_402_207_200);
        Self(Timestamp::from_millis(seconds * 1000).to_string())
    }

    fn part(&self, range: std::ops::Range<usize>) -> &str {
        self.0.get(range).unwrap_or_default()
    }

    fn year(&self) -> &str {
        self.part(0..4)
    }

    fn day_and_month(&self) -> String {
        let month = self.part(5..7).parse().unwrap_or(1_usize);
        let month_name = MONTHS.get(month.saturating_sub(1)).unwrap_or(&"");
        let day = self.part(8..10);
        format!("{} {month_name}", day.trim_start_matches('0'))
    }

    fn minute(&self) -> &str {
        self.part(11..16)
    }

    fn second(&self) -> String {
        format!("{} {}", self.part(0..10), self.part(11..19))
    }
}

/// Returns a day since the Unix epoch as day and month.
pub(crate) fn day_text(day: i64) -> String {
    UtcText::new(Timestamp::from_millis(day * 86_400_000)).day_and_month()
}

impl From<EoaAddress> for Address {
    fn from(address: EoaAddress) -> Self {
        Self(address)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let (head, rest) = text.split_at(6);
        let (middle, tail) = rest.split_at(rest.len() - 4);
        write!(
            f,
            "<bdi class=\"a\" translate=\"no\">{head}<i>{middle}</i>{tail}</bdi>"
        )
    }
}

impl From<Status> for StatusMark {
    fn from(status: Status) -> Self {
        Self(status)
    }
}

impl fmt::Display for StatusMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (class, word) = match self.0 {
            Status::Bot => (" bot", "Bot"),
            Status::Human => (" person", "Person"),
            Status::Unsure => ("", "Unsure"),
            Status::Unknown => (" none", "Not checked"),
        };
        write!(f, "<span class=\"v{class}\">{word}</span>")
    }
}

impl Score {
    /// Creates the score of an answer.
    pub(crate) fn new(answer: Answer) -> Self {
        let hundredths = (answer.score.as_f64() * 100.0).round();
        Self {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a score is from 0 to 1"
            )]
            hundredths: hundredths as u8,
            is_bot: answer.is_bot,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fill = if self.is_bot { "fb" } else { "fp" };
        let width = self.hundredths;
        write!(
            f,
            "<span class=\"score\">{}.{:02}<svg class=\"m\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" \
             aria-hidden=\"true\"><path class=\"fn\" d=\"M0 0h100v10H0z\"/><path class=\"{fill}\" d=\"M0 0h{width}v10H0z\"/></svg></span>",
            width / 100,
            width % 100
        )
    }
}

impl State {
    /// Creates a good state.
    pub(crate) const fn good(word: &'static str) -> Self {
        Self { tone: " ok", word }
    }

    /// Creates a state that needs attention.
    pub(crate) const fn uncertain(word: &'static str) -> Self {
        Self { tone: " hm", word }
    }

    /// Creates a bad state.
    pub(crate) const fn bad(word: &'static str) -> Self {
        Self { tone: " no", word }
    }

    /// Creates a state without a tone.
    pub(crate) const fn neutral(word: &'static str) -> Self {
        Self { tone: "", word }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<span class=\"st{}\">{}</span>", self.tone, self.word)
    }
}

/// Returns a number with separators of thousands.
pub(crate) fn count_text(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a share in percent with one digit, or a dash if the whole is 0.
pub(crate) fn share_text(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let tenths = (u128::from(part) * 2000 + u128::from(whole)) / (u128::from(whole) * 2);
    format!("{}.{}\u{a0}%", tenths / 10, tenths % 10)
}

/// Returns evidence in nats with its sign and one digit.
pub(crate) fn nats_text(nats: Nats) -> String {
    let tenths = (nats.as_f64() * 10.0).round() / 10.0;
    if tenths < 0.0 {
        format!("{MINUS}{:.1}", -tenths)
    } else if tenths > 0.0 {
        format!("+{tenths:.1}")
    } else {
        "0.0".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn times_are_relative_within_a_day() {
        let now = time("2026-11-28T14:32:00Z");
        for (at, text) in [
            ("2026-11-28T14:31:40Z", "just now"),
            ("2026-11-28T14:12:00Z", "20 min ago"),
            ("2026-11-28T09:15:03Z", "5 h ago"),
            ("2026-11-26T21:37:08Z", "26 Nov, 21:37"),
            ("2025-10-02T09:14:05Z", "2 Oct 2025"),
            ("2026-11-30T06:00:00Z", "30 Nov, 06:00"),
        ] {
            assert_eq!(Time::new(time(at), now).text(), text);
        }
        let html = Time::new(time("2026-11-26T21:37:08.250Z"), now).to_string();
        let expected_html = "<time datetime=\"2026-11-26T21:37:08Z\" title=\"2026-11-26 21:37:08 UTC\">26 Nov, 21:37</time>";
        assert_eq!(html, expected_html);
        assert!(
            Time::new(Timestamp::from_millis(i64::MAX), now)
                .to_string()
                .contains("datetime")
        );
    }

    #[test]
    fn numbers_have_separators() {
        assert_eq!(count_text(0), "0");
        assert_eq!(count_text(999), "999");
        assert_eq!(count_text(31_104), "31,104");
        assert_eq!(count_text(1_000_000), "1,000,000");
        assert_eq!(share_text(193, 1000), "19.3\u{a0}%");
        assert_eq!(share_text(1, 3), "33.3\u{a0}%");
        assert_eq!(share_text(2, 3), "66.7\u{a0}%");
        assert_eq!(share_text(0, 0), "–");
        assert_eq!(share_text(u64::MAX, u64::MAX), "100.0\u{a0}%");
    }

    #[test]
    fn evidence_has_a_sign() {
        assert_eq!(nats_text(Nats::from_f64(5.62)), "+5.6");
        assert_eq!(nats_text(Nats::from_f64(-1.7)), "−1.7");
        assert_eq!(nats_text(Nats::from_f64(-0.01)), "0.0");
    }

    #[test]
    fn address_is_complete_in_the_markup() {
        let address: EoaAddress = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
            .parse()
            .unwrap();
        let html = Address::from(address).to_string();
        let text = html.replace("<i>", "").replace("</i>", "");
        assert!(
            text.contains("0x8617E340B3D01FA5F11F306F4090FD50E238070D"),
            "{html}"
        );
        assert!(html.contains("0x8617<i>") && html.contains("</i>070D"));
    }
}
