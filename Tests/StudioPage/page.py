"""The page in Chromium, used as a user would: by roles and names."""

import os
import shutil
import sys
import time

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.support.select import Select

import frame_strip
from studio import LONGEST_WAIT

SHOTS = os.environ.get("STUDIO_PAGE_SHOTS")

CANDIDATES = {
    "button": "button",
    "slider": "input[type=range], [role=slider]",
    "switch": "[role=switch]",
    "combobox": "select",
    "textbox": "input[type=text]",
    "radio": "input[type=radio]",
    "checkbox": "input[type=checkbox]:not([role])",
    "progressbar": "[role=progressbar]",
    "meter": "[role=meter]",
    "dialog": "dialog",
}

# Elements that may have this name: the browser computes the name itself, which is slow for each element.
MAY_BE_NAMED = """
const [selector, name] = arguments;
const words = (element) => [
  element.getAttribute('aria-label'), element.textContent, ...[...(element.labels ?? [])].map((label) => label.textContent),
  ...(element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent),
].join(' ').replace(/\\s+/g, ' ');
return [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility() && words(element).includes(name));
"""

READ_STRIP = """
let canvas = document.getElementById(arguments[0]);
if (canvas.localName === 'video') {
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.videoWidth || 1, height: canvas.videoHeight || 1 });
  copy.getContext('2d').drawImage(canvas, 0, 0);
  canvas = copy;
}
const cell = 8 * Math.max(1, Math.floor(arguments[1] / 256)) * canvas.width / arguments[1];
const { data } = canvas.getContext('2d').getImageData(0, Math.floor(cell / 2), canvas.width, 1);
return Array.from({ length: 32 }, (_, index) => data[4 * Math.floor((index + 0.5) * cell) + 1] > 126);
"""

# The contrast of each visible text with its background (WCAG 2.2, 1.4.3), if that has a single colour.
LOW_CONTRAST = """
const parse = (text) => { const parts = text.match(/[\\d.]+/g).map(Number); return parts.length < 4 ? [...parts, 1] : parts };
const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map((c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 }); return 0.2126 * x + 0.7152 * y + 0.0722 * z };
const bad = [];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  if (!own || !element.checkVisibility() || element.closest('.unseen, [disabled], option, noscript') || element.closest('label')?.querySelector(':disabled')) continue;
  let back = element;
  while (back && parse(getComputedStyle(back).backgroundColor)[3] < 0.8) back = back.parentElement;
  const [front, ground] = [light(parse(getComputedStyle(element).color)), light(parse(getComputedStyle(back ?? document.documentElement).backgroundColor))];
  const contrast = (Math.max(front, ground) + 0.05) / (Math.min(front, ground) + 0.05);
  if (contrast < 4.5) bad.push(`${element.textContent.trim().slice(0, 40)}: ${contrast.toFixed(2)}`);
}
return bad;
"""

# Elements that extend beyond the page's width.
STICKS_OUT = """
const wide = document.documentElement.clientWidth;
const bad = document.scrollingElement.scrollWidth > wide ? [`the page is ${document.scrollingElement.scrollWidth} wide`] : [];
for (const element of document.querySelectorAll('button, select, input, canvas, p, dd')) {
  if (!element.checkVisibility() || element.closest('.unseen')) continue;
  const box = element.getBoundingClientRect();
  if (box.width > 0 && (box.left < -1 || box.right > wide + 1)) bad.push(`${element.id || element.textContent}: ${box.left} to ${box.right}`);
}
return bad;
"""

