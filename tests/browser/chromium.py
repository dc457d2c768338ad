"""What the tests of pages share: a headless Chromium of a size and a colour scheme, with an empty console."""

import os
import re
import subprocess
import tempfile
import unittest

from selenium import webdriver

PROGRAM = os.path.abspath(os.environ.get("PLAYPROOF", "build/playproof"))
PICTURES = os.environ.get("PLAYPROOF_PICTURES")


def chromium():
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
    return webdriver.Chrome(service=service, options=options)


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = chromium()
        cls.addClassCleanup(cls.browser.quit)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [])  # no error, no warning

    def call(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                              timeout=300, cwd=self.folder)
        self.assertIn(done.returncode, (0, 2), done.stderr)
        return done.stdout

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def find(self, css):
        return self.browser.find_elements("css selector", css)

    def device(self, width, height, dark=False):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def picture(self, name):
        if PICTURES:
            os.makedirs(PICTURES, exist_ok=True)
            self.browser.save_screenshot(os.path.join(PICTURES, name + ".png"))

    def contrast(self, text, behind):
        """Of two colours, by WCAG."""
        def light(css, what):
            colour = self.script("return getComputedStyle(document.querySelector(arguments[0]))"
                                 "[arguments[1]]", css, what)
            parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
            linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
            return sum(a * b for a, b in zip(linear, (0.2126, 0.7152, 0.0722)))

        pair = sorted([light(text, "color"), light(behind, "backgroundColor")])
        return (pair[1] + 0.05) / (pair[0] + 0.05)
