#include "CEmbeddedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE(symbol) static const unsigned char symbol[] = {
#define END };
#define ENTRY(name, symbol) {name, symbol, sizeof symbol}
