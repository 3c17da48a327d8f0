// libasound's headers, with shims for what Swift cannot import from them.
#ifndef CALSA_H
#define CALSA_H

#include <alsa/asoundlib.h>

// Keeps libasound from writing to standard error: its messages are in the errors that it returns. Its handler
// is variadic, which Swift cannot implement.
void calsa_be_quiet(void);

#endif
