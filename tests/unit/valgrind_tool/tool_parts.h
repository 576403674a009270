// What the tests call of the tool, whose own headers are for C and Valgrind's types.
#pragma once

extern "C" {
unsigned char GlobFits(const char* pattern, const char* text);
unsigned char IsConditionalJump(const unsigned char* code, unsigned size);
unsigned char IsDivision(const unsigned char* code, unsigned size);
void MethodName(const char* symbol, char* name);  // of 4096 bytes
unsigned char IsPartOfFunction(const char* symbol);
void SettingsRead(const char* directory);

// All settings as text, a line each (settings_text.c). Forgets them.
const char* TakeSettings(void);
}
