// Headers only: SwiftPM wants a source file in a C target.
#include "CLibAV.h"
