/// The profiles that Overcrank ships, as bytes inside the program.
///
/// A bundle beside the program would be left behind when it is copied to `/usr/local/bin` or into a virtual machine.
package enum ShippedProfiles {
  /// Each file's name and its YAML.
  package static let files: [(name: String, yaml: [UInt8])] = [
    ("3d-usb-camera-stereo-1200p.yaml", PackageResources._d_usb_camera_stereo_1200p_yaml),
    ("elgato-4k-x-10g.yaml", PackageResources.elgato_4k_x_10g_yaml),
    ("elp-4k-32e4-0317.yaml", PackageResources.elp_4k_32e4_0317_yaml),
    ("elp-usbfhd01m-ov2710.yaml", PackageResources.elp_usbfhd01m_ov2710_yaml),
    ("elp-usbfhd08s-260fps.yaml", PackageResources.elp_usbfhd08s_260fps_yaml),
    ("imx219.yaml", PackageResources.imx219_yaml),
    ("imx290.yaml", PackageResources.imx290_yaml),
    ("imx296.yaml", PackageResources.imx296_yaml),
    ("imx477.yaml", PackageResources.imx477_yaml),
    ("imx519.yaml", PackageResources.imx519_yaml),
    ("imx585.yaml", PackageResources.imx585_yaml),
    ("imx708.yaml", PackageResources.imx708_yaml),
    ("iphone-7-plus-back-wide.yaml", PackageResources.iphone_7_plus_back_wide_yaml),
    ("jetson-imx219-1640.yaml", PackageResources.jetson_imx219_1640_yaml),
    ("jetson-orin-imx477.yaml", PackageResources.jetson_orin_imx477_yaml),
    ("jetson-ov9281-grey-y10.yaml", PackageResources.jetson_ov9281_grey_y10_yaml),
    ("leap-motion-uvc.yaml", PackageResources.leap_motion_uvc_yaml),
    ("logitech-brio-4k-usb3.yaml", PackageResources.logitech_brio_4k_usb3_yaml),
    ("logitech-c922.yaml", PackageResources.logitech_c922_yaml),
    ("ov5647.yaml", PackageResources.ov5647_yaml),
    ("ov64a40.yaml", PackageResources.ov64a40_yaml),
    ("ov7251.yaml", PackageResources.ov7251_yaml),
    ("ov9281.yaml", PackageResources.ov9281_yaml),
    ("ps3-eye-ov534.yaml", PackageResources.ps3_eye_ov534_yaml),
    ("ps5-hd-camera-ov580.yaml", PackageResources.ps5_hd_camera_ov580_yaml),
    ("realsense-d4xx-tegra-depth.yaml", PackageResources.realsense_d4xx_tegra_depth_yaml),
    ("see3cam-24cug-usb3.yaml", PackageResources.see3cam_24cug_usb3_yaml),
    ("see3cam-cu55-usb2.yaml", PackageResources.see3cam_cu55_usb2_yaml),
    ("tis-dfk-37bux250.yaml", PackageResources.tis_dfk_37bux250_yaml),
    ("tis-dfm-27ur0135-ml.yaml", PackageResources.tis_dfm_27ur0135_ml_yaml),
    ("withrobot-ocam-5cro-u.yaml", PackageResources.withrobot_ocam_5cro_u_yaml),
  ]
}
