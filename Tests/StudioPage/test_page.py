"""The studio's page in Chromium against the real studio and the simulated camera."""

import bisect
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

import frame_strip
from page import LOW_CONTRAST, STICKS_OUT, UNNAMED, Page
from studio import PROGRAM, Studio

# The frame number of the session's newest picture, to compare with the page's.
LATENCY = """
const done = arguments[arguments.length - 1];
fetch('/api/preview.jpg?width=256', { headers: { Authorization: 'Bearer ' + arguments[0] } })
  .then((answer) => done(Number(answer.headers.get('Overcrank-Newest'))));
"""

# The milliseconds until the page has shown `count` more pictures.
PACE = """
const [count, done] = arguments;
const start = performance.now();
let seen = 0;
new MutationObserver((_, observer) => {
  seen += 1;
  if (seen < count) return;
  observer.disconnect();
  done(performance.now() - start);
}).observe(document.getElementById('live'), { attributeFilter: ['data-sequence'] });
"""

# The milliseconds from each jump by ten frames until that frame is shown.
SCRUB = """
const [jumps, done] = arguments;
const [canvas, playhead] = ['live', 'handle-playhead'].map((id) => document.getElementById(id));
const took = [];
const jump = () => {
  if (took.length === jumps) { done(took); return }
  const start = performance.now();
  playhead.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true }));
  const look = () => {
    if (canvas.dataset.frame !== playhead.getAttribute('aria-valuenow')) return false;
    took.push(performance.now() - start);
    jump();
    return true;
  };
  if (!look()) {
    new MutationObserver((_, observer) => { if (look()) observer.disconnect() })
      .observe(canvas, { attributeFilter: ['data-frame'] });
  }
};
jump();
"""

# The playhead's frames at which it turned back.
TURNS = """
const [count, done] = arguments;
const playhead = document.getElementById('handle-playhead');
const turns = [];
let [before, way] = [Number(playhead.getAttribute('aria-valuenow')), 0];
new MutationObserver((_, observer) => {
  const now = Number(playhead.getAttribute('aria-valuenow'));
  const moved = Math.sign(now - before);
  if (moved !== 0 && way !== 0 && moved !== way && turns.length < count) turns.push(before);
  if (moved !== 0) way = moved;
  before = now;
  if (turns.length < count) return;
  observer.disconnect();
  done(turns);
}).observe(playhead, { attributeFilter: ['aria-valuenow'] });
"""

# The page's reading of a curve's text: its speeds at some times, and the text of a part.
CURVE = """
const [text, times, start, end, done] = arguments;
import('/curve.js').then(({ Curve }) => {
  const curve = Curve.parse(text);
  done([times.map((time) => curve.speedAt(time)), curve.text(start, end ?? Infinity)]);
}).catch((error) => done(error.message));
"""

# The words for a clip's speed.
SPEEDS = """
const [texts, done] = arguments;
import('/curve.js').then(({ speedTold }) => done(texts.map(speedTold))).catch((error) => done(error.message));
"""

# Whether anything is drawn over the picture.
DRAWN_OVER = """
const canvas = document.getElementById('overlay');
return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
"""

# Whether the drawing over the picture has this colour, and no other.
DRAWN_IN = """
const canvas = document.getElementById('overlay');
const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
const seen = new Set();
for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add([...data.subarray(at, at + 3)].join());
return [...seen].join(' ') === arguments[0];
"""


