// The files of the studio's page.
#include "embed.h"

FILE(index_html)
#embed "../StudioServer/Page/index.html"
END
FILE(style_css)
#embed "../StudioServer/Page/style.css"
END
FILE(studio_webmanifest)
#embed "../StudioServer/Page/studio.webmanifest"
END
FILE(icon_svg)
#embed "../StudioServer/Page/icon.svg"
END
FILE(icon192_png)
#embed "../StudioServer/Page/icon192.png"
END
FILE(icon512_png)
#embed "../StudioServer/Page/icon512.png"
END
FILE(actions_js)
#embed "../StudioServer/Page/actions.js"
END
FILE(api_js)
#embed "../StudioServer/Page/api.js"
END
FILE(camera_js)
#embed "../StudioServer/Page/camera.js"
END
FILE(cameras_js)
#embed "../StudioServer/Page/cameras.js"
END
FILE(camerazoom_js)
#embed "../StudioServer/Page/camerazoom.js"
END
FILE(cliplength_js)
#embed "../StudioServer/Page/cliplength.js"
END
FILE(cliplook_js)
#embed "../StudioServer/Page/cliplook.js"
END
FILE(clipoptions_js)
#embed "../StudioServer/Page/clipoptions.js"
END
FILE(clips_js)
#embed "../StudioServer/Page/clips.js"
END
FILE(compare_js)
#embed "../StudioServer/Page/compare.js"
END
FILE(controls_js)
#embed "../StudioServer/Page/controls.js"
END
FILE(curve_js)
#embed "../StudioServer/Page/curve.js"
END
FILE(dom_js)
#embed "../StudioServer/Page/dom.js"
END
FILE(download_js)
#embed "../StudioServer/Page/download.js"
END
FILE(edited_js)
#embed "../StudioServer/Page/edited.js"
END
FILE(filmstrip_js)
#embed "../StudioServer/Page/filmstrip.js"
END
FILE(filter_js)
#embed "../StudioServer/Page/filter.js"
END
FILE(folder_js)
#embed "../StudioServer/Page/folder.js"
END
FILE(format_js)
#embed "../StudioServer/Page/format.js"
END
FILE(frames_js)
#embed "../StudioServer/Page/frames.js"
END
FILE(fullscreen_js)
#embed "../StudioServer/Page/fullscreen.js"
END
FILE(grouppicture_js)
#embed "../StudioServer/Page/grouppicture.js"
END
FILE(groups_js)
#embed "../StudioServer/Page/groups.js"
END
FILE(grouptime_js)
#embed "../StudioServer/Page/grouptime.js"
END
FILE(groupview_js)
#embed "../StudioServer/Page/groupview.js"
END
FILE(items_js)
#embed "../StudioServer/Page/items.js"
END
FILE(keys_js)
#embed "../StudioServer/Page/keys.js"
END
FILE(last_js)
#embed "../StudioServer/Page/last.js"
END
FILE(layout_js)
#embed "../StudioServer/Page/layout.js"
END
FILE(library_js)
#embed "../StudioServer/Page/library.js"
END
FILE(live_js)
#embed "../StudioServer/Page/live.js"
END
FILE(losses_js)
#embed "../StudioServer/Page/losses.js"
END
FILE(made_js)
#embed "../StudioServer/Page/made.js"
END
FILE(main_js)
#embed "../StudioServer/Page/main.js"
END
FILE(marks_js)
#embed "../StudioServer/Page/marks.js"
END
FILE(mp4_js)
#embed "../StudioServer/Page/mp4.js"
END
FILE(notices_js)
#embed "../StudioServer/Page/notices.js"
END
FILE(overlays_js)
#embed "../StudioServer/Page/overlays.js"
END
FILE(phone_js)
#embed "../StudioServer/Page/phone.js"
END
FILE(picture_js)
#embed "../StudioServer/Page/picture.js"
END
FILE(place_js)
#embed "../StudioServer/Page/place.js"
END
FILE(record_js)
#embed "../StudioServer/Page/record.js"
END
FILE(review_js)
#embed "../StudioServer/Page/review.js"
END
FILE(selection_js)
#embed "../StudioServer/Page/selection.js"
END
FILE(sender_js)
#embed "../StudioServer/Page/sender.js"
END
FILE(settings_js)
#embed "../StudioServer/Page/settings.js"
END
FILE(setup_js)
#embed "../StudioServer/Page/setup.js"
END
FILE(state_js)
#embed "../StudioServer/Page/state.js"
END
FILE(status_js)
#embed "../StudioServer/Page/status.js"
END
FILE(timeline_js)
#embed "../StudioServer/Page/timeline.js"
END
FILE(told_js)
#embed "../StudioServer/Page/told.js"
END
FILE(trash_js)
#embed "../StudioServer/Page/trash.js"
END
FILE(upload_js)
#embed "../StudioServer/Page/upload.js"
END
FILE(words_js)
#embed "../StudioServer/Page/words.js"
END
FILE(zoom_js)
#embed "../StudioServer/Page/zoom.js"
END

