# Selenium and what is built on it.
import os
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

PAGE, VARIANT = sys.argv[1], sys.argv[2]
FLAGS = [
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
    "--no-default-browser-check", "--password-store=basic", "--window-size=1280,900", "--no-sandbox",
]
NEXT = ["#claim", '#press[data-role="first"]', '#press[data-role="second"]']


def add_flags(options):
    for flag in FLAGS + ([] if os.environ.get("HEADED") else ["--headless=new"]):
        options.add_argument(flag)
    options.binary_location = os.environ["CHROMIUM"]
    return options


def plain():
    service = webdriver.ChromeService(os.environ["CHROMEDRIVER"])
    return webdriver.Chrome(add_flags(webdriver.ChromeOptions()), service)


def stealth():
    from selenium_stealth import stealth as dress

    driver = plain()
    dress(driver, languages=["en-US", "en"], vendor="Google Inc.", platform="Linux x86_64", webgl_vendor="Intel Inc.",
          renderer="Intel Iris OpenGL Engine", fix_hairline=True)
    return driver


def undetected():
    import shutil

    import undetected_chromedriver

    own = os.path.join(os.environ["TMPDIR"], "chromedriver")
    shutil.copy(os.environ["CHROMEDRIVER"], own)
    options = add_flags(undetected_chromedriver.ChromeOptions())
    return undetected_chromedriver.Chrome(options=options, driver_executable_path=own,
                                          browser_executable_path=os.environ["CHROMIUM"], version_main=156)


def seleniumbase():
    import seleniumbase.drivers
    from seleniumbase import Driver

    import shutil

    for name in ("uc_driver", "chromedriver"):
        shutil.copy(os.environ["CHROMEDRIVER"], os.path.join(os.path.dirname(seleniumbase.drivers.__file__), name))
    return Driver(uc=True, headed=True, binary_location=os.environ["CHROMIUM"], chromium_arg=",".join(FLAGS))


def frame(driver):
    driver.switch_to.default_content()
    root = driver.find_element(By.CSS_SELECTOR, "voight-check").shadow_root
    return root.find_element(By.CSS_SELECTOR, "iframe")


def press(driver, button):
    if VARIANT != "actions":
        return button.click()
    actions = ActionChains(driver, duration=220)
    actions.move_to_element_with_offset(button, -30, -9).move_to_element_with_offset(button, 12, 5)
    actions.pause(0.1).click_and_hold().pause(0.09).release().perform()


def resume(driver):
    driver.switch_to.default_content()
    root = driver.find_element(By.CSS_SELECTOR, "voight-check").shadow_root
    for button in root.find_elements(By.CSS_SELECTOR, ".panel:not([hidden]) button"):
        if button.text == "Continue":
            button.click()


def step(driver, last):
    for number, name in enumerate(NEXT):
        if number <= last:
            continue
        if number > 0:
            driver.switch_to.frame(frame(driver))
        found = driver.find_elements(By.CSS_SELECTOR, name)
        if found:
            press(driver, found[0])
            return number
    resume(driver)
    return last


def run(driver):
    driver.get(PAGE)
    last = -1
    while not driver.execute_script("return Boolean(customElements.get('voight-check'))"):
        time.sleep(0.1)
    for _ in range(300):
        driver.switch_to.default_content()
        if driver.find_elements(By.CSS_SELECTOR, '#quest[data-state="ended"]'):
            return
        try:
            last = step(driver, last)
        except Exception as error:  # The page may go on at any time.
            print(type(error).__name__, str(error)[:200], file=sys.stderr)
        time.sleep(0.1)


driver = {"stealth": stealth, "undetected": undetected, "seleniumbase": seleniumbase}.get(VARIANT, plain)()
try:
    run(driver)
finally:
    driver.quit()