# Problems for a screen reader: controls without a name, two with the same name, pictures without a text,
# references to missing elements, no heading.
UNNAMED = """
const bad = [];
const ids = new Set();
const words = (element) => (element.getAttribute('aria-label') ?? element.getAttribute('alt')
  ?? [...(element.labels ?? [])].map((label) => label.textContent).join(' ') + ' ' + element.textContent).trim();
for (const element of document.querySelectorAll('body *')) {
  if (element.id && ids.size === ids.add(element.id).size) bad.push(`two elements are #${element.id}`);
  for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls']) {
    for (const id of (element.getAttribute(name) ?? '').split(' ').filter(Boolean)) {
      if (!document.getElementById(id)) bad.push(`${element.id}: there is no #${id}`);
    }
  }
}
const named = new Map();
for (const element of document.querySelectorAll('button, select, input, summary, [tabindex="0"], [role=img], [role=meter], [role=progressbar], [role=slider], [role=group], video, progress')) {
  if (!element.checkVisibility()) continue;
  const name = element.localName === 'video' ? element.getAttribute('aria-label') ?? 'video' : words(element);
  if (name === '') bad.push(`no name: ${element.outerHTML.slice(0, 120)}`);
  const key = `${element.localName} ${element.getAttribute('role') ?? ''} ${name}`;
  if (named.has(key)) bad.push(`two of one name: ${key}`);
  named.set(key, element);
}
for (const image of document.querySelectorAll('img')) if (!image.hasAttribute('alt')) bad.push('a picture without a text');
if (document.querySelectorAll('main:not([hidden])').length !== 1) bad.push('not one main part');
if (!document.querySelector('h1').checkVisibility()) bad.push('no heading of the page');
return bad;
"""


def program(*names):
    found = next((path for path in map(shutil.which, names) if path), None)
    if not found:
        raise RuntimeError(f"{names[0]} is not installed")
    return found