class Result(unittest.TextTestResult):
    """Prints the duration of each test and, for each failure at once, the state of page and studio."""

    def startTest(self, test):
        self._start = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        self.stream.write(f"({time.monotonic() - self._start:.0f} s) ")
        super().addSuccess(test)

    def addError(self, test, error):
        super().addError(test, error)
        self._tell(test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._tell(test)

    def _tell(self, test):
        if isinstance(test, PageTests):
            print(f"\n---- {test.id()} failed\n{test.told()}\n----", file=sys.stderr, flush=True)


class PageTests(unittest.TestCase):
    """One studio and one browser for all: each test begins with the studio's first settings, and a new page."""

    @classmethod
    def setUpClass(cls):
        cls.studio = cls.enterClassContext(Studio())
        cls.page = cls.enterClassContext(Page(cls.studio.address))

    def setUp(self):
        self.asked = set()
        self.studio.reset()
        self.page.visit(self.studio.address)
        self.page.until("armed")

    def told(self):
        try:
            state = json.dumps(self.studio.state)
        except Exception as error:
            state = f"not known: {error}"
        return "\n".join([
            self.page.told(), f"studio's state: {state}", f"studio's exit code: {self.studio.exit_code}",
            f"studio's terminal: {self.studio.errors}"])

    def settings(self, **wanted):
        """Sets pre-roll, post-roll and the action after a trigger as a user would."""
        page = self.page
        page.open("Trigger settings")
        if "after" in wanted:
            page.press(wanted["after"], role="radio")
        for name, key in (("Pre-roll (seconds)", "pre"), ("Post-roll (seconds)", "post")):
            if key in wanted:
                page.fill("textbox", name, wanted[key])

        def agreed():
            settings = self.studio.state["settings"]
            return all([
                settings["pre_ns"] == round(float(wanted.get("pre", settings["pre_ns"] / 1e9)) * 1e9),
                settings["post_ns"] == round(float(wanted.get("post", settings["post_ns"] / 1e9)) * 1e9),
                settings["after_trigger"] == {"Save at once": "save", "Review first": "review", "Keep recording": "continue"}.get(
                    wanted.get("after"), settings["after_trigger"]),
            ])
        page.wait("the settings", agreed)
        page.until("armed")

    def into_review(self):
        self.settings(pre="0.3", post="0.3", after="Review first")
        self.studio.until("the pre-roll", lambda state: state["held_ns"] >= 270_000_000)
        self.page.press("Trigger")
        self.page.until("reviewing")
        self.page.find("button", "Mark in")
        return self.studio.state["review"]

    @property
    def takes(self):
        return [entry for entry in self.studio.get("/api/takes") if entry["kind"] == "take"]

    def film(self):
        """The clip of the next take, once it is rendered."""
        def clip():
            take = next((take for take in self.takes if take["id"] not in self.asked), None)
            clips = take["clips"] if take else []
            return clips and clips[-1]["is_there"] and not self.studio.state["clips"] and (take["id"], clips[-1])
        take, made = self.page.wait("the clip", clip)
        self.asked.add(take)
        return made, next(path for path in self.studio.files("*") if path.name == made["file"])

    def test_live_picture_is_what_the_camera_sees(self):
        page = self.page
        first = page.picture()
        page.wait("a newer picture", lambda: (page.strip() or 0) > first)
        late = []
        for _ in range(40):
            seen = page.picture()
            newest = self.page.browser.execute_async_script(LATENCY, self.studio.token)
            sequence = int(page.script("return document.getElementById('live').dataset.sequence"))
            self.assertGreaterEqual(newest, seen)
            self.assertGreaterEqual(sequence, seen)
            late.append((newest - seen) / 240 * 1000)
        took = page.browser.execute_async_script(PACE, 60)
        # Printed, but not checked: they show how busy the machine is.
        print(f"\nmeasured: from the camera to the page's canvas {statistics.median(late):.0f} ms (median of {len(late)}; the goal is 100)")
        print(f"measured: {60000 / took:.0f} pictures a second (the goal is 30)")
        for name in ("Measured rate", "Lost frames", "Disk"):
            self.assertIn(name, page.text("status"))
        for name in ("Claimed rate", "Accepted rate"):
            self.assertIn(name, page.text("status-details"))
        self.assertNotIn("#", page.browser.current_url)
        self.assertEqual(page.complaints, [])

    def test_overlays_are_shown_if_their_switch_is_on(self):
        page = self.page
        page.picture()
        page.open("Picture")
        self.assertFalse(page.script(DRAWN_OVER))
        for name in ("Zebra", "Focus peaking", "Loupe", "Guides"):
            page.press(name, role="switch")
            page.wait(f"{name} in the picture", lambda: page.script(DRAWN_OVER))
            page.press(name, role="switch")
            page.wait(f"no {name} in the picture", lambda: not page.script(DRAWN_OVER))
        page.press("Focus peaking", role="switch")
        page.wait("red edges", lambda: page.script(DRAWN_IN, "255,42,42"))
        page.choose("combobox", "Colour of focus peaking", "Green")
        page.wait("green edges", lambda: page.script(DRAWN_IN, "60,255,60"))
        page.reload()
        page.picture()
        page.open("Picture")
        page.press("Focus peaking", role="switch")
        page.wait("green edges again", lambda: page.script(DRAWN_IN, "60,255,60"))
        page.shot("peaking-1280")
        page.press("Focus peaking", role="switch")
        page.press("Histogram", role="switch")
        page.wait("the histogram", lambda: "overexposed" in page.script("return document.getElementById('histogram').ariaLabel"))
        page.press("Mirror", role="switch")
        page.wait("a mirrored picture", lambda: self.studio.state["settings"]["mirror"] and page.strip() is None)
        page.press("Mirror", role="switch")
        page.picture()
        page.choose("combobox", "Rotate", "90")
        page.wait("an upright picture", lambda: page.script("const { width, height } = document.getElementById('live'); return height > width"))

    def test_the_marked_frames_are_those_of_the_clip(self):
        page = self.page
        review = self.into_review()
        page.shot("review-1280")
        self.assertIn("nothing is on the disk", page.text("review-warning"))
        self.assertEqual(self.studio.get("/api/takes"), [])
        # The next take's file is prepared, and holds no frame.
        self.assertLess(sum(path.stat().st_size for path in self.studio.files("*")), 32_768)
        # A single key does not discard a review that is only in memory.
        page.key("a")
        page.press("Keep")
        self.assertEqual(self.studio.state["phase"], "reviewing")
        page.key(Keys.HOME)
        page.shown(0)
        page.shifted(Keys.ARROW_RIGHT, 2)
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        marked_in = page.shown(22)
        page.press("Mark in")
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_RIGHT, 5)
        page.keys(Keys.ARROW_LEFT)
        marked_out = page.shown(71)
        page.press("Mark out")
        self.assertEqual(page.find("slider", "In").get_attribute("aria-valuenow"), "22")
        self.assertEqual(page.find("slider", "Out").get_attribute("aria-valuenow"), "71")
        if review["lost"] == 0:
            self.assertEqual(marked_out - marked_in, 49)
        page.fill("textbox", "Speed as text", "1/8")
        page.fill("textbox", "Label", "drop 1")
        page.press("Save clip")
        page.notice("take_saved")
        page.until("reviewing")
        page.wait("the saved part", lambda: "frames 22 to 71" in page.text("review-warning"))
        made, film = self.film()
        seen = frame_strip.numbers(film)
        self.assertEqual((seen[0], seen[-1]), (marked_in, marked_out))
        self.assertNotIn(None, seen)
        self.assertIn(f"the clip lasts {made['duration_ns'] / 1e9:.2f} s", page.text("review-part"))
        page.script("document.getElementById('clip-options').open = true")
        page.choose("combobox", "Order", "there and back")
        again = made["duration_ns"] / 1e9 * (2 * len(seen) - 2) / len(seen)
        page.wait("the way back", lambda: f"the clip lasts {again:.2f} s" in page.text("review-part"))
        page.choose("combobox", "Order", "forwards")
        page.wait("the way there", lambda: f"the clip lasts {made['duration_ns'] / 1e9:.2f} s" in page.text("review-part"))
        page.script("document.getElementById('clip-options').open = false; document.activeElement.blur()")
        self.assertEqual(self.studio.get("/api/takes")[0]["label"], "drop 1")

        # Another part of the same take, with a curve drawn only with the keyboard.
        page.key("k")
        playhead = page.find("slider", "Playhead")
        playhead.send_keys(Keys.HOME)
        first = page.shown(0)
        page.key("i")
        playhead.send_keys(Keys.PAGE_UP)
        page.shown(100)
        page.key("o")
        page.fill("textbox", "Speed as text", "1")
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_LEFT, 6)
        page.shown(40)
        page.key("c")
        point = page.find("slider", "Point 1")
        for _ in range(6):
            point.send_keys(Keys.ARROW_DOWN)
        self.assertIn("speed 1/8", point.get_attribute("aria-valuetext"))
        page.find("slider", "Playhead").send_keys(Keys.HOME)
        page.key("c")
        self.assertIn("1/8", page.find("textbox", "Speed as text").get_attribute("value"))
        page.key("s")
        page.wait("the second part", lambda: "frames 0 to 100" in page.text("review-warning"))
        page.until("reviewing")
        made, film = self.film()
        seen = frame_strip.numbers(film)
        self.assertEqual(seen[0], first)
        self.assertIn("1/8", made["speed"])
        page.press("Arm again")
        page.until("armed")
        page.find("button", "Trigger")
        self.assertFalse(page.has("button", "Save clip"))
        self.assertEqual(page.complaints, [])

    def test_a_curve_is_read_and_written_like_speed(self):
        curve = lambda text, times=(), start=0, end=None: self.page.browser.execute_async_script(CURVE, text, list(times), start, end)
        self.assertEqual(curve("1/8", [0, 5]), [[0.125, 0.125], "1/8"])
        self.assertEqual(curve("12.5%"), [[], "1/8"])
        self.assertEqual(curve("8x-slower"), [[], "1/8"])
        self.assertEqual(curve("1s:1, 2s:1/2, 2s:1/4", [0, 1.5, 2, 9])[0], [1, 0.75, 0.25, 0.25])
        self.assertEqual(curve("1s:1, ease 2s:0.5", [1.5])[0], [0.75])
        self.assertEqual(curve("1s:1, ease 1200ms:1/16, 1.8s:freeze 2s")[1], "1s:1, ease 1.2s:1/16, 1.8s:freeze 2s")
        # A part that begins in the middle of a change begins with the speed that it has there.
        self.assertEqual(curve("0s:1, 2s:0.5, 3s:1/8", start=1)[1], "0s:0.75, 1s:1/2, 2s:1/8")
        # The same applies to its end, and points beyond it are omitted.
        self.assertEqual(curve("0s:1, 2s:0.5, 3s:1/8", start=1, end=2.5)[1], "0s:0.75, 1s:1/2, 1.5s:0.3125")
        self.assertEqual(curve("0s:1, 2s:0.5", end=1)[1], "0s:1, 1s:0.75")
        self.assertEqual(curve("2s:0.5, 3s:1/8", end=2)[1], "2s:1/2")
        self.assertEqual(curve("2s:0.5, 3s:1/8", end=1)[1], "1/2")
        self.assertEqual(curve("0s:1, 2s:0.5, 3s:1/8", start=4, end=5)[1], "1/8")
        self.assertEqual(curve("0.5s:freeze 2s, 4s:freeze 1s", end=1)[1], "0.5s:freeze 2s")
        # A part of a gentle change has its speeds, and no time is after the part's end.
        eased = curve("0s:1, ease 2s:1/8", end=0.999996)[1]
        self.assertTrue(eased.startswith("0s:1, 0.0625s:0.99749") and eased.endswith(", 0.99999s:0.5625"), eased)
        self.assertEqual(curve(""), [[], ""])
        for wrong in ("8x", "0", "1s:0", "1s:1/8, 0.5s:1", "soon:1"):
            self.assertIsInstance(curve(wrong), str, wrong)
        self.assertEqual(
            self.page.browser.execute_async_script(SPEEDS, [None, "1", "1/8", "12.5%", "0:1,2:0.25", "ease 0s:1/16, 1.5s:1/2", "1s:freeze 2s", "source:1"]),
            ["every frame once", "real time", "1/8", "12.5%", "curve from 1 to 1/4", "curve from 1/2 to 1/16", "curve", "curve"])

    def test_marks_and_curve_fit_together_and_outlive_a_reload(self):
        page = self.page
        self.into_review()
        page.key(Keys.HOME)
        page.shown(0)
        page.key("c")
        page.find("slider", "Point 1").send_keys(*[Keys.ARROW_DOWN] * 6)
        page.focus("slider", "Playhead")
        page.keys(Keys.PAGE_UP)
        page.shown(100)
        page.key("c")
        page.find("slider", "Point 2").send_keys(*[Keys.ARROW_UP] * 15)
        speed = lambda: page.find("textbox", "Speed as text").get_attribute("value")
        whole = speed()
        self.assertRegex(whole, r"^0s:1/\d+, 0\.\d+s:1$")
        # The second point is now after the part: the clip ends with the curve's speed at the part's end.
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_LEFT, 5)
        page.shown(50)
        page.key("o")
        cut = page.wait("a curve that ends with the part", lambda: speed() if speed() != whole else None)
        self.assertRegex(cut, r"^0s:1/\d+, 0\.\d+s:0\.\d+$")
        self.assertIn("One point is outside the marked part", page.text("speed-told"))
        page.fill("textbox", "Label", "kept")
        page.reload()
        page.until("reviewing")
        page.shown(50)
        page.wait("the mark", lambda: page.find("slider", "Out").get_attribute("aria-valuenow") == "50")
        page.wait("the curve", lambda: speed() == cut and page.has("slider", "Point 2"))
        self.assertEqual(page.find("textbox", "Label").get_attribute("value"), "kept")
        # When its end moves back, the part is as long as the curve again.
        page.focus("slider", "Out")
        page.shifted(Keys.ARROW_RIGHT, 5)
        page.shown(100)
        page.wait("the whole curve", lambda: speed().endswith("s:1"))
        self.assertEqual(page.text("speed-told"), "")
        page.focus("slider", "Out")
        page.shifted(Keys.ARROW_LEFT, 5)
        page.shown(50)
        page.press("Save clip")
        page.notice("take_saved")
        made, _ = self.film()
        self.assertIn("1/", made["speed"])
        page.key("a")
        page.until("armed")
        # Marks belong to one review.
        self.into_review()
        page.wait("another review", lambda: page.find("slider", "Out").get_attribute("aria-valuenow") != "50")
        self.assertEqual(page.find("textbox", "Label").get_attribute("value"), "")

    def test_a_part_is_played_and_repeated(self):
        page = self.page
        self.into_review()
        page.find("slider", "Playhead").send_keys(Keys.HOME)
        page.shown(0)
        page.press("Mark in")
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_RIGHT)
        page.shown(10)
        page.press("Mark out")
        took = page.browser.execute_async_script(SCRUB, 12)
        print(f"\nmeasured: from a jump to its frame {statistics.median(took):.0f} ms (median of {len(took)}, longest {max(took):.0f}; the goal is 50)")
        page.find("slider", "Playhead").send_keys(Keys.HOME)
        page.shown(0)
        page.choose("combobox", "Repeat", "Loop")
        page.choose("combobox", "Play at", "1/16")
        page.press("Play")
        shown = lambda: int(page.script("return document.getElementById('live').dataset.frame"))
        page.wait("the middle", lambda: 2 <= shown() <= 8)
        for _ in range(2):
            page.wait("the end", lambda: shown() >= 7)
            page.wait("the beginning again", lambda: shown() <= 3)
        page.press("Pause")
        page.find("button", "Play")
        # Bouncing, no frame is far from the one before.
        page.choose("combobox", "Repeat", "Bounce")
        page.choose("combobox", "Play at", "1/32")
        page.press("Play")
        turns = page.browser.execute_async_script(TURNS, 3)
        self.assertEqual([turn in (0, 10) for turn in turns], [True] * 3, turns)
        self.assertNotEqual(turns[0], turns[1])
        self.assertEqual(turns[0], turns[2])
        page.press("Pause")
        # The choice outlives a reload.
        page.reload()
        page.until("reviewing")
        page.wait("the choice", lambda: page.find("combobox", "Repeat").get_attribute("value") == "bounce")
        # A point moves by single frames, too.
        page.find("slider", "Playhead").send_keys(Keys.HOME)
        page.shown(0)
        page.shifted(Keys.ARROW_RIGHT)
        page.shown(10)
        page.press("Add point")
        times = self.studio.get("/api/review/frames")["time_ns"]
        at = lambda frame: f"{round((times[frame] - times[0]) / 1e9, 5):g}s:1/8"
        text = lambda: page.find("textbox", "Speed as text").get_attribute("value")
        page.press("Point one frame back")
        page.press("Point one frame back")
        page.wait("the point at frame 8", lambda: text() == at(8))
        page.press("Point one frame on")
        page.wait("the point at frame 9", lambda: text() == at(9))

    def test_a_take_is_recorded_and_edited_in_the_library(self):
        page = self.page
        self.settings(pre="0.2", post="0.2", after="Save at once")
        page.press("Record")
        page.until("filming", "gathering")
        page.find("button", "Stop")
        self.assertFalse(page.has("button", "Record"))
        page.wait("some frames", lambda: ((self.studio.state["take"] or {}).get("written") or 0) > 60)
        page.press("Stop")
        page.notice("take_saved")
        page.until("armed")
        page.press("Library")
        self.assertEqual(page.browser.switch_to.active_element.accessible_name, "Library")
        page.wait("the take", lambda: page.script("return document.querySelectorAll('#takes button').length") == 1)
        page.wait("its thumbnail", lambda: page.script("return document.querySelector('#takes img').naturalWidth") > 0)
        page.script("document.querySelector('#takes button').click()")
        page.shown(0, "take-frame")
        page.find("slider", "Frame").send_keys(*[Keys.ARROW_RIGHT] * 5)
        page.shown(5, "take-frame")
        page.press("Next frame")
        page.shown(6, "take-frame")
        page.press("Previous frame")
        page.shown(5, "take-frame")
        page.press("Still of this frame")
        page.wait("the still", lambda: any("-frame-5.jpg is saved" in text for _, text in page.notices))
        page.fill("textbox", "Label", "a name")
        page.press("Set label")
        page.wait("the label", lambda: self.takes[0]["label"] == "a name")
        page.wait("the title", lambda: page.text("take-title") == "a name")
        before = len(self.takes[0]["clips"])
        page.fill("textbox", "Speed of the new clip", "1/16")
        page.press("New clip")
        page.wait("the clip", lambda: len(self.takes[0]["clips"]) > before)
        page.wait("the list of clips", lambda: "1/16" in page.text("take-clips"))
        made = self.takes[0]["clips"]
        page.press(f"Play clip {made[-1]['file']}")
        page.wait("the film", lambda: page.script("const v = document.getElementById('take-video'); return v.videoWidth === 1280 && v.currentTime > 0"))
        page.shot("library-1280")
        page.press(f"Delete clip {made[-1]['file']}")
        page.press("Keep")
        self.assertEqual(len(self.takes[0]["clips"]), len(made))
        page.press(f"Delete clip {made[-1]['file']}")
        page.press("Delete")
        page.wait("the deleted clip", lambda: [clip["file"] for clip in self.takes[0]["clips"]] == [clip["file"] for clip in made[:-1]])
        # What is removed can be restored, at once or from the trash.
        page.press("Remove")
        page.wait("a library without takes", lambda: self.takes == [])
        page.press("Undo: \u201ca name\u201d is in the trash.")
        page.wait("the take", lambda: [take["label"] for take in self.takes] == ["a name"])
        page.wait("its card", lambda: "a name" in page.text("takes"))
        page.script("[...document.querySelectorAll('#takes button')].find((card) => card.textContent.includes('a name')).click()")
        page.press("Remove")
        page.wait("a library without takes", lambda: self.takes == [])
        page.press("Trash")
        page.press("Restore a name")
        page.wait("the take", lambda: len(self.takes) == 1)
        page.press("Close")
        page.wait("its card", lambda: "a name" in page.text("takes"))
        page.script("[...document.querySelectorAll('#takes button')].find((card) => card.textContent.includes('a name')).click()")
        page.press("Remove")
        page.wait("a library without takes", lambda: self.takes == [])
        page.press("Trash")
        page.press("Empty trash")
        page.press("Delete")
        page.wait("an empty trash", lambda: self.studio.get("/api/trash") == [])
        # The still does not belong to the take.
        page.wait("the still's card alone", lambda: page.script("return document.querySelectorAll('#takes button').length") == 1)
        self.assertEqual(self.studio.files("*.master.mov"), [])
        self.assertEqual(page.complaints, [])

    def test_without_a_light_the_screen_lights_the_photo(self):
        page = self.page
        page.script("""
            window.lights = []
            new MutationObserver(() => window.lights.push(getComputedStyle(document.getElementById('screen-light')).display))
                .observe(document.getElementById('screen-light'), { attributes: true })""")
        page.press("Photo")
        page.notice("photo_written")
        page.dismiss()
        page.open("Picture")
        page.press("Light for photos", role="switch")
        page.press("Photo")
        page.wait("the end of the light", lambda: page.script("return window.lights") == ["block", "none"])
        page.notice("photo_written")
        self.assertEqual(len(self.studio.files("*-still-*.jpg")), 2)
        self.assertEqual([message for message in page.complaints if "status of 404" not in message], [])

    def test_photos_are_reported_when_they_are_written(self):
        page = self.page
        page.press("Photo")
        page.notice("photo_written")
        page.dismiss()
        page.key("m")
        page.notice("photo_written")
        page.wait("a Motion Photo", lambda: self.studio.files("*.MP.jpg"))
        page.until("armed")
        page.dismiss()
        # Both are taken during a recording, which continues.
        page.press("Record")
        page.until("filming")
        page.wait("some frames", lambda: ((self.studio.state["take"] or {}).get("written") or 0) > 60)
        page.key("m")
        page.key("p")
        page.wait("the still", lambda: [text for kind, text in page.notices if kind == "photo_written"])
        page.press("Stop")
        page.notice("take_saved")
        page.wait("the second Motion Photo", lambda: len(self.studio.files("*.MP.jpg")) == 2)
        # They are in the library with the take.
        kinds = lambda: sorted(entry["kind"] for entry in self.studio.get("/api/takes"))
        page.wait("four photos and a take", lambda: kinds() == ["photo"] * 4 + ["take"])
        page.press("Library")
        page.wait("their cards", lambda: page.script("return document.querySelectorAll('#takes button').length") == 5)
        for kind in ("Photo", "Motion Photo"):
            page.script("[...document.querySelectorAll('#takes button')].find((b) => b.querySelector('.told').textContent === arguments[0]).click()", kind)
            page.wait(f"the {kind}", lambda: page.script("const p = document.getElementById('take-photo'); return !p.hidden && p.naturalWidth === 1280 && p.alt.startsWith(arguments[0] + ' ')", kind))
            page.find("button", "Download photo")
            self.assertEqual(page.has("button", "Play"), kind == "Motion Photo")
            self.assertFalse(page.has("button", "Still of this frame"))
            page.find("button", "Set label")
        # The video is in the photo's file.
        page.press("Play")
        video = "const v = document.getElementById('take-video'); return !v.hidden && v.videoWidth === 1280 && v.currentTime > 0"
        page.wait("its video", lambda: page.script(video))
        page.wait("the photo again", lambda: page.script("return document.getElementById('take-video').hidden && !document.getElementById('take-photo').hidden"))
        page.shot("photo-1280")
        page.press("Remove")
        page.wait("one photo less", lambda: kinds() == ["photo"] * 3 + ["take"])
        page.wait("one card less", lambda: page.script("return document.querySelectorAll('#takes button').length") == 4)

    def test_modes_controls_and_microphone(self):
        page = self.page
        page.choose("combobox", "Mode", "1920x1080")
        page.wait("the mode", lambda: self.studio.state["camera"]["mode"]["width"] == 1920)
        page.until("armed")
        page.mode_width = 1920
        page.picture()
        page.open("Controls")
        control = lambda name: next(c for c in self.studio.get("/api/controls") if c["name"] == name)
        before = control("gain")["value"]
        page.find("slider", "Gain").send_keys(Keys.ARROW_RIGHT)
        page.wait("more gain", lambda: control("gain")["value"] == before + 1)
        exposure = next(c for c in self.studio.get("/api/controls") if c["unit"] == "100us")
        if not exposure["is_active"]:
            page.choose("combobox", "Auto exposure", "Manual")
            page.wait("exposure by hand", lambda: next(c for c in self.studio.get("/api/controls") if c["unit"] == "100us")["is_active"])
        slider = page.wait("the exposure", lambda: [e for e in page.all("slider", "Shutter") if e.is_enabled()])[0]
        slider.send_keys(Keys.HOME)
        page.wait("the shortest exposure", lambda: control(exposure["name"])["value"] == exposure["minimum"])
        page.wait("a shutter time", lambda: page.find("slider", "Shutter").get_attribute("aria-valuetext").startswith("1/"))
        # The driver's own name, and the one for --set, are in the tooltip.
        tooltip = lambda: page.script("return document.querySelector('#controls input[aria-label=Shutter]').closest('[title]').title")
        page.wait("the tooltip", lambda: tooltip() == f"{exposure['title']} (--set {exposure['name']}={exposure['minimum']})")
        page.open("Microphone")
        page.choose("combobox", "Microphone", "imulated")
        page.wait("levels", lambda: page.has("meter", "Level of channel 1"))

    def test_motion_is_watched_and_triggers(self):
        page = self.page
        page.open("Motion")
        page.press("Detect motion", role="switch")
        page.wait("a score", lambda: "is moving" in page.text("motion-told"))
        page.fill("textbox", "Region", "1280x600+0+120")
        page.wait("the region", lambda: (self.studio.state["settings"]["motion"] or {}).get("region") == "1280x600+0+120")
        page.wait("its frame in the picture", lambda: page.script(DRAWN_OVER))
        # A region that is refused stays in its field, with the reason.
        page.fill("textbox", "Region", "9999x9+0+0")
        page.wait("the reason at the field", lambda: "extends beyond" in page.script("return document.getElementById('region-refused')?.textContent ?? ''"))
        self.assertEqual(page.find("textbox", "Region").get_attribute("value"), "9999x9+0+0")
        page.fill("textbox", "Region", "1280x600+0+120")
        page.wait("a score that says something", lambda: float(page.find("meter", "Motion score").get_attribute("aria-valuenow")) > 0)

    def test_the_keyboard_alone(self):
        page = self.page
        page.key("?")
        page.wait("the sheet", lambda: page.script("return document.getElementById('keys').open"))
        self.assertIn("Trigger", page.text("keys-list"))
        page.keys(Keys.ESCAPE)
        page.wait("no sheet", lambda: not page.script("return document.getElementById('keys').open"))
        reached = set()
        page.script("document.activeElement?.blur()")
        for _ in range(60):
            page.keys(Keys.TAB)
            focused = page.browser.switch_to.active_element
            if focused.tag_name != "body":
                self.assertNotEqual(focused.accessible_name, "", focused.get_attribute("outerHTML"))
                reached.add(focused.accessible_name)
        for name in ("Live", "Library", "Record", "Trigger", "Photo", "Motion Photo", "Camera", "Mode"):
            self.assertIn(name, reached)
        self.settings(pre="0.2", post="0.2", after="Review first")
        page.key(" ")
        page.until("reviewing")
        page.key("a")
        # It asks first, as nothing is saved.
        page.wait("the question", lambda: page.script("return document.activeElement.id") == "ask-no")
        page.keys(Keys.TAB, Keys.ENTER)
        page.until("armed")

    def test_space_is_the_triggers_after_any_click(self):
        page = self.page
        self.settings(pre="0.1", post="0.1", after="Save at once")
        for number, (name, role) in enumerate((("Histogram", "switch"), ("Guides", "switch"), ("Keep recording", "radio")), 1):
            if role == "switch":
                page.open("Picture")
            before = page.find(role, name).is_selected()
            page.press(name, role=role)
            # A state sent before the click may show the former choice once more.
            page.wait(name, lambda: page.find(role, name).is_selected() != before)
            page.until("armed")
            page.keys(" ")
            page.wait(f"take {number}", lambda: len(self.takes) == number)
            self.assertEqual(page.find(role, name).is_selected(), not before)
        # If the switch has the focus, Space operates it.
        page.until("armed")
        page.press("Guides", role="switch")
        page.keys(Keys.TAB)
        focused = page.browser.switch_to.active_element
        before = focused.is_selected()
        page.keys(" ")
        page.wait("the switch", lambda: focused.is_selected() != before)
        self.assertEqual(len(self.takes), 3)

    def test_it_fits_and_can_be_read_at_three_widths(self):
        page = self.page

        def look(name):
            for width, height in ((360, 740), (1280, 800), (2560, 1440)):
                page.size(width, height)
                if name == "live":
                    page.picture()
                self.assertEqual(page.script(STICKS_OUT), [], (name, width))
                self.assertEqual(page.script(LOW_CONTRAST), [], (name, width))
                self.assertEqual(page.script(UNNAMED), [], (name, width))
                page.shot(f"{name}-{width}")
            page.size(1280, 800)

        page.picture()
        for panel in ("Picture", "Controls", "Motion", "Microphone"):
            page.open(panel)
        look("live")
        # The list of keys is opened at its beginning, however long it is.
        for width, height in ((844, 390), (1280, 800)):
            page.size(width, height)
            page.press("Keys")
            self.assertGreater(page.script("return document.getElementById('keys-title').getBoundingClientRect().top"), 0, width)
            page.keys(Keys.ESCAPE)
        page.press("Record")
        page.until("filming")
        look("filming")
        self.assertRegex(page.text("badge"), r"^[\d.]+ (s|min \d+ s), \d+ frames(, \d+ lost)?$")
        page.press("Stop")
        page.notice("take_saved")
        page.until("armed")
        page.press("Library")
        page.wait("its thumbnail", lambda: (page.script("return document.querySelector('#takes img')?.naturalWidth") or 0) > 0)
        page.script("document.querySelector('#takes button').click()")
        page.shown(0, "take-frame")
        look("library")
        page.press("Live")
        self.into_review()
        page.key("c")
        look("review")
        page.media(forced_colors="active", prefers_reduced_motion="reduce")
        page.shot("forced-colours")

    # What a visitor can press, choose or type.
    OFFERED = "return [...document.querySelectorAll('button, select, input')].filter((each) => each.checkVisibility()).map((each) => each.id)"

    def test_two_pages_show_the_same_and_the_end_is_reported(self):
        page = self.page
        studio = self.enterContext(Studio())
        page.visit(studio.address)
        page.until("armed")
        with Page(studio.address) as other:
            other.until("armed")
            page.open("Trigger settings")
            page.fill("textbox", "Pre-roll (seconds)", "0.3")
            other.wait("the other's setting", lambda: other.find("textbox", "Pre-roll (seconds)").get_attribute("value") == "0.3")
            # In the library, a notice says what the picture's message says elsewhere.
            other.press("Library")
            self.assertEqual(studio.end(), 0)
            self.assertIn("has ended", other.notice("connection"))
        page.until("ended")
        self.assertNotIn("connection", [kind for kind, _ in page.notices])
        self.assertIn("has ended", page.text("message-text"))
        # Nothing is offered or told that is past.
        self.assertEqual(page.script(self.OFFERED), ["view-camera", "view-library", "open-keys"])
        self.assertFalse(page.script("return document.getElementById('status').checkVisibility()"))

    def test_a_wrong_token_is_reported(self):
        page = self.page
        page.visit(self.studio.base + "/#wrong")
        page.until("no_token")
        self.assertIn("token", page.text("message-text"))
        # Nothing is offered that cannot work.
        self.assertEqual(page.script(self.OFFERED), ["open-keys"])
        page.shot("no-token-1280")

    def test_the_address_of_an_item_opens_it_or_says_that_there_is_none(self):
        page = self.page
        self.photos(1)
        name = self.studio.get("/api/takes")[0]["name"]
        page.press("Live")
        page.script("location.hash = '/takes/none'")
        self.assertIn("There is no take or photo \u201cnone\u201d", page.notice("error"))
        page.wait("the card", lambda: page.script(self.CARDS) == 1)
        page.dismiss()
        page.script("location.hash = `/takes/${encodeURIComponent(arguments[0])}`", name)
        page.find("button", "Download photo")
        # The token is not lost.
        page.reload()
        page.until("armed")
        self.assertEqual(page.complaints, [])

    def saved_take(self):
        """Records a take with some lost frames at most, and opens it in the library."""
        page = self.page
        self.settings(pre="0.2", post="0.4", after="Save at once")
        page.press("Trigger")
        take = page.wait("the take", lambda: [take for take in self.takes if take["clips"]])[0]
        self.studio.until("the clip", lambda state: not state["clips"] and state["phase"] == "armed")
        page.press("Library")
        page.wait("its card", lambda: page.script("return document.querySelectorAll('#takes button').length") == 1)
        page.script("document.querySelector('#takes button').click()")
        page.shown(0, "take-frame")
        return take

    def next_clip(self, take):
        """The file of the take's newest clip, and what the API tells of it, as soon as there is one more than in `take`."""
        def made():
            clips = self.studio.get(f"/api/takes/{take['id']}")["clips"]
            return len(clips) > len(take["clips"]) and not self.studio.state["clips"] and clips[-1]["is_there"] and clips[-1]
        clip = self.page.wait("one more clip", made)
        return clip, next(path for path in self.studio.files("*") if path.name == clip["file"])

    def test_a_saved_take_is_edited_like_one_in_memory(self):
        page = self.page
        take = self.saved_take()
        page.press("Edit")
        page.find("button", "Save clip")
        # Nothing of the live picture disturbs it.
        for name in ("Record", "Trigger", "Photo", "Arm again"):
            self.assertFalse(page.has("button", name), name)
        self.assertFalse(page.has("textbox", "Label"))
        page.find("button", "Edit")
        page.key(Keys.HOME)
        page.shown(0)
        page.shifted(Keys.ARROW_RIGHT, 2)
        marked_in = page.shown(20)
        page.press("Mark in")
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_RIGHT, 6)
        marked_out = page.shown(80)
        page.press("Mark out")
        # A curve from 1 to 1/8, drawn with the keyboard.
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_LEFT, 5)
        page.shown(30)
        page.key("c")
        page.find("slider", "Point 1").send_keys(*[Keys.ARROW_UP] * 15)
        page.focus("slider", "Playhead")
        page.shifted(Keys.ARROW_RIGHT, 1)
        turn = page.shown(40)
        page.key("c")
        page.find("slider", "Point 2").send_keys(*[Keys.ARROW_DOWN] * 6)
        speed = lambda: page.find("textbox", "Speed as text").get_attribute("value")
        drawn = speed()
        self.assertRegex(drawn, r"^0\.0\d+s:1, 0\.0\d+s:1/8$")
        page.shot("edit-1280")
        self.assertEqual(page.script(UNNAMED), [])
        # Marks and curve are still there after a reload, which opens the take again.
        page.reload()
        page.shown(40)
        page.wait("the curve", lambda: page.has("slider", "Point 2") and speed() == drawn)
        self.assertEqual(page.find("slider", "In").get_attribute("aria-valuenow"), "20")
        self.assertEqual(page.find("slider", "Out").get_attribute("aria-valuenow"), "80")
        page.press("Save clip")
        page.notice("clip_ready")
        made, film = self.next_clip(take)
        seen = frame_strip.numbers(film)
        self.assertEqual((seen[0], seen[-1]), (marked_in, marked_out))
        self.assertNotIn(None, seen)
        # Each frame at 1/8 is on more pictures than one at full speed.
        slow = [number for number in seen if number > turn]
        fast = [number for number in seen if number < marked_in + 10]
        self.assertGreater(len(slow) / len({*slow}), len(fast) / max(1, marked_in + 10 - seen[0]))
        # Done goes back to the take, with the new clip.
        page.key(Keys.ESCAPE)
        page.wait("the take", lambda: page.script("return document.activeElement.id") == "take-edit")
        page.press(f"Edit clip {made['file']}")
        page.find("button", "Save clip")
        page.wait("the clip's part", lambda: [page.find("slider", mark).get_attribute("aria-valuenow") for mark in ("In", "Out")] == ["20", "80"])
        page.wait("the clip's curve", lambda: page.has("slider", "Point 2"))
        times = self.studio.get(f"/api/takes/{take['id']}/frames")["time_ns"]
        begun = speed()
        # It is the same but for the rounding of its times.
        numbers = lambda text: [float(part.split("s:")[0]) for part in text.split(", ")]
        for now, then in zip(numbers(begun), numbers(drawn), strict=True):
            self.assertAlmostEqual(now, then, delta=(times[1] - times[0]) / 2e9)
        # A take in memory does not throw the edit away.
        self.studio.ask("PUT", "/api/settings", {"after_trigger": "review"})
        self.studio.ask("POST", "/api/trigger")
        self.studio.until("a review", lambda state: state["phase"] == "reviewing")
        page.wait("a note", lambda: "Another take waits in memory" in page.text("review-waiting"))
        self.assertEqual(speed(), begun)
        page.press("Done")
        page.wait("the take", lambda: page.script("return document.activeElement.id") == "take-edit")
        page.press("Review")
        page.find("button", "Arm again")
        self.assertEqual(page.complaints, [])

    CARDS = "return document.querySelectorAll('#takes .card').length"

    def photos(self, count):
        """Takes photos, and opens the library."""
        page = self.page
        for number in range(1, count + 1):
            page.press("Photo")
            page.wait(f"photo {number}", lambda: len(self.studio.get("/api/takes")) == number)
        page.press("Library")
        page.wait("their cards", lambda: page.script(self.CARDS) == count)

    def test_the_library_is_filtered_and_the_filter_is_kept(self):
        page = self.page
        self.photos(2)
        self.assertRegex(page.script("return document.querySelector('#takes .name').textContent"), r"^(Today|Yesterday) \d\d:\d\d$")
        page.choose("combobox", "Show", "Takes")
        page.wait("no card", lambda: page.script(self.CARDS) == 0)
        page.find("button", "Clear filter")
        page.reload()
        page.until("armed")
        page.press("Library")
        page.press("Clear filter")
        page.wait("both cards", lambda: page.script(self.CARDS) == 2)
        name = self.studio.get("/api/takes")[0]["name"]
        page.fill("textbox", "Search", name)
        page.wait("one card", lambda: page.script(self.CARDS) == 1)
        self.assertEqual(page.complaints, [])

    def test_selected_items_are_removed_after_one_question(self):
        page = self.page
        self.photos(3)
        boxes = page.browser.find_elements("css selector", "#takes input")
        boxes[0].click()
        page.script("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))", boxes[1])
        page.wait("two selected", lambda: page.text("selected-told") == "2 photos selected")
        page.press("Remove selected")
        page.wait("the question", lambda: page.text("ask-text").startswith("Remove 2 photos?"))
        page.script("document.getElementById('ask-yes').click()")
        page.wait("one photo", lambda: len(self.studio.get("/api/takes")) == 1)
        page.wait("one card", lambda: page.script(self.CARDS) == 1)
        # All of them come back at once.
        page.press("Undo: 2 photos are in the trash.")
        page.wait("three photos", lambda: len(self.studio.get("/api/takes")) == 3)
        page.wait("three cards", lambda: page.script(self.CARDS) == 3)
        page.wait("no notice of the removal", lambda: "removed" not in [kind for kind, _ in page.notices])
        page.script("for (const box of [...document.querySelectorAll('#takes input')].slice(0, 2)) box.click()")
        page.press("Remove selected")
        page.script("document.getElementById('ask-yes').click()")
        page.wait("one card", lambda: page.script(self.CARDS) == 1)
        page.press("Select all shown")
        page.wait("one selected", lambda: page.text("selected-told") == "1 photo selected")

    def test_selected_items_are_downloaded_as_one_archive(self):
        page = self.page
        self.photos(3)
        downloads = self.studio.folder / "downloads"
        page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
        page.press("Select all shown")
        page.press("Download selected")
        page.wait("the archive", (downloads / "overcrank.zip").exists)
        with zipfile.ZipFile(downloads / "overcrank.zip") as archive:
            self.assertIsNone(archive.testzip())
            files = {path.name: path.read_bytes() for path in self.studio.files("*.jpg")}
            self.assertEqual({name: archive.read(name) for name in archive.namelist()}, files)
        # One file needs no archive.
        page.press("Select none")
        page.script("document.querySelector('#takes input').click()")
        page.press("Download selected")
        page.wait("the photo", lambda: [path.read_bytes() for path in downloads.glob("*.jpg")])
        self.assertIn(next(downloads.glob("*.jpg")).read_bytes(), files.values())
        self.assertEqual(page.complaints, [])

    def test_a_live_photo_is_played(self):
        page = self.page
        subprocess.run([PROGRAM, "snap", "sim:", "--live-photo", "--quiet", "-o", self.studio.takes / "live.jpg"],
            input=b"\n", check=True)
        page.reload()
        page.press("Library")
        page.wait("its card", lambda: page.script(self.CARDS) == 1)
        page.script("document.querySelector('#takes .card').click()")
        self.assertIn("Live Photo", page.text("take-facts"))
        page.press("Play")
        page.wait("its video", lambda: page.script("const video = document.getElementById('take-video'); return !video.hidden && video.currentTime > 0"))
        page.wait("the picture again", lambda: page.script("return !document.getElementById('take-photo').hidden && document.getElementById('take-video').hidden"))
        for video in self.studio.files("*.mov"):
            video.unlink()
        self.assertEqual(page.complaints, [])

    def test_a_video_is_added_and_edited(self):
        page = self.page
        video = self.studio.folder / "IMG_1.MOV"
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=240:duration=0.5", "-c:v", "libx264",
             "-pix_fmt", "yuv420p", video], check=True)
        page.press("Library")
        page.script("document.getElementById('add-files').hidden = false")
        files = page.browser.find_element("id", "add-files")
        files.send_keys(str(video))
        self.assertEqual(page.notice("added"), "IMG_1.MOV is in the library.")
        take = self.studio.get("/api/takes")[0]
        self.assertEqual((take["name"], take["written"], take["mode"]["fps"]), ("IMG_1", 120, 240))
        page.wait("its card", lambda: page.script("return document.querySelector('#takes .name')?.textContent") == "IMG_1")
        page.press("Edit: IMG_1.MOV is in the library.")
        page.press("Save clip")
        page.wait("its clip", lambda: self.studio.get("/api/takes")[0]["clips"])
        page.press("Done")
        # A file that is not a video.
        text = self.studio.folder / "text.mp4"
        text.write_text("hello")
        files.send_keys(str(text))
        page.wait("the reason", lambda: any("text.mp4 was not added: is not a media file" in told for _, told in page.notices))
        page.dismiss()
        page.script("document.getElementById('add-files').hidden = true")
        self.assertEqual([entry for entry in page.complaints if "422" not in entry], [])

    def test_a_notice_and_the_last_item_open_what_was_made(self):
        page = self.page
        page.press("Photo")
        page.notice("photo_written")
        name = self.studio.get("/api/takes")[0]["photo"]["file"]
        page.find("button", f"Download: {name}")
        # The notice calls it by the name that it has in the library, and tells the file too.
        page.wait("its name", lambda: re.fullmatch("Photo \u201cToday \\d\\d:\\d\\d\u201d is saved.", page.notice("photo_written")))
        called = page.notice("photo_written")
        self.assertIn(name, page.text("notices"))
        page.shot("notice-1280")
        page.press(f"Show: {name}")
        page.wait("the photo", lambda: page.script("return document.getElementById('take-photo').naturalWidth") == 1280)
        self.assertEqual(called, f"Photo \u201c{page.text('take-title')}\u201d is saved.")
        page.press("Live")
        last = page.wait("the last item", lambda: page.browser.find_elements("css selector", "#last:not([hidden])"))[0]
        self.assertTrue(last.accessible_name.startswith("Open the newest item: Photo, "))
        last.click()
        page.wait("the open item", lambda: page.script("return !document.getElementById('take').hidden"))
        self.studio.ask("DELETE", f"/api/takes/{self.studio.get('/api/takes')[0]['id']}")
        page.wait("no notice about it", lambda: not page.script("return document.querySelector('#notices [data-item]')"))
        page.press("Live")
        page.wait("no last item", lambda: page.script("return document.getElementById('last').hidden"))

    def test_a_clip_of_a_take_is_deleted(self):
        page = self.page
        self.settings(pre="0.2", post="0.2", after="Save at once")
        page.press("Trigger")
        clip, _ = self.film()
        page.press("Library")
        page.wait("the take", lambda: page.script(self.CARDS) == 1)
        page.script("document.querySelector('#takes .card').click()")
        page.press(f"Delete clip {clip['file']}")
        page.wait("the question", lambda: page.script("return document.getElementById('ask').open"))
        page.script("document.getElementById('ask-yes').click()")
        page.wait("no clip", lambda: not any(each["is_there"] for each in self.takes[0]["clips"]))
        page.gone("button", f"Play clip {clip['file']}")

    def test_losses_zoom_and_speeds_in_the_editor(self):
        page = self.page
        # Of each 200 frames, 61 are lost.
        drops = "+".join(f"{first}-{first + 60}" for first in range(60, 60_000, 200))
        studio = self.enterContext(Studio(camera=f"sim:,drop={drops}"))
        page.visit(studio.address)
        page.until("armed")
        studio.ask("PUT", "/api/settings", {"after_trigger": "review", "pre_ns": 200_000_000, "post_ns": 1_500_000_000})
        page.until("armed")
        studio.ask("POST", "/api/trigger")
        page.until("reviewing")
        page.find("button", "Save clip")
        page.wait("the losses", lambda: "lost, " in page.text("review-part"))
        sequence = studio.get("/api/review/frames")["sequence"]
        # The first gap of the full length: a busy machine may lose other frames.
        gap = next(index for index in range(1, len(sequence)) if sequence[index] - sequence[index - 1] == 62)
        page.find("slider", "Playhead").send_keys(Keys.HOME, *[Keys.PAGE_UP] * (gap // 100), *[Keys.ARROW_RIGHT] * (gap % 100))
        page.shown(gap)
        page.wait("the loss", lambda: f"61 lost before frame {gap}" in page.text("review-lost"))
        self.assertEqual(
            page.find("slider", "Playhead").get_attribute("aria-valuenow"), str(gap))
        # In and Out at the same frame are grabbed apart.
        for _ in range(4):
            page.press("Zoom in")
        self.assertEqual(page.text("zoom-told"), "Zoom 16")
        page.shot("zoomed-1280")
        page.press("Mark in")
        page.press("Mark out")
        value = lambda name: int(page.find("slider", name).get_attribute("aria-valuenow"))
        self.assertEqual((value("In"), value("Out")), (gap, gap))
        drag = lambda name, by: webdriver.ActionChains(page.browser).click_and_hold(page.find("slider", name)).move_by_offset(by, 0).release().perform()
        drag("Out", 200)
        page.wait("a later Out", lambda: value("Out") > gap and value("In") == gap)
        out = value("Out")
        drag("In", 100)
        page.wait("a later In", lambda: gap < value("In") <= out)
        inside = value("In")
        page.press("In one frame back")
        page.press("Out one frame on")
        self.assertEqual((value("In"), value("Out")), (inside - 1, out + 1))
        # A mark outside the visible part comes into view with the focus.
        page.find("slider", "Out").send_keys(Keys.END)
        away = lambda name: "outside" in page.find("slider", name).get_attribute("class")
        page.wait("In outside", lambda: away("In") and not away("Out"))
        page.focus("slider", "In")
        page.wait("In in view", lambda: not away("In") and away("Playhead"))
        page.key("-")
        page.wait("less zoom", lambda: page.text("zoom-told") == "Zoom 8")
        # The filmstrip is loaded once nothing else is.
        strip = "return performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('.jpg?width=160'))"
        page.wait("the filmstrip", lambda: page.script(strip))
        # Speeds are choices first. A curve comes back.
        text = lambda: page.find("textbox", "Speed as text").get_attribute("value")
        page.choose("combobox", "Clip speed", "1/16")
        self.assertEqual(text(), "1/16")
        page.fill("textbox", "Speed as text", "0.3")
        choice = lambda: page.script("return document.getElementById('speed-choice').selectedOptions[0].textContent")
        self.assertEqual(choice(), "as in the text")
        page.choose("combobox", "Clip speed", "curve")
        page.find("slider", "Point 1").send_keys(Keys.ENTER)
        page.choose("combobox", "Speed of point 1", "1/32")
        self.assertIn(":1/32", text())
        self.assertIn("speed 1/32", page.find("slider", "Point 1").get_attribute("aria-valuetext"))
        drawn = text()
        page.choose("combobox", "Clip speed", "every frame once")
        self.assertEqual(text(), "")
        page.choose("combobox", "Clip speed", "curve")
        self.assertEqual(text(), drawn)
        # The picture alone is on the screen.
        full = lambda: page.script("return document.fullscreenElement?.id ?? null")
        page.key("f")
        page.wait("full screen", lambda: full() == "picture")
        page.key("f")
        page.wait("the end of full screen", lambda: full() is None)
        self.assertEqual(page.complaints, [])

    # Of the picture and of visible buttons with these names: the distance from the shape of the frames, in pixels, and
    # what is not on the screen.
    MISPLACED = """
    const names = arguments[0];
    const canvas = document.getElementById('live');
    const box = canvas.getBoundingClientRect();
    const [wide, high] = [document.documentElement.clientWidth, innerHeight];
    const buttons = [...document.querySelectorAll('button')].filter((each) => each.checkVisibility() && names.includes(each.textContent.trim()));
    const off = [canvas, ...buttons].filter((each) => {
      const { left, top, right, bottom } = each.getBoundingClientRect();
      return left < -1 || top < -1 || right > wide + 1 || bottom > high + 1;
    }).map((each) => each.id);
    return { bars: Math.abs(box.width - box.height * canvas.width / canvas.height), off, missing: names.length - buttons.length };
    """

    def test_picture_and_buttons_are_on_the_screen_without_bars(self):
        page = self.page

        def look(name, *buttons, themes=("dark",)):
            for width, height in ((1280, 800), (1920, 1080), (844, 390), (390, 844)):
                page.size(width, height)
                for theme in themes:
                    page.media(prefers_color_scheme=theme)
                    case = (name, width, height, theme)
                    page.wait(f"a picture of its own shape: {case}", lambda: page.script(self.MISPLACED, buttons)["bars"] < 1)
                    found = page.script(self.MISPLACED, buttons)
                    self.assertEqual((found["off"], found["missing"]), ([], 0), case)
                    self.assertEqual(page.script(STICKS_OUT), [], case)
                    self.assertEqual(page.script(LOW_CONTRAST), [], case)
                    page.shot(f"{name}-{width}x{height}-{theme}")
            page.media()
            page.size(1280, 800)

        page.picture()
        look("live", "Record", "Trigger", "Photo", "Motion Photo", themes=("dark", "light"))
        page.press("Record")
        page.until("filming")
        page.picture()
        look("filming", "Stop", "Photo")
        page.press("Stop")
        page.until("armed")
        # Its clip would take long, and is not looked at.
        self.studio.ask("DELETE", f"/api/takes/{page.wait('the take', lambda: self.takes)[0]['id']}/clips")
        page.picture()
        # Upright, it keeps its shape, too.
        self.studio.ask("PUT", "/api/settings", {"rotate": 90})
        page.wait("an upright picture", lambda: page.script("const { width, height } = document.getElementById('live'); return height > width"))
        look("upright", "Record", "Trigger")
        self.studio.ask("PUT", "/api/settings", {"rotate": 0})
        page.picture()
        self.into_review()
        page.shown(self.studio.state["review"]["trigger"])
        look("review", "Mark in", "Mark out", "Save clip", "Arm again", "Play", themes=("dark", "light"))

    SMALL = pathlib.Path(__file__).resolve().parent.parent / "Fixtures" / "small-camera.json"

    def test_several_cameras_are_shown_chosen_and_recorded_together(self):
        studio = self.enterContext(Studio("--with", f"sim:{self.SMALL},drop=100-102", camera=f"sim:{self.SMALL}"))
        page = self.page
        page.visit(studio.address, mode_width=320)
        page.until("armed")
        names = [f"Camera {each['letter']}: {each['camera']['name']}" for each in studio.state["cameras"]]
        chosen = lambda index: page.find("button", names[index]).get_attribute("aria-pressed") == "true"
        for canvas in ("live", "live-B"):
            first = page.picture(canvas)
            page.wait("a newer picture", lambda: (page.strip(canvas) or 0) > first)
        self.assertEqual([chosen(0), chosen(1)], [True, False])
        page.wait("the losses of B", lambda: page.text("camera-lost-B") == "\u26a0 3 lost")
        self.assertEqual(page.text("camera-lost-A"), "")
        self.assertFalse(page.has("button", "Motion Photo") or page.has("radio", "Review first"))
        for width, height in ((1280, 800), (844, 390), (390, 844)):
            page.size(width, height)
            page.wait("a picture of its own shape", lambda: page.script(self.MISPLACED, ["Record", "Trigger"])["bars"] < 1)
            found = page.script(self.MISPLACED, ["Record", "Trigger"])
            self.assertEqual((found["off"], found["missing"]), ([], 0), (width, height))
            self.assertEqual(page.script(STICKS_OUT), [], (width, height))
            self.assertEqual(page.script(LOW_CONTRAST), [], (width, height))
            page.shot(f"several-{width}x{height}")
        page.size(1280, 800)
        self.assertEqual(page.script(UNNAMED), [])
        # By the keyboard, and by a click on the picture.
        page.focus("button", names[1])
        page.keys(Keys.ENTER)
        page.wait("camera B", lambda: chosen(1))
        page.picture("live-A")
        page.script("document.getElementById('live-A').click()")
        page.wait("camera A", lambda: chosen(0))
        page.press(names[1])
        page.choose("combobox", "Mode", "640x360")
        studio.until("its own mode", lambda state: [each["camera"]["mode"]["width"] for each in state["cameras"]] == [320, 640])
        page.until("armed")
        page.press("Record")
        page.until("filming")
        studio.until("frames of both", lambda state: all((each["written"] or 0) > 20 for each in state["cameras"]))
        page.press("Stop")
        self.assertIn("is saved, of cameras A and B.", page.notice("take_saved"))
        self.assertEqual([take["name"][-4:] for take in studio.get("/api/takes")], ["-1-B", "-1-A"])
        self.assertEqual(len(studio.files("*-1.group.json")), 1)
        # The notice of a triggered moment leads to all its cameras, at the trigger.
        studio.ask("PUT", "/api/settings", {"pre_ns": 200_000_000, "post_ns": 200_000_000})
        studio.until("a pre-roll", lambda state: state["phase"] == "armed" and not state["clips"] and (state["held_ns"] or 0) >= 200_000_000)
        page.dismiss()
        page.press("Trigger")
        # That of a clip may come meanwhile, in place of that of the take, and those of the clips before are late.
        edit = (
            "const edit = [...document.querySelectorAll('#notices button')].find((each) => /^Edit: .*-2(-[AB]\\.mp4$| is saved)/.test(each.getAttribute('aria-label')));"
            " edit?.click(); return Boolean(edit)"
        )
        page.wait("the notice", lambda: page.script(edit))
        page.wait("its cameras", lambda: page.script("return document.getElementById('group-frame-B') !== null"))
        page.find("button", "Go to trigger")
        trigger = page.text("group-time-told")
        # The latest frame at or before it, of the first camera.
        self.assertRegex(trigger, r"^(\u22120\.00[0-4]\d|\+0\.0000) s$")
        page.press("Next frame of the first camera")
        page.wait("another frame", lambda: page.text("group-time-told") != trigger)
        page.press("Go to trigger")
        page.wait("the trigger", lambda: page.text("group-time-told") == trigger)
        page.choose("combobox", "Clip speed", "slow around the trigger")
        self.assertRegex(page.find("textbox", "Speed as text").get_attribute("value"), r"^0\.\d+s:1, ease 0\.\d+s:1/8, 0\.\d+s:1/8, ease 0\.\d+s:1$")
        # They are labelled, removed and restored together.
        page.fill("textbox", "Label of all takes", "leap")
        page.press("Set label")
        page.wait("the title", lambda: page.text("group-title") == "leap")
        self.assertEqual([take["label"] for take in studio.get("/api/takes")], ["leap", "leap", None, None])
        page.press("Remove all takes")
        page.press("Remove")
        page.press("Undo: 2 takes are in the trash.")
        cards = lambda: page.script("return [document.querySelectorAll('#groups .card').length, document.querySelectorAll('#takes .card').length]")
        page.wait("both groups", lambda: cards() == [2, 4])
        self.assertEqual(page.script("return [...document.querySelectorAll('#takes .whole')].map((each) => each.textContent)"), ["Camera B of 2", "Camera A of 2"] * 2)
        self.assertEqual(page.script(UNNAMED), [])
        page.script("document.querySelector('#groups input').click()")
        page.press("Remove selected")
        page.press("Remove")
        page.wait("one group less", lambda: cards() == [1, 2])
        # A picture may have been asked for while its take was removed.
        self.assertEqual([each for each in page.complaints if "thumbnail.jpg" not in each], [])

    def test_names_of_cameras_are_never_cut(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        camera = json.loads(pathlib.Path(self.SMALL).read_text())
        # The longest name that the kernel has room for.
        camera["card"] = "HD Pro Webcam C920: Studio left"
        long = folder / "long.json"
        long.write_text(json.dumps(camera))
        studio = self.enterContext(Studio("--with", f"sim:{long},drop=100-102", camera=f"sim:{long}"))
        page = self.page
        page.visit(studio.address, mode_width=320)
        page.until("armed")
        page.wait("the losses of B", lambda: page.text("camera-lost-B") != "")
        cut = "return [...document.querySelectorAll('.cell .name')].filter((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight || getComputedStyle(name).overflow !== 'visible').length"
        for width, height in ((390, 844), (844, 390), (1280, 800)):
            page.size(width, height)
            self.assertEqual(page.script(cut), 0, width)
            self.assertEqual(page.script(STICKS_OUT), [], width)
            # The pictures are as large as each other, and the names below them.
            page.wait("pictures of one size", lambda: page.script("return new Set([...document.querySelectorAll('.cell .slot')].map((slot) => slot.getBoundingClientRect().height)).size") == 1)
            page.shot(f"long-names-{width}")

    def test_a_camera_that_fails_is_named_and_the_others_go_on(self):
        studio = self.enterContext(Studio("--with", f"sim:{self.SMALL},disconnect=1920", camera=f"sim:{self.SMALL}"))
        page = self.page
        page.visit(studio.address, mode_width=320)
        page.wait("the reason", lambda: page.text("cameras-failed-told").startswith("Camera B has failed: "))
        self.assertEqual((page.phase, page.text("camera-lost-B")), ("armed", "\u26a0 failed"))
        page.picture()
        page.shot("several-failed")
        page.press("Open all cameras again")
        page.wait("no reason", lambda: page.text("cameras-failed-told") == "")

    def test_two_clips_are_compared_in_step(self):
        page = self.page
        take = self.saved_take()
        self.assertFalse(page.has("button", "Compare clips"))
        page.fill("textbox", "Speed of the new clip", "1/4")
        page.press("New clip")
        made, film = self.next_clip(take)
        first = next(path for path in self.studio.files("*") if path.name == take["clips"][0]["file"])
        numbers = [frame_strip.numbers(path) for path in (first, film)]
        # An animation is not among them, and the page says why.
        self.studio.ask("POST", f"/api/takes/{take['id']}/clips", {"speed": "1/2", "first": 0, "last": 3, "scale": "120p", "format": "gif"})
        animation, _ = self.next_clip({**take, "clips": [*take["clips"], made]})
        page.wait("the animation", lambda: page.has("button", f"Play clip {animation['file']}"))
        page.press("Compare clips")
        self.assertEqual(
            page.script("return [...document.getElementById('compare-left-clip').options].map((each) => each.textContent)"),
            [f"{speed}, whole take, MP4, {clip['file']}" for speed, clip in (("1/8", take["clips"][0]), ("1/4", made))])
        self.assertEqual(page.text("compare-left-out"), f"Not compared: {animation['file']}. Browsers cannot stop a GIF, WebP or APNG at a frame.")
        shown = lambda: [page.strip("compare-left"), page.strip("compare-right")]
        both = lambda place: [each[min(place, len(each) - 1)] for each in numbers]
        page.wait("the first frame of both", lambda: shown() == both(0))
        for _ in range(3):
            page.press("Both one frame on")
        page.wait("frame 3 of both", lambda: shown() == both(3))
        page.press("Both one frame back")
        page.wait("frame 2 of both", lambda: shown() == both(2))
        # The keyboard does the same.
        page.script("document.getElementById('compare-play').focus()")
        page.shifted(Keys.ARROW_RIGHT)
        page.wait("frame 12 of both", lambda: shown() == both(12))
        page.shot("compare-1280")
        self.assertEqual(page.script(LOW_CONTRAST), [])
        for width, height in ((844, 390), (390, 844)):
            page.size(width, height)
            self.assertEqual(page.script(STICKS_OUT), [], width)
            page.shot(f"compare-{width}")
        page.size(1280, 800)
        page.press("Play both")
        page.wait("both at their ends", lambda: page.has("button", "Play both") and shown() == [each[-1] for each in numbers])
        page.press("Both one frame back")
        end = max(map(len, numbers)) - 2
        page.wait("one frame back", lambda: shown() == both(end))
        # Another clip takes a side.
        page.script("const s = document.getElementById('compare-right-clip'); s.value = s.options[0].value; s.dispatchEvent(new Event('change'))")
        page.wait("the same clip on both sides", lambda: shown() == [numbers[0][0]] * 2)
        page.keys(Keys.ESCAPE)
        page.wait("the library", lambda: not page.script("return document.getElementById('compare').open"))
        self.assertEqual(page.complaints, [])

    def test_a_group_is_seen_at_one_moment_and_saved(self):
        page = self.page
        camera = f"sim:{pathlib.Path(__file__).resolve().parent.parent}/Fixtures/small-camera.json,clock=virtual"
        subprocess.run(
            [os.path.abspath(PROGRAM), "record", camera, "--with", f"{camera},phase=2ms,drop=60-63", "--fps", "240",
             "--duration", "500ms", "--no-clip", "--no-thumbnail", "--quiet", "-o", self.studio.takes / "jump.mp4"],
            check=True, capture_output=True)
        page.visit(self.studio.address, mode_width=320)
        page.until("armed")
        group, = self.studio.get("/api/groups")
        frames = self.studio.get(f"/api/groups/{group['id']}/frames")
        times = [camera["time_ns"] for camera in frames["cameras"]]
        numbers = [frame_strip.numbers(self.studio.takes / f"jump-{name}.master.mov") for name in "AB"]
        at = lambda camera, moment: bisect.bisect_right(times[camera], moment) - 1
        seen = lambda frame: [numbers[camera][at(camera, times[0][frame])] for camera in (0, 1)]
        shown = lambda: [page.strip(f"group-frame-{name}") for name in "AB"]

        def go(frame):
            page.script(
                "const t = document.getElementById('group-time'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", frame)
            page.wait(f"frame {frame} of both", lambda: shown() == seen(frame))

        page.press("Library")
        page.wait("its card", lambda: page.script("return document.querySelectorAll('#groups button').length") == 1)
        page.script("document.querySelector('#groups button').click()")
        page.wait("its cameras", lambda: page.script("return document.getElementById('group-frame-B') !== null"))
        begin = at(0, frames["start_ns"])
        page.wait("the common start", lambda: shown() == seen(begin))
        for _ in range(2):
            page.press("Next frame of the first camera")
        page.wait("two frames on", lambda: shown() == seen(begin + 2))
        page.script("document.getElementById('group-title').focus()")
        page.shifted(Keys.ARROW_RIGHT)
        page.wait("ten frames on", lambda: shown() == seen(begin + 12))
        # In the middle of the frames that camera B lost, the one before them stays.
        sequence = frames["cameras"][1]["sequence"]
        gap = next(place for place, (one, next_one) in enumerate(zip(sequence, sequence[1:])) if next_one > one + 1)
        go(at(0, (times[1][gap] + times[1][gap + 1]) / 2))
        self.assertEqual(shown()[1], numbers[1][gap])
        self.assertIn(f"Lost frame: frame {gap} is held", page.text("group-cameras"))
        self.assertEqual(page.script(UNNAMED), [])
        for width, height in ((1280, 800), (390, 844)):
            page.size(width, height)
            self.assertEqual(page.script(STICKS_OUT), [], width)
            self.assertEqual(page.script(LOW_CONTRAST), [], width)
            page.shot(f"group-{width}")
        page.size(1280, 800)
        for frame, mark in ((40, "Mark in"), (59, "Mark out")):
            go(frame)
            page.press(mark)
        page.choose("combobox", "Layout", "Insets in the first")
        # The picture of the clip shows the cameras in its layout.
        page.wait("the clip's picture", lambda: page.strip("group-clip") == numbers[0][59])
        drawn = lambda: page.script("const { width, height } = document.getElementById('group-clip'); return [width, height]")
        for layout, size in (("Side by side", [640, 180]), ("One above the other", [320, 360]), ("Grid", [640, 180]), ("Insets in the first", [320, 180])):
            page.choose("combobox", "Layout", layout)
            page.wait(layout, lambda: drawn() == size)
        page.open("Clip options")
        page.choose("combobox", "Order", "backwards")
        # How long it plays is told before it is made.
        lasts = re.search(r"^In 40, Out 59 of camera A, 0\.08 s; the clip lasts ([\d.]+) s$", page.text("group-marks-told"))[1]
        page.press("Save as clip")
        page.notice("clip_ready")
        self.assertEqual(frame_strip.numbers(self.studio.takes / "jump-slow.mp4"), numbers[0][40:60][::-1])
        page.wait("its name", lambda: page.notice("clip_ready") == "A clip of \u201cjump\u201d is ready.")
        made, = self.studio.get("/api/groups")[0]["clips"]
        self.assertEqual(f"{made['duration_ns'] / 1e9:.2f}", lasts)
        page.wait("its facts", lambda: "1/8, insets in the first, 0.17 s to 0.25 s, backwards" in page.text("group-clips"))
        self.assertRegex(page.text("group-clips"), rf"MP4, {lasts} s, [\d.]+ kB, Today \d\d:\d\d")
        page.find("button", "Play clip jump-slow.mp4")
        # It can be edited again: its part and its settings come back.
        page.press("Mark all")
        page.choose("combobox", "Layout", "Grid")
        page.choose("combobox", "Order", "forwards")
        page.choose("combobox", "Clip speed", "1/2")
        page.press("Edit clip jump-slow.mp4")
        page.wait("its part", lambda: page.text("group-marks-told").startswith("In 40, Out 59 of camera A"))
        self.assertEqual([page.find("combobox", name).get_attribute("value") for name in ("Layout", "Order", "Clip speed")], ["inset", "reverse", ""])
        # The crop is drawn on each picture, and the text on that of the clip.
        page.choose("combobox", "Crop of each picture", "1:1")
        page.fill("textbox", "Text", "Jump@0.5,0.9")
        page.wait("the crop", lambda: drawn() == [180, 180])
        wide = lambda name: page.script("const [part, all] = [`group-${arguments[0]}-part`, `group-frame-${arguments[0]}`].map((id) => document.getElementById(id).getBoundingClientRect()); return part.width / all.width", name)
        for name in "AB":
            self.assertAlmostEqual(wide(name), 180 / 320, delta=0.01)
        page.script("document.getElementById('group-B-part').focus()")
        page.keys(Keys.ARROW_LEFT)
        page.wait("the field", lambda: page.find("combobox", "Crop of each picture").get_attribute("value") == "180x180+68+0")
        self.assertEqual(page.text("group-words"), "Jump")
        self.assertTrue(page.script("const [w, p] = ['group-words', 'group-clip'].map((id) => document.getElementById(id).getBoundingClientRect()); return w.top > p.top && w.bottom < p.bottom"))
        self.assertEqual(page.script(UNNAMED), [])
        self.assertEqual(page.script(LOW_CONTRAST), [])
        for width, height in ((844, 390), (390, 844)):
            page.size(width, height)
            self.assertEqual(page.script(STICKS_OUT), [], width)
            page.shot(f"group-clip-{width}")
        page.size(1280, 800)
        page.choose("combobox", "Format", "GIF")
        page.press("Save as clip")
        page.press("Play clip jump-slow.gif")
        page.wait("the animation", lambda: page.script("const p = document.getElementById('group-animation'); return !p.hidden && p.naturalWidth === 180 && p.naturalHeight === 180"))
        for name, text in (("Order", "forwards"), ("Format", "MP4"), ("Crop of each picture", "whole picture")):
            page.choose("combobox", name, text)
        page.fill("textbox", "Text", "")
        page.press("Save each")
        made = page.wait(
            "a clip of each", lambda: len(clips := [clip for take in self.takes for clip in take["clips"] if clip["is_there"]]) == 2
            and not self.studio.state["clips"] and sorted(clip["file"] for clip in clips))
        # Lost frames are held.
        parts = [list(dict.fromkeys(frame_strip.numbers(self.studio.takes / file))) for file in made]
        self.assertEqual(parts, [each[at(camera, times[0][40]):at(camera, times[0][59]) + 1] for camera, each in enumerate(numbers)])
        page.keys(Keys.ESCAPE)
        page.wait("the library", lambda: page.script("return document.getElementById('group').hidden"))
        # In the trash, the takes are one item, and come back together.
        page.press("Select the takes of jump (jump)", role="checkbox")
        page.press("Remove selected")
        page.press("Remove")
        page.notice("removed")
        page.dismiss()
        page.press("Trash")
        page.wait("the group", lambda: "jump, cameras A, B, " in page.text("trash-items"))
        page.press("Restore jump")
        page.wait("its takes", lambda: sorted(take["name"] for take in self.takes) == ["jump-A", "jump-B"])
        page.wait("an empty trash", lambda: page.text("trash-items") == "")
        page.press("Close")
        # A picture may have been asked for while its take was removed.
        self.assertEqual([each for each in page.complaints if "thumbnail.jpg" not in each], [])

    def test_a_clip_with_a_slow_middle_is_shared_in_six_steps(self):
        page = self.page
        # Chromium cannot share on Linux.
        page.script("navigator.canShare = () => true; navigator.share = async ({ files }) => { window.shared = [files[0].name, files[0].size] }")
        page.fill("textbox", "Stop after (seconds)", "1")
        page.press("Record")
        page.notice("take_saved")
        name = self.studio.get("/api/takes")[0]["name"]
        page.press(f"Edit: {name} is saved.")
        page.find("button", "Save clip")
        # Record is no trigger.
        page.wait("its times", lambda: "from the start" in page.find("slider", "Playhead").get_attribute("aria-valuetext"))
        self.assertFalse(page.has("button", "Go to trigger"))
        page.choose("combobox", "Clip speed", "real time")
        self.assertEqual(page.find("textbox", "Speed as text").get_attribute("value"), "1")
        page.choose("combobox", "Clip speed", "slow in the middle")
        self.assertRegex(page.find("textbox", "Speed as text").get_attribute("value"), r"^0\.\d+s:1, ease 0\.\d+s:1/8, 0\.\d+s:1/8, ease 0\.\d+s:1$")
        page.press("Save clip")
        clip = page.wait("the second clip", lambda: [clip for take in self.takes for clip in take["clips"] if clip["is_there"] and ":1/8" in (clip["speed"] or "")])[0]
        page.press(f"Share: {clip['file']}")
        file = next(path for path in self.studio.files("*") if path.name == clip["file"])
        page.wait("the shared file", lambda: page.script("return window.shared") == [clip["file"], file.stat().st_size])
        seen = frame_strip.numbers(file)
        third = (seen[-1] - seen[0]) / 3
        part = lambda number: min(2, int((number - seen[0]) / third))
        counts = [sum(part(number) == each for number in seen) for each in range(3)]
        self.assertGreater(counts[1], 2 * counts[0])
        self.assertGreater(counts[1], 2 * counts[2])
        page.press("Done")
        page.wait("the curve's words", lambda: "curve from 1 to 1/8, " in page.text("take-clips"))

    def test_a_recording_into_memory_ends_with_a_word_when_memory_is_full(self):
        page = self.page
        self.settings(pre="0.2", post="0.2", after="Review first")
        page.wait("its limit", lambda: "or until memory is full" in page.text("action-told"))
        page.press("Record")
        page.until("reviewing")
        review = self.studio.state["review"]
        self.assertEqual((review["is_memory_full"], review["trigger"]), (True, None))
        told = f"Memory was full, so the recording ended after {review['duration_ns'] / 1e9:.2f} s; its {review['frames']} frames are kept."
        page.wait("the reason", lambda: page.text("review-warning").startswith(told))
        self.assertEqual(page.notice("memory_full"), told)
        # It has no pre-roll that could be too short.
        self.assertNotIn("pre_roll_short", [kind for kind, _ in page.notices])
        self.assertFalse(page.has("button", "Go to trigger"))
        page.shot("memory-full-1280")
        page.press("Arm again")
        page.press("Discard")
        page.until("armed")
        page.wait("no reason", lambda: page.notices == [])
        # One that is stopped, and one around a trigger, end before.
        page.press("Record")
        page.press("Stop")
        page.until("reviewing")
        self.assertEqual((self.studio.state["review"]["is_memory_full"], self.studio.state["review"]["trigger"]), (False, None))
        self.studio.ask("POST", "/api/arm")
        page.until("armed")
        self.into_review()
        review = self.studio.state["review"]
        self.assertFalse(review["is_memory_full"])
        self.assertIsNotNone(review["trigger"])
        self.assertNotIn("Memory was full", page.text("review-warning"))

    # Whether the browser would ask before it closes the page.
    ASKS = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"

    def test_nothing_of_a_review_is_lost_without_a_word(self):
        page = self.page
        self.assertFalse(page.script(self.ASKS))
        self.into_review()
        self.assertTrue(page.script(self.ASKS))
        page.key(Keys.HOME)
        page.shown(0)
        page.shifted(Keys.ARROW_RIGHT, 2)
        page.shown(20)
        page.key("o")
        marks = lambda: [page.find("slider", mark).get_attribute("aria-valuenow") for mark in ("In", "Out")]
        self.assertEqual(marks(), ["0", "20"])
        # In after Out: the part is between both.
        page.shifted(Keys.ARROW_RIGHT, 2)
        page.shown(40)
        page.press("Mark in")
        self.assertEqual(marks(), ["20", "40"])
        self.assertEqual(page.notice("swapped"), "In was marked after Out, so the marks are swapped: frames 20 to 40.")
        page.focus("slider", "In")
        page.shifted(Keys.ARROW_RIGHT, 5)
        self.assertEqual(marks(), ["40", "40"])
        page.shifted(Keys.ARROW_LEFT, 2)
        self.assertEqual(marks(), ["20", "40"])
        # A wrong text leaves the curve as it is.
        page.key("c")
        page.find("slider", "Point 1")
        field = page.find("textbox", "Speed as text")
        text = field.get_attribute("value")
        page.fill("textbox", "Speed as text", "0s:1/8, 0.05s:1/x")
        told = lambda: page.script("return document.getElementById('speed-refused')?.textContent ?? ''")
        page.wait("the reason at the field", lambda: "The curve stays as it was." in told())
        self.assertEqual(field.get_attribute("aria-invalid"), "true")
        self.assertEqual(len(page.all("slider", "Point 1")), 1)
        self.assertFalse(page.has("slider", "Point 2"))
        self.assertEqual(page.script(UNNAMED), [])
        self.assertEqual(page.script(LOW_CONTRAST), [])
        page.shot("wrong-speed-1280")
        page.press("Mark out")
        page.fill("textbox", "Speed as text", text)
        self.assertEqual(told(), "")
        page.find("slider", "Point 1")
        page.press("Save clip")
        page.notice("take_saved")
        page.wait("nothing to lose", lambda: not page.script(self.ASKS))
        page.focus("slider", "Out")
        page.keys(Keys.ARROW_RIGHT)
        self.assertTrue(page.script(self.ASKS))

    def test_a_wrong_length_is_refused_at_its_field(self):
        page = self.page
        told = lambda: page.script("return document.getElementById('record-limit-refused')?.textContent ?? ''")
        page.fill("textbox", "Stop after (seconds)", "soon")
        page.wait("the reason", lambda: "takes a number of seconds" in told())
        self.assertIn("does not start", page.text("action-told"))
        page.shot("wrong-length-1280")
        page.press("Record")
        self.assertEqual(page.script("return document.activeElement.id"), "record-limit")
        self.assertEqual(self.studio.state["phase"], "armed")
        self.assertEqual(self.takes, [])
        page.fill("textbox", "Stop after (seconds)", "0,5")
        self.assertEqual(told(), "")
        self.assertIn("stops after 0.50 s", page.text("action-told"))
        page.press("Record")
        page.notice("take_saved")
        self.assertAlmostEqual(self.takes[0]["duration_ns"] / 1e9, 0.5, delta=0.1)

    # Clicks Record, and then the button that takes its place, as the second click of a double click does.
    DOUBLE = """
    const done = arguments[arguments.length - 1];
    const [record, stop] = ['do-record', 'do-stop'].map((id) => document.getElementById(id));
    const place = ({ left, top }) => [Math.round(left), Math.round(top)];
    const click = (button, detail) => button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
    const was = place(record.getBoundingClientRect());
    new MutationObserver((_, observer) => {
      if (stop.hidden) return;
      observer.disconnect();
      click(stop, 2);
      done([was, place(stop.getBoundingClientRect())]);
    }).observe(stop, { attributes: true });
    click(record, 1);
    """

    def test_a_double_click_on_record_stops_nothing(self):
        page = self.page
        for width, height in ((390, 844), (844, 390), (1280, 800)):
            page.size(width, height)
            was, now = page.browser.execute_async_script(self.DOUBLE)
            self.assertEqual(was, now, (width, height))
            page.wait("some frames", lambda: ((self.studio.state["take"] or {}).get("written") or 0) > 60)
            page.press("Stop")
            page.notice("take_saved")
            page.until("armed")
            page.dismiss()
            page.wait("a bar that hears again", lambda: not page.script("return document.querySelector('#actions [aria-disabled]')"))
            self.studio.until("the clip", lambda state: not state["clips"])

    def test_a_clip_has_options_and_is_told_apart(self):
        page = self.page
        take = self.saved_take()
        page.press("Edit")
        page.find("button", "Save clip")
        page.script("document.getElementById('clip-options').open = true")
        page.fill("textbox", "Size", "huge")
        page.press("Save clip")
        page.wait("the reason at the field", lambda: "huge" in page.script("return document.getElementById('clip-scale-refused')?.textContent ?? ''"))
        self.assertEqual(page.script("return document.activeElement.id"), "clip-scale")
        self.assertEqual(page.script(UNNAMED), [])
        self.assertEqual(page.script(LOW_CONTRAST), [])
        page.shot("clip-options-1280")
        for width, height in ((844, 390), (390, 844)):
            page.size(width, height)
            self.assertEqual(page.script(STICKS_OUT), [], width)
            page.script("document.getElementById('clip-options').scrollIntoView()")
            page.shot(f"clip-options-{width}")
        page.size(1280, 800)
        page.fill("textbox", "Size", "120p")
        page.choose("combobox", "Crop", "1:1")
        page.choose("combobox", "Order", "backwards")
        page.choose("combobox", "Format", "GIF")
        page.key(Keys.HOME)
        page.shown(0)
        page.shifted(Keys.ARROW_RIGHT, 2)
        page.shown(20)
        page.press("Mark out")
        page.choose("combobox", "Clip speed", "1/2")
        page.press("Save clip")
        made, file = self.next_clip(take)
        self.assertEqual(file.suffix, ".gif")
        self.assertEqual(file.read_bytes()[:10], b"GIF89a" + bytes([120, 0, 120, 0]))
        page.press("Done")
        end = self.studio.get(f"/api/takes/{take['id']}/frames")["time_ns"]
        told = f"1/2, 0.00 s to {(end[21] - end[0]) / 1e9:.2f} s, backwards, crop 1:1, size 120p"
        page.wait("its facts", lambda: told in page.text("take-clips"))
        self.assertRegex(page.text("take-clips"), r"GIF, \d\.\d\d s, [\d.]+ kB, Today \d\d:\d\d")
        self.assertRegex(page.text("take-clips"), r"whole take")
        self.assertFalse(page.has("button", "Compare clips"))
        self.assertIn(f"Not compared: {made['file']}. ", page.text("take-clips"))
        page.press(f"Play clip {made['file']}")
        page.wait("the animation", lambda: page.script("const p = document.getElementById('take-photo'); return !p.hidden && p.naturalWidth === 120 && p.naturalHeight === 120"))
        page.shot("animation-1280")
        self.assertEqual(page.script(UNNAMED), [])
        # Its part and options come back with it.
        page.press(f"Edit clip {made['file']}")
        page.wait("its part", lambda: page.find("slider", "Out").get_attribute("aria-valuenow") == "20")
        self.assertEqual([page.find("combobox", name).get_attribute("value") for name in ("Crop", "Order", "Format", "Clip speed")], ["1:1", "reverse", "gif", "1/2"])
        self.assertEqual(page.find("textbox", "Size").get_attribute("value"), "120p")
        self.assertEqual([message for message in page.complaints if "status of 4" not in message], [])

    # The part that the crop keeps, in parts of the picture: left, top, width, height.
    KEPT = """
    const [part, all] = ['clip-part', 'live'].map((id) => document.getElementById(id).getBoundingClientRect());
    return [(part.left - all.left) / all.width, (part.top - all.top) / all.height, part.width / all.width, part.height / all.height];
    """

    def kept(self, *wanted):
        """Waits until the crop on the picture keeps this part: left, top, width, height in pixels of 1280x720."""
        sides = (1280, 720, 1280, 720)
        self.page.wait(f"the part {wanted}", lambda: all(abs(own * side - each) < 2 for own, side, each in zip(self.page.script(self.KEPT), sides, wanted)))

    def test_crop_and_text_are_seen_and_moved_on_the_picture(self):
        page = self.page
        take = self.saved_take()
        page.press("Edit")
        page.find("button", "Save clip")
        page.key(Keys.HOME)
        page.shown(0)
        shown = lambda: page.script("return document.getElementById('clip-look').checkVisibility()")
        self.assertFalse(shown())
        page.script("document.getElementById('clip-options').open = true")
        crop = lambda: page.find("combobox", "Crop").get_attribute("value")
        page.choose("combobox", "For", "phone")
        self.kept(438, 0, 404, 720)
        page.choose("combobox", "Crop", "1:1")
        self.kept(280, 0, 720, 720)
        page.fill("textbox", "Text", "Second try@0.5,0")
        # The text is at the edge of what is kept.
        inside = page.script("const [w, p] = ['clip-words', 'clip-part'].map((id) => document.getElementById(id).getBoundingClientRect()); return [w.textContent, w.top - p.top, w.left > p.left && w.right < p.right]")
        self.assertAlmostEqual(inside[1], 0, delta=1)
        self.assertTrue(inside[2])
        self.assertEqual(page.text("clip-words"), "Second try")
        self.assertEqual(page.script(UNNAMED), [])
        self.assertEqual(page.script(LOW_CONTRAST), [])
        page.shot("crop-1280")
        for width, height in ((844, 390), (390, 844)):
            page.size(width, height)
            self.kept(280, 0, 720, 720)
            page.script("scrollTo(0, 0)")
            page.shot(f"crop-{width}")
        page.size(1280, 800)
        # The keyboard moves and resizes it, and so does the pointer.
        page.script("document.getElementById('clip-part').focus()")
        page.keys(Keys.ARROW_LEFT)
        page.wait("the field", lambda: crop() == "720x720+278+0")
        page.shifted(Keys.ARROW_RIGHT)
        page.wait("the field", lambda: crop() == "720x720+298+0")
        page.keys("-")
        page.wait("the field", lambda: crop() == "674x674+298+0")
        self.kept(298, 0, 674, 674)
        self.assertEqual(page.script("return document.getElementById('live').dataset.frame"), "0")
        part = page.browser.find_element("id", "clip-part")
        wide = page.script("return document.getElementById('live').getBoundingClientRect().width")
        webdriver.ActionChains(page.browser).move_to_element(part).click_and_hold().move_by_offset(-250, 150).release().perform()
        page.wait("the corner", lambda: crop() == "674x674+0+46")
        corner = page.browser.find_element("id", "clip-corner")
        webdriver.ActionChains(page.browser).move_to_element(corner).click_and_hold().move_by_offset(-round(wide / 8), -round(wide / 8)).release().perform()
        page.wait("a smaller part", lambda: abs(int(crop().split("x")[0]) - 514) <= 4)
        kept = crop()
        page.reload()
        page.shown(0)
        page.wait("the crop after a reload", lambda: crop() == kept)
        page.press("Save clip")
        made, file = self.next_clip(take)
        self.assertIn({"crop": kept}, made["spec"]["render"]["stages"])
        side = kept.split("+")[0]
        size = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of", "csv=p=0:s=x", file], capture_output=True, text=True, check=True)
        self.assertEqual(size.stdout.strip(), side)
        page.press("Done")
        page.press("Live")
        self.assertFalse(shown())
        self.assertEqual(page.complaints, [])

    def test_a_part_of_a_take_in_memory_has_clip_options(self):
        page = self.page
        self.into_review()
        page.script("document.getElementById('clip-options').open = true")
        page.choose("combobox", "Crop", "1:1")
        self.kept(280, 0, 720, 720)
        page.choose("combobox", "Format", "GIF")
        page.fill("textbox", "Size", "120p")
        page.shot("review-options-1280")
        self.assertEqual(page.script(UNNAMED), [])
        page.script("""
        const told = document.getElementById('part-progress-told');
        new MutationObserver(() => { window.progress ||= told.textContent }).observe(told, { childList: true });
        """)
        page.press("Save clip")
        page.wait("its progress", lambda: "The clip is being made: " in (page.script("return window.progress") or ""))
        made, file = self.film()
        self.assertEqual(file.read_bytes()[:10], b"GIF89a" + bytes([120, 0, 120, 0]))
        self.assertIn({"crop": "1:1"}, made["spec"]["render"]["stages"])
        page.wait("no progress", lambda: not page.script("return document.getElementById('part-progress').checkVisibility()"))
        page.press("Arm again")
        page.until("armed")
        self.assertFalse(page.script("return document.getElementById('clip-look').checkVisibility()"))
        self.assertEqual(page.complaints, [])

    def test_a_burst_is_stepped_through(self):
        page = self.page
        subprocess.run([PROGRAM, "snap", "sim:", "--burst", "3", "-o", self.studio.takes / "burst.jpg"], check=True, capture_output=True)
        page.reload()
        page.until("armed")
        page.press("Library")
        page.wait("its card", lambda: "Burst of 3 photos" in page.text("takes"))
        page.script("document.querySelector('#takes .card').click()")
        told = lambda: page.script("const p = document.getElementById('take-photo'); return p.complete && p.naturalWidth > 0 ? p.alt : ''")
        page.wait("the first photo", lambda: told().endswith(", 1 of 3"))
        for number in (2, 3):
            page.press("Next photo")
            page.wait("the next photo", lambda: told().endswith(f", {number} of 3"))
        self.assertEqual(page.find("slider", "Photo of the burst").get_attribute("value"), "2")
        page.shot("burst-1280")
        self.assertEqual(page.script(UNNAMED), [])
        for photo in self.studio.takes.glob("burst*"):
            photo.unlink()
        self.assertEqual(page.complaints, [])

    def test_the_folder_is_named_and_the_page_is_an_app(self):
        page = self.page
        page.script("navigator.clipboard.writeText = async (text) => { window.copied = text }")
        page.press("Photo")
        page.notice("photo_written")
        file = self.studio.get("/api/takes")[0]["photo"]["file"]
        page.press(f"Copy path: {file}")
        page.wait("the photo's path", lambda: page.script("return window.copied") == str(self.studio.takes / file))
        page.press("Library")
        self.assertEqual(page.text("folder-told"), str(self.studio.takes))
        page.press("Copy the path of the folder")
        page.wait("the path", lambda: page.script("return window.copied") == str(self.studio.takes))
        page.shot("folder-1280")
        for width, height in ((844, 390), (390, 844)):
            page.size(width, height)
            self.assertEqual(page.script(STICKS_OUT), [], width)
            page.shot(f"folder-{width}")
        page.size(1280, 800)
        app = page.browser.execute_async_script("""
        const done = arguments[0];
        fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json()).then(async (app) => {
          const sizes = await Promise.all(app.icons.map(async ({ src }) => {
            const icon = new Image();
            icon.src = src;
            await icon.decode();
            return icon.naturalWidth;
          }));
          done([app.display, sizes.slice(1)]);
        });
        """)
        self.assertEqual(app, ["standalone", [192, 512]])
        self.assertEqual(page.complaints, [])

    # Whether the notices cover an element.
    COVERED = """
    const [a, b] = [document.getElementById('notices'), document.getElementById(arguments[0])].map((each) => each.getBoundingClientRect());
    return a.height > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    """

    # Whether a click on the words of the newest notice, and one on its last button, reach the notices.
    HIT = """
    const notice = document.getElementById('notices').lastElementChild;
    return [notice.querySelector('p'), notice.querySelector('.dismiss')].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('#notices'));
    });
    """

    def test_notices_cover_nothing_in_use_and_go_when_they_are_past(self):
        page = self.page
        # What is wrong with a text is below its field, until it is edited.
        page.open("Trigger settings")
        for name, text, reason in (
                ("Post-roll (seconds)", "soon", "is not a number of seconds"), ("Pre-roll (seconds)", "9999", "\u26a0 "),
                ("Clip speed", "soon", "soon")):
            page.fill("textbox", name, text)
            field = page.find("textbox", name)
            told = lambda: page.script("return document.getElementById(arguments[0].id + '-refused')?.textContent ?? ''", field)
            page.wait(f"the reason at {name}", lambda: reason in told())
            self.assertEqual(page.notices, [])
            self.assertEqual(field.get_attribute("aria-invalid"), "true")
            self.assertIn(f"{field.get_attribute('id')}-refused", field.get_attribute("aria-describedby"))
        page.shot("refused-1280")
        self.assertEqual(page.script(LOW_CONTRAST), [])
        self.assertEqual(page.script(UNNAMED), [])
        for name, text in (("Post-roll (seconds)", "0.3"), ("Pre-roll (seconds)", "0.2"), ("Clip speed", "1/2")):
            page.fill("textbox", name, text)
        page.wait("no reason", lambda: not page.script("return document.querySelector('.refused')"))
        page.wait("the settings", lambda: self.studio.state["settings"]["speed"] == "1/2")
        # A notice leaves the field in use free, wherever that is.
        page.until("armed")
        for where in ("end", "start"):
            page.script("document.getElementById('take-label').scrollIntoView({ block: arguments[0] })", where)
            page.focus("textbox", "Take label")
            page.script("document.getElementById('take-label').scrollIntoView({ block: arguments[0] })", where)
            self.studio.ask("POST", "/api/photo")
            page.notice("photo_written")
            page.wait("a free field", lambda: not page.script(self.COVERED, "take-label"))
            self.assertFalse(page.script(self.COVERED, "actions"))
            page.shot(f"notice-{where}-1280")
            page.dismiss()
        for width, height in ((844, 390), (390, 844)):
            page.size(width, height)
            page.script("document.activeElement.blur(); scrollTo(0, 0)")
            self.studio.ask("POST", "/api/photo")
            page.notice("photo_written")
            page.wait("a free primary button", lambda: not page.script(self.COVERED, "do-trigger"))
            self.assertTrue(page.script("return document.querySelector('#notices .notice')"))
            # Its words take no clicks.
            self.assertEqual(page.script(self.HIT), [False, True])
            page.shot(f"notice-{width}")
            page.dismiss()
        page.size(1280, 800)
        # The clip's notice takes the place of the take's.
        self.studio.ask("POST", "/api/trigger")
        page.notice("clip_ready")
        self.assertEqual([kind for kind, _ in page.notices if kind == "take_saved"], [])
        # It is called as the library calls the take, also after a change, and goes with the clip.
        take = self.studio.get("/api/takes")[0]
        self.studio.ask("PATCH", f"/api/takes/{take['id']}", {"label": "milk"})
        page.wait("its label", lambda: page.notice("clip_ready") == "A clip of \u201cmilk\u201d is ready.")
        self.studio.ask("DELETE", f"/api/takes/{take['id']}/clips/0")
        page.wait("no notice of it", lambda: "clip_ready" not in [kind for kind, _ in page.notices])
        # What was removed is not said to be in the trash once it is back.
        page.press("Library")
        page.wait("its card", lambda: page.script("return document.querySelectorAll('#takes .card').length") == 5)
        page.script("document.querySelector('#takes .card').click()")
        page.press("Remove")
        page.notice("removed")
        self.studio.ask("POST", f"/api/trash/{self.studio.get('/api/trash')[0]['id']}/restore")
        page.wait("no notice of it", lambda: "removed" not in [kind for kind, _ in page.notices])
        self.assertEqual([message for message in page.complaints if "status of 4" not in message], [])

    # Where the middle of the box lies in the picture, from 0 to 1 each way.
    SEEN = """
    const [box, all] = ['picture', 'live'].map((id) => document.getElementById(id).getBoundingClientRect());
    return [(box.left + box.width / 2 - all.left) / all.width, (box.top + box.height / 2 - all.top) / all.height];
    """

    def wheel(self, x, y, by, *held):
        """Turns the wheel at a place of the picture, from 0 to 1 each way; up for a positive number."""
        left, top, wide, high = self.page.script("const b = document.getElementById('picture').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
        self.page.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": left + x * wide, "y": top + y * high, "deltaX": 0, "deltaY": -100 * by,
            "modifiers": 8 if "shift" in held else 0})

    def test_the_view_is_zoomed_and_the_camera_before_it(self):
        page = self.page
        page.picture()
        told = lambda: page.script("const z = document.getElementById('view-zoom'); return z.hidden ? null : document.getElementById('view-zoom-told').textContent")
        zoom = lambda: next(each["value"] for each in self.studio.get("/api/controls") if each["name"] == "zoom_absolute")
        before = zoom()
        # The wheel is the camera's, which has a zoom of its own.
        self.wheel(0.5, 0.5, 2)
        page.wait("the camera's zoom", lambda: zoom() == before + 40)
        self.assertIsNone(told())
        page.key("-")
        page.wait("less zoom", lambda: zoom() == before + 20)
        # With Shift, the view's: what the pointer is on stays there.
        self.wheel(0.25, 0.75, 4, "shift")
        page.wait("a zoomed view", lambda: told() == "2.0x")
        seen = page.script(self.SEEN)
        self.assertAlmostEqual(seen[0], 0.375, delta=0.01)
        self.assertAlmostEqual(seen[1], 0.625, delta=0.01)
        page.shot("zoomed-view-1280")
        self.assertEqual(page.script(UNNAMED), [])
        picture = page.find("button", "Reset the zoom of the view").find_element("xpath", "ancestor::*[@id='picture']")
        webdriver.ActionChains(page.browser).move_to_element(picture).click_and_hold().move_by_offset(0, -100).release().perform()
        page.wait("another part", lambda: page.script(self.SEEN)[1] > seen[1] + 0.05)
        seen = page.script(self.SEEN)
        page.focus("button", "Reset the zoom of the view")
        page.keys(Keys.ARROW_RIGHT)
        page.wait("a part further right", lambda: page.script(self.SEEN)[0] > seen[0] + 0.04)
        # No frame or file knows of it.
        self.assertIsNotNone(page.picture())
        page.press("Reset the zoom of the view")
        page.wait("the whole picture", lambda: told() is None and page.script(self.SEEN) == [0.5, 0.5])
        for _ in range(12):
            page.key("z")
        page.wait("the largest", lambda: told() == "8.0x")
        page.key("0")
        page.wait("the whole picture", lambda: told() is None)
        page.key("z")
        page.wait("a zoomed view", lambda: told() == "1.4x")
        webdriver.ActionChains(page.browser).double_click(picture).perform()
        page.wait("the whole picture", lambda: told() is None)
        # Two fingers.
        left, top = page.script("const b = document.getElementById('picture').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]")
        for kind, apart in (("touchStart", 50), ("touchMove", 60), ("touchMove", 100), ("touchMove", 150), ("touchEnd", None)):
            points = [] if apart is None else [{"x": left - apart, "y": top, "id": 1}, {"x": left + apart, "y": top, "id": 2}]
            page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait("a zoomed view", lambda: told() == "3.0x")
        # A review shows its picture whole at first, and has the same zoom; its wheel is never the camera's.
        self.into_review()
        page.wait("the whole picture", lambda: told() is None)
        self.wheel(0.5, 0.5, 4)
        page.wait("a zoomed view", lambda: told() == "2.0x")
        page.keys(Keys.HOME)
        self.assertIsNotNone(page.shown(0))
        self.assertEqual(page.complaints, [])


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=Result, verbosity=2))
