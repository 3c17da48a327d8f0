// Headers only: SwiftPM requires a source file in a C target.
#include "CV4L2.h"
