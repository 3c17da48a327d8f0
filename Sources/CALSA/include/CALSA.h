// libasound's headers, with what Swift cannot import of them.
#ifndef CALSA_H
#define CALSA_H

#include <alsa/asoundlib.h>

// Keeps libasound from writing to standard error: what it would say there is in the errors that it returns. Its handler
// is variadic, which Swift cannot write.
void calsa_be_quiet(void);

#endif
