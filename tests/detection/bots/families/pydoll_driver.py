# Pydoll: the browser's own protocol without a driver, with its humanised click.
import asyncio
import os
import sys

from pydoll.browser import Chrome
from pydoll.browser.options import ChromiumOptions

FLAGS = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-sandbox", "--window-size=1280,900"]


async def main():
    options = ChromiumOptions()
    options.binary_location = os.environ["CHROMIUM"]
    for flag in FLAGS:
        options.add_argument(flag)
    async with Chrome(options=options) as browser:
        tab = await browser.start()
        await tab.go_to(sys.argv[1])
        await asyncio.sleep(1)
        await (await tab.query("#claim")).click()
        host = await tab.query("voight-check")
        roles = ["first", "second"]
        for _ in range(200):
            if await tab.query('#quest[data-state="ended"]', raise_exc=False):
                break
            try:
                root = await host.get_shadow_root()
                frame = await root.query("iframe", raise_exc=False)
                button = roles and frame and await frame.query(f'#press[data-role="{roles[0]}"]', raise_exc=False)
                if button:
                    await asyncio.sleep(0.3)
                    await button.click()
                    roles.pop(0)
            except Exception as error:  # The page may go on at any time.
                print(type(error).__name__, str(error)[:200], file=sys.stderr)
            await asyncio.sleep(0.2)


asyncio.run(main())
