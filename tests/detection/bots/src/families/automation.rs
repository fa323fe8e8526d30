//! Browsers under an automation protocol.

use crate::family::{Driver, Family, FamilyKind, Script};

const fn family(name: &'static str, about: &'static str, script: Script) -> Family {
    Family {
        name,
        kind: FamilyKind::Automation,
        about,
        driver: Driver::Script(script),
    }
}

pub(super) const fn headless(
    file: &'static str,
    variant: &'static str,
    requirements: &'static [&'static str],
) -> Script {
    Script {
        file,
        variant,
        headed: false,
        requirements,
    }
}

const fn headed(
    file: &'static str,
    variant: &'static str,
    requirements: &'static [&'static str],
) -> Script {
    Script {
        file,
        variant,
        headed: true,
        requirements,
    }
}

const PLAYWRIGHT: &[&str] = &["playwright-core"];
const PUPPETEER: &[&str] = &["puppeteer-core"];
const STEALTH: &[&str] = &[
    "puppeteer-extra",
    "puppeteer-extra-plugin-stealth",
    "puppeteer-core",
];

/// Families that are driven from Node.js, then those from Python.
pub(super) const FAMILIES: &[Family] = &[
    family(
        "playwright_headless",
        "Playwright, its own click",
        headless("playwright.mjs", "", PLAYWRIGHT),
    ),
    family(
        "playwright_headed",
        "Playwright in a window, its own click",
        headed("playwright.mjs", "", PLAYWRIGHT),
    ),
    family(
        "playwright_evaluate",
        "Playwright, element.click() in the page",
        headless("playwright.mjs", "evaluate", PLAYWRIGHT),
    ),
    family(
        "playwright_steps",
        "Playwright, a straight line of 25 steps",
        headed("playwright.mjs", "steps", PLAYWRIGHT),
    ),
    family(
        "playwright_curves",
        "Playwright, a curve with noise, pauses and a held button",
        headed("playwright.mjs", "curves", PLAYWRIGHT),
    ),
    family(
        "playwright_touch",
        "Playwright, taps of an emulated phone",
        headless("playwright.mjs", "touch", PLAYWRIGHT),
    ),
    family(
        "playwright_keyboard",
        "Playwright, Tab and Enter by the driver",
        headless("playwright.mjs", "keyboard", PLAYWRIGHT),
    ),
    family(
        "playwright_stealth",
        "playwright-extra with the stealth plugin",
        headless(
            "playwright.mjs",
            "stealth",
            &[
                "playwright-extra",
                "puppeteer-extra-plugin-stealth",
                "playwright-core",
            ],
        ),
    ),
    family(
        "patchright",
        "Patchright in a window",
        headed("playwright.mjs", "patchright", &["patchright-core"]),
    ),
    family(
        "patchright_curves",
        "Patchright in a window, a curve with noise",
        headed("playwright.mjs", "patchright_curves", &["patchright-core"]),
    ),
    family(
        "rebrowser_playwright",
        "Playwright with Rebrowser's patches, in a window",
        headed(
            "playwright.mjs",
            "rebrowser",
            &["rebrowser-playwright-core"],
        ),
    ),
    family(
        "puppeteer_headless",
        "Puppeteer, its own click",
        headless("puppeteer.mjs", "", PUPPETEER),
    ),
    family(
        "puppeteer_headed",
        "Puppeteer in a window, its own click",
        headed("puppeteer.mjs", "", PUPPETEER),
    ),
    family(
        "puppeteer_ghost_cursor",
        "Puppeteer with ghost-cursor, in a window",
        headed(
            "puppeteer.mjs",
            "ghost",
            &["ghost-cursor", "puppeteer-core"],
        ),
    ),
    family(
        "puppeteer_stealth",
        "puppeteer-extra with the stealth plugin",
        headless("puppeteer.mjs", "stealth", STEALTH),
    ),
    family(
        "puppeteer_stealth_ghost",
        "the stealth plugin and ghost-cursor, in a window",
        headed("puppeteer.mjs", "stealth_ghost", STEALTH),
    ),
    family(
        "rebrowser_puppeteer",
        "Puppeteer with Rebrowser's patches, in a window",
        headed("puppeteer.mjs", "rebrowser", &["rebrowser-puppeteer-core"]),
    ),
    family(
        "puppeteer_firefox",
        "Firefox by WebDriver BiDi",
        headless("puppeteer.mjs", "firefox", PUPPETEER),
    ),
    family(
        "cdp_raw",
        "a window driven by the bare protocol, no library",
        headed("cdp.mjs", "", &[]),
    ),
    family(
        "selenium_node",
        "Selenium from Node.js",
        headless("selenium.mjs", "", &["selenium-webdriver"]),
    ),
    family(
        "selenium_headless",
        "Selenium from Python",
        headless("selenium_driver.py", "", &["selenium"]),
    ),
    family(
        "selenium_headed",
        "Selenium from Python, in a window",
        headed("selenium_driver.py", "", &["selenium"]),
    ),
    family(
        "selenium_actions",
        "Selenium, chains of actions that move the pointer",
        headed("selenium_driver.py", "actions", &["selenium"]),
    ),
    family(
        "selenium_stealth",
        "Selenium with selenium-stealth",
        headless(
            "selenium_driver.py",
            "stealth",
            &["selenium", "selenium_stealth"],
        ),
    ),
    family(
        "undetected_chromedriver",
        "undetected-chromedriver, in a window",
        headed(
            "selenium_driver.py",
            "undetected",
            &["undetected_chromedriver"],
        ),
    ),
    family(
        "seleniumbase_uc",
        "SeleniumBase in its undetected mode, in a window",
        headed("selenium_driver.py", "seleniumbase", &["seleniumbase"]),
    ),
    family(
        "playwright_python",
        "Playwright from Python",
        headless("playwright_python.py", "", &["playwright"]),
    ),
    family(
        "nodriver",
        "nodriver, in a window",
        headed("nodriver_driver.py", "nodriver", &["nodriver"]),
    ),
    family(
        "zendriver",
        "zendriver, in a window",
        headed("nodriver_driver.py", "zendriver", &["zendriver"]),
    ),
    family(
        "pydoll",
        "Pydoll, in a window",
        headed("pydoll_driver.py", "", &["pydoll"]),
    ),
    family(
        "drissionpage",
        "DrissionPage, in a window",
        headed("drission_driver.py", "", &["DrissionPage"]),
    ),
];
