// The profiles of cameras.
#include "embed.h"

FILE(camera_3d_usb_camera_stereo_1200p)
#embed "../../profiles/3d-usb-camera-stereo-1200p.yaml"
END
FILE(elgato_4k_x_10g)
#embed "../../profiles/elgato-4k-x-10g.yaml"
END
FILE(elp_4k_32e4_0317)
#embed "../../profiles/elp-4k-32e4-0317.yaml"
END
FILE(elp_usbfhd01m_ov2710)
#embed "../../profiles/elp-usbfhd01m-ov2710.yaml"
END
FILE(elp_usbfhd08s_260fps)
#embed "../../profiles/elp-usbfhd08s-260fps.yaml"
END
FILE(imx219)
#embed "../../profiles/imx219.yaml"
END
FILE(imx290)
#embed "../../profiles/imx290.yaml"
END
FILE(imx296)
#embed "../../profiles/imx296.yaml"
END
FILE(imx477)
#embed "../../profiles/imx477.yaml"
END
FILE(imx519)
#embed "../../profiles/imx519.yaml"
END
FILE(imx585)
#embed "../../profiles/imx585.yaml"
END
FILE(imx708)
#embed "../../profiles/imx708.yaml"
END
FILE(iphone_7_plus_back_wide)
#embed "../../profiles/iphone-7-plus-back-wide.yaml"
END
FILE(jetson_imx219_1640)
#embed "../../profiles/jetson-imx219-1640.yaml"
END
FILE(jetson_orin_imx477)
#embed "../../profiles/jetson-orin-imx477.yaml"
END
FILE(jetson_ov9281_grey_y10)
#embed "../../profiles/jetson-ov9281-grey-y10.yaml"
END
FILE(leap_motion_uvc)
#embed "../../profiles/leap-motion-uvc.yaml"
END
FILE(logitech_brio_4k_usb3)
#embed "../../profiles/logitech-brio-4k-usb3.yaml"
END
FILE(logitech_c922)
#embed "../../profiles/logitech-c922.yaml"
END
FILE(ov5647)
#embed "../../profiles/ov5647.yaml"
END
FILE(ov64a40)
#embed "../../profiles/ov64a40.yaml"
END
FILE(ov7251)
#embed "../../profiles/ov7251.yaml"
END
FILE(ov9281)
#embed "../../profiles/ov9281.yaml"
END
FILE(ps3_eye_ov534)
#embed "../../profiles/ps3-eye-ov534.yaml"
END
FILE(ps5_hd_camera_ov580)
#embed "../../profiles/ps5-hd-camera-ov580.yaml"
END
FILE(realsense_d4xx_tegra_depth)
#embed "../../profiles/realsense-d4xx-tegra-depth.yaml"
END
FILE(see3cam_24cug_usb3)
#embed "../../profiles/see3cam-24cug-usb3.yaml"
END
FILE(see3cam_cu55_usb2)
#embed "../../profiles/see3cam-cu55-usb2.yaml"
END
FILE(tis_dfk_37bux250)
#embed "../../profiles/tis-dfk-37bux250.yaml"
END
FILE(tis_dfm_27ur0135_ml)
#embed "../../profiles/tis-dfm-27ur0135-ml.yaml"
END
FILE(withrobot_ocam_5cro_u)
#embed "../../profiles/withrobot-ocam-5cro-u.yaml"
END

const struct embedded_file *embedded_profiles(size_t *count) {
    static const struct embedded_file files[] = {
        ENTRY("3d-usb-camera-stereo-1200p.yaml", camera_3d_usb_camera_stereo_1200p),
        ENTRY("elgato-4k-x-10g.yaml", elgato_4k_x_10g),
        ENTRY("elp-4k-32e4-0317.yaml", elp_4k_32e4_0317),
        ENTRY("elp-usbfhd01m-ov2710.yaml", elp_usbfhd01m_ov2710),
        ENTRY("elp-usbfhd08s-260fps.yaml", elp_usbfhd08s_260fps),
        ENTRY("imx219.yaml", imx219),
        ENTRY("imx290.yaml", imx290),
        ENTRY("imx296.yaml", imx296),
        ENTRY("imx477.yaml", imx477),
        ENTRY("imx519.yaml", imx519),
        ENTRY("imx585.yaml", imx585),
        ENTRY("imx708.yaml", imx708),
        ENTRY("iphone-7-plus-back-wide.yaml", iphone_7_plus_back_wide),
        ENTRY("jetson-imx219-1640.yaml", jetson_imx219_1640),
        ENTRY("jetson-orin-imx477.yaml", jetson_orin_imx477),
        ENTRY("jetson-ov9281-grey-y10.yaml", jetson_ov9281_grey_y10),
        ENTRY("leap-motion-uvc.yaml", leap_motion_uvc),
        ENTRY("logitech-brio-4k-usb3.yaml", logitech_brio_4k_usb3),
        ENTRY("logitech-c922.yaml", logitech_c922),
        ENTRY("ov5647.yaml", ov5647),
        ENTRY("ov64a40.yaml", ov64a40),
        ENTRY("ov7251.yaml", ov7251),
        ENTRY("ov9281.yaml", ov9281),
        ENTRY("ps3-eye-ov534.yaml", ps3_eye_ov534),
        ENTRY("ps5-hd-camera-ov580.yaml", ps5_hd_camera_ov580),
        ENTRY("realsense-d4xx-tegra-depth.yaml", realsense_d4xx_tegra_depth),
        ENTRY("see3cam-24cug-usb3.yaml", see3cam_24cug_usb3),
        ENTRY("see3cam-cu55-usb2.yaml", see3cam_cu55_usb2),
        ENTRY("tis-dfk-37bux250.yaml", tis_dfk_37bux250),
        ENTRY("tis-dfm-27ur0135-ml.yaml", tis_dfm_27ur0135_ml),
        ENTRY("withrobot-ocam-5cro-u.yaml", withrobot_ocam_5cro_u),
    };
    *count = sizeof files / sizeof files[0];
    return files;
}
