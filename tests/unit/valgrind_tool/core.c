/* The few functions of Valgrind's core that the parts under test call, made of the C library's. */
#include <errno.h>
#include <pub_tool_basics.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/valgrind/core_symbols.h"

/* <fcntl.h> has macros for names that Valgrind's headers use. */
extern int open(const char* path, int flags, ...);
extern char* __cxa_demangle(const char* name, char* buffer, size_t* size, int* status);

SizeT VG_(strlen)(const HChar* text) { return strlen(text); }
Int VG_(strcmp)(const HChar* a, const HChar* b) { return strcmp(a, b); }
Int VG_(strncmp)(const HChar* a, const HChar* b, SizeT count) { return strncmp(a, b, count); }
SizeT VG_(strcspn)(const HChar* text, const HChar* reject) { return strcspn(text, reject); }
HChar* VG_(strchr)(const HChar* text, HChar c) { return strchr(text, c); }
HChar* VG_(strrchr)(const HChar* text, HChar c) { return strrchr(text, c); }
HChar* VG_(strtok_r)(HChar* text, const HChar* ends, HChar** rest) { return strtok_r(text, ends, rest); }
Long VG_(strtoll10)(const HChar* text, HChar** end) { return strtoll(text, end, 10); }
Bool VG_(isdigit)(HChar c) { return c >= '0' && c <= '9'; }
void* VG_(memset)(void* to, Int c, SizeT count) { return memset(to, c, count); }

void* VG_(malloc)(const HChar* what, SizeT bytes) {
  (void)what;
  return malloc(bytes);
}
void* VG_(realloc)(const HChar* what, void* old, SizeT bytes) {
  (void)what;
  return realloc(old, bytes);
}
void VG_(free)(void* pointer) { free(pointer); }

UInt VG_(sprintf)(HChar* to, const HChar* format, ...) {
  va_list list;
  va_start(list, format);
  const int size = vsprintf(to, format, list);
  va_end(list);
  return (UInt)size;
}

UInt VG_(umsg)(const HChar* format, ...) {
  va_list list;
  va_start(list, format);
  const int size = vfprintf(stderr, format, list);
  va_end(list);
  return (UInt)size;
}

void VG_(exit)(Int status) { _exit(status); }
HChar* VG_(getenv)(const HChar* name) { return getenv(name); }

SysRes VG_(open)(const HChar* path, Int flags, Int mode) {
  const int fd = open(path, flags, mode);
  SysRes result = {._val = fd < 0 ? (UWord)errno : (UWord)fd, ._isError = fd < 0};
  return result;
}
Int VG_(fd_open)(const HChar* path, Int flags, Int mode) { return open(path, flags, mode); }
Int VG_(read)(Int fd, void* to, Int count) { return (Int)read(fd, to, (size_t)count); }
Int VG_(write)(Int fd, const void* from, Int count) { return (Int)write(fd, from, (size_t)count); }
void VG_(close)(Int fd) { close(fd); }

/* The text stays until the next call, as that of the core does. */
void VG_(demangle)(Bool cxx, Bool z_encoded, const HChar* name, const HChar** result) {
  static char* last;
  (void)cxx, (void)z_encoded;
  free(last);
  int status = 0;
  last = __cxa_demangle(name, NULL, NULL, &status);
  *result = last == NULL ? name : last;
}