class Page:
    def __init__(self, address, width=1280, height=800, mode_width=1280):
        options = webdriver.ChromeOptions()
        options.binary_location = program("chromium", "chromium-browser", "google-chrome")
        for argument in ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        RemoteConnection.set_timeout(LONGEST_WAIT + 60)
        self.browser = self._started(options)
        self.browser.set_script_timeout(LONGEST_WAIT)
        self.browser.set_page_load_timeout(LONGEST_WAIT)
        self.console = []
        self.visit(address, width, height, mode_width)

    @staticmethod
    def _started(options):
        # The driver itself waits a minute for the browser, however busy the machine is.
        for _ in range(9):
            try:
                return webdriver.Chrome(service=Service(program("chromedriver")), options=options)
            except WebDriverException as error:
                print(f"Chromium did not start, once more: {error}", file=sys.stderr)
        return webdriver.Chrome(service=Service(program("chromedriver")), options=options)

    def visit(self, address, width=1280, height=800, mode_width=1280):
        """Opens an address as in a browser without history."""
        self.mode_width = mode_width
        self.size(width, height)
        self.media()
        if self.browser.current_url.startswith("http"):
            self.script("localStorage.clear(); sessionStorage.clear()")
        self.browser.get("about:blank")
        self.complaints
        self.console = []
        self.browser.get(address)

    def reload(self):
        self.browser.refresh()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.quit()

    def size(self, width, height):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def media(self, **features):
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def wait(self, told, test):
        """Waits until `test` returns a true value, and returns it."""
        end = time.monotonic() + LONGEST_WAIT
        while True:
            try:
                found = test()
            except StaleElementReferenceException:
                found = None
            if found:
                return found
            if time.monotonic() > end:
                self.shot("failed")
                raise AssertionError(f"waited in vain for {told}; phase {self.phase}, notices {self.notices}")
            time.sleep(0.05)

    # Elements, by role and name.

    def all(self, role, name):
        return [
            element for element in self.script(MAY_BE_NAMED, CANDIDATES[role], name)
            if element.is_displayed() and element.accessible_name == name
        ]

    def has(self, role, name):
        return len(self.all(role, name)) > 0

    def find(self, role, name):
        found = self.wait(f'the {role} "{name}"', lambda: self.all(role, name))
        if len(found) > 1:
            raise AssertionError(f'there are {len(found)} of the {role} "{name}"')
        return found[0]

    def gone(self, role, name):
        self.wait(f'the end of the {role} "{name}"', lambda: not self.has(role, name))

    def press(self, name, role="button"):
        """Clicks an element as soon as it is clickable."""
        def click():
            element = self.find(role, name)
            if not element.is_enabled() or element.get_attribute("aria-disabled") == "true":
                return False
            self.script("arguments[0].scrollIntoView({ block: 'center' })", element)
            try:
                element.click()
            except ElementClickInterceptedException:
                # A notice covers it: a user would close the notice.
                self.dismiss()
                return False
            return True
        self.wait(f'"{name}" to be enabled', click)

    def open(self, panel):
        """Opens one of the panels next to the picture."""
        summary = next(e for e in self.browser.find_elements(By.CSS_SELECTOR, "summary") if e.text.strip() == panel)
        if summary.find_element(By.XPATH, "..").get_attribute("open") is None:
            summary.click()

    def choose(self, role, name, text):
        def chosen():
            element = self.find(role, name)
            if not element.is_enabled():
                return False
            options = [option for option in Select(element).options if text in option.text]
            if not options:
                return False
            Select(element).select_by_visible_text(options[0].text)
            return True
        self.wait(f'"{text}" in "{name}"', chosen)

    def fill(self, role, name, text):
        def filled():
            element = self.find(role, name)
            if not element.is_enabled():
                return False
            element.send_keys(Keys.CONTROL, "a")
            element.send_keys(text if text else Keys.DELETE)
            element.send_keys(Keys.TAB)
            return True
        self.wait(f'"{name}" to be enabled', filled)

    def keys(self, *keys):
        """Sends keys to the element with the focus."""
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def shifted(self, key, times=1):
        actions = webdriver.ActionChains(self.browser).key_down(Keys.SHIFT)
        for _ in range(times):
            actions = actions.send_keys(key)
        actions.key_up(Keys.SHIFT).perform()

    def focus(self, role, name):
        element = self.find(role, name)
        self.script("arguments[0].focus()", element)
        return element

    def key(self, key):
        """Sends one key to the page itself, as after a click outside all elements."""
        self.script("document.activeElement?.blur()")
        self.keys(key)

    # The page's texts.

    @property
    def phase(self):
        return self.script("return document.body.dataset.phase")

    def until(self, *phases):
        return self.wait(f"the phase {phases}", lambda: self.phase in phases and self.phase)

    @property
    def notices(self):
        return self.script("return [...document.querySelectorAll('#notices .notice')].map((n) => [n.dataset.kind, n.firstChild.textContent])")

    def notice(self, kind):
        return self.wait(f"the notice {kind}", lambda: next((text for own, text in self.notices if own == kind), None))

    def text(self, identifier):
        return self.script("return document.getElementById(arguments[0]).textContent", identifier)

    def dismiss(self):
        self.script("for (const button of document.querySelectorAll('#notices .dismiss')) button.click()")

    # The picture.

    def strip(self, canvas="live"):
        """The number in the picture's strip, or `None` if it is unreadable."""
        return frame_strip.number(self.script(READ_STRIP, canvas, self.mode_width))

    def picture(self, canvas="live"):
        """Waits for a picture with a readable strip."""
        return self.wait("a picture", lambda: (number := self.strip(canvas)) is not None and [number])[0]

    def shown(self, index, canvas="live"):
        """Waits until the frame of this index is shown, and returns the number in its strip."""
        def there():
            frame = self.script("return document.getElementById(arguments[0]).dataset.frame", canvas)
            return frame == str(index) and [self.strip(canvas)]
        return self.wait(f"frame {index}", there)[0]

    def shot(self, name):
        if SHOTS:
            os.makedirs(SHOTS, exist_ok=True)
            self.browser.save_screenshot(os.path.join(SHOTS, f"{name}.png"))

    @property
    def complaints(self):
        """Chromium's errors, such as a violation of the content security policy.

        A refusal while the camera reopens does not count: the page asks again.
        """
        self.console += self.browser.get_log("browser")
        messages = [entry["message"] for entry in self.console if entry["level"] == "SEVERE"]
        return [message for message in messages if "status of 409" not in message]

    def told(self):
        """The state of the page, for the report on a failed test."""
        parts = {
            "address": lambda: self.browser.current_url,
            "phase": lambda: self.phase,
            "notices": lambda: self.notices,
            "text": lambda: self.script("return document.body.innerText"),
            "console": lambda: (self.complaints, self.console)[1],
        }
        lines = []
        for name, part in parts.items():
            try:
                lines.append(f"page's {name}: {part()}")
            except Exception as error:
                lines.append(f"page's {name} is not known: {error}")
        return "\n".join(lines)
