#ifndef CEMBEDDEDFILES_H
#define CEMBEDDEDFILES_H

#include <stddef.h>

/// A file that is part of the program. A bundle beside the program would be left behind when it is copied to
/// `/usr/local/bin` or into a virtual machine; and SwiftPM would embed the files as literals of Swift arrays, which
/// take the compiler a minute.
struct embedded_file {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// Returns the files of the studio's page, and how many they are.
const struct embedded_file *_Nonnull embedded_page(size_t *_Nonnull count);

/// Returns the profiles of cameras, and how many they are.
const struct embedded_file *_Nonnull embedded_profiles(size_t *_Nonnull count);

#endif