const struct embedded_file *embedded_page(size_t *count) {
    static const struct embedded_file files[] = {
        ENTRY("index.html", index_html),
        ENTRY("style.css", style_css),
        ENTRY("studio.webmanifest", studio_webmanifest),
        ENTRY("icon.svg", icon_svg),
        ENTRY("icon192.png", icon192_png),
        ENTRY("icon512.png", icon512_png),
        ENTRY("actions.js", actions_js),
        ENTRY("api.js", api_js),
        ENTRY("camera.js", camera_js),
        ENTRY("cameras.js", cameras_js),
        ENTRY("camerazoom.js", camerazoom_js),
        ENTRY("cliplength.js", cliplength_js),
        ENTRY("cliplook.js", cliplook_js),
        ENTRY("clipoptions.js", clipoptions_js),
        ENTRY("clips.js", clips_js),
        ENTRY("compare.js", compare_js),
        ENTRY("controls.js", controls_js),
        ENTRY("curve.js", curve_js),
        ENTRY("dom.js", dom_js),
        ENTRY("download.js", download_js),
        ENTRY("edited.js", edited_js),
        ENTRY("filmstrip.js", filmstrip_js),
        ENTRY("filter.js", filter_js),
        ENTRY("folder.js", folder_js),
        ENTRY("format.js", format_js),
        ENTRY("frames.js", frames_js),
        ENTRY("fullscreen.js", fullscreen_js),
        ENTRY("grouppicture.js", grouppicture_js),
        ENTRY("groups.js", groups_js),
        ENTRY("grouptime.js", grouptime_js),
        ENTRY("groupview.js", groupview_js),
        ENTRY("items.js", items_js),
        ENTRY("keys.js", keys_js),
        ENTRY("last.js", last_js),
        ENTRY("layout.js", layout_js),
        ENTRY("library.js", library_js),
        ENTRY("live.js", live_js),
        ENTRY("losses.js", losses_js),
        ENTRY("made.js", made_js),
        ENTRY("main.js", main_js),
        ENTRY("marks.js", marks_js),
        ENTRY("mp4.js", mp4_js),
        ENTRY("notices.js", notices_js),
        ENTRY("overlays.js", overlays_js),
        ENTRY("phone.js", phone_js),
        ENTRY("picture.js", picture_js),
        ENTRY("place.js", place_js),
        ENTRY("record.js", record_js),
        ENTRY("review.js", review_js),
        ENTRY("selection.js", selection_js),
        ENTRY("sender.js", sender_js),
        ENTRY("settings.js", settings_js),
        ENTRY("setup.js", setup_js),
        ENTRY("state.js", state_js),
        ENTRY("status.js", status_js),
        ENTRY("timeline.js", timeline_js),
        ENTRY("told.js", told_js),
        ENTRY("trash.js", trash_js),
        ENTRY("upload.js", upload_js),
        ENTRY("words.js", words_js),
        ENTRY("zoom.js", zoom_js),
    };
    *count = sizeof files / sizeof files[0];
    return files;
}
