//! Integers on the command line.

use std::fmt::Display;
use std::str::FromStr;

/// Returns a parser of integers from `least` to `most`.
pub(super) fn whole<T>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Copy + Send + Sync + 'static,
{
    move |text| {
        let number = digits(text).filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            format!("write a whole number from {least} to {most}, without a sign or a unit")
        })
    }
}

/// Parses an integer of at least 0.
pub(super) fn natural<T: FromStr>(text: &str) -> Result<T, String> {
    digits(text).ok_or_else(|| {
        "write a whole number of 0 or more, without a sign, a point or a unit".to_owned()
    })
}

/// Parses an integer of at least 1.
pub(super) fn positive(text: &str) -> Result<usize, String> {
    let number = digits(text).filter(|number| *number > 0);
    number.ok_or_else(|| {
        "write a whole number of 1 or more, without a sign, a point or a unit".to_owned()
    })
}

fn digits<T: FromStr>(text: &str) -> Option<T> {
    // The parsers of the standard library accept a plus sign.
    text.parse()
        .ok()
        .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_digits_only_and_a_range() {
        let percent = whole(50_u8, 99);
        assert_eq!((percent("50"), percent("99")), (Ok(50), Ok(99)));
        for text in ["", "49", "100", "95%", "+60", "-60", "300", "6e1", "x"] {
            assert_eq!(
                percent(text),
                Err("write a whole number from 50 to 99, without a sign or a unit".into()),
                "{text}"
            );
        }
        assert_eq!((natural("7"), positive("1")), (Ok(7_u64), Ok(1)));
        assert!(positive("0").is_err() && positive("-1").is_err());
        assert!(natural::<u64>("1.5").is_err() && natural::<u64>("99999999999999999999").is_err());
    }
}
