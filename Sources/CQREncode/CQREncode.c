// Headers only: SwiftPM requires a source file in a C target.
#include "CQREncode.h"
