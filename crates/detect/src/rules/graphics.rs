//! Graphics of the page, a nested frame and a worker.

use super::declared::shortened;
use crate::evidence_schema::BoundedText;
use crate::facts::CheckFacts;

/// Matches if page, nested frame and worker report different graphics.
pub(super) fn other_graphics(facts: &CheckFacts) -> Option<String> {
    let env = &facts.env;
    let names = |vendor: &Option<BoundedText<512>>, renderer: &Option<BoundedText<512>>| {
        Some([vendor.as_ref()?.to_string(), renderer.as_ref()?.to_string()])
    };
    let of_page = names(&env.webgl_vendor, &env.webgl_renderer).map(|names| ("the page", names));
    let copies = [("a nested frame", &env.frame), ("a worker", &env.worker)]
        .into_iter()
        .filter_map(|(place, copy)| {
            let copy = copy.as_ref()?;
            Some((place, names(&copy.webgl_vendor, &copy.webgl_renderer)?))
        });
    let renderers: Vec<(&str, [String; 2])> = of_page.into_iter().chain(copies).collect();
    let (first, of_first) = renderers.first()?;
    let (other, of_other) = renderers.iter().find(|(_, names)| names != of_first)?;
    let short_names = |names: &[String; 2]| shortened(&names.join(" "));
    Some(format!(
        "{first} draws with {:?}, {other} with {:?}",
        short_names(of_first),
        short_names(of_other)
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    const CARD: &str = "ANGLE (Intel, Mesa Intel(R) Graphics, OpenGL 4.6)";

    fn draws(draft: &mut CheckBuilder, place: &str, vendor: &str, renderer: &str) {
        let env = &mut draft.first["env"];
        let place = if place.is_empty() {
            env
        } else {
            &mut env[place]
        };
        (place["webglVendor"], place["webglRenderer"]) = (vendor.into(), renderer.into());
    }

    #[test]
    fn equal_or_missing_graphics_are_innocent() {
        let mut draft = CheckBuilder::person();
        assert_eq!(draft.fires("other_graphics"), None);
        for place in ["", "frame", "worker"] {
            draws(&mut draft, place, "Intel", CARD);
            assert_eq!(draft.fires("other_graphics"), None, "{place}");
        }
    }

    #[test]
    fn differing_graphics_are_reported() {
        for place in ["", "frame", "worker"] {
            for (vendor, renderer) in [("Google Inc.", CARD), ("Intel", "Intel Iris OpenGL Engine")]
            {
                let mut draft = CheckBuilder::person();
                for place in ["", "frame", "worker"] {
                    draws(&mut draft, place, "Intel", CARD);
                }
                draws(&mut draft, place, vendor, renderer);
                assert!(
                    draft.fires("other_graphics").is_some(),
                    "{vendor} {renderer} in {place:?}"
                );
            }
        }
    }
}
