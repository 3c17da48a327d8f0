// Headers only: SwiftPM requires a source file in a C target.
#include "CTurboJPEG.h"
