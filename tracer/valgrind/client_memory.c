/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/client_memory.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "tracer/valgrind/core_symbols.h"

/* The kernel copies, so that a page that is not there is an error and no fault. Where it will not (a container may
 * forbid it), we copy what the mappings say is there. */
Bool ReadClient(Addr address, void* to, SizeT size) {
  static Bool refused = False;
  if (address + size < address || !VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ)) return False;
  if (!refused) {
    struct vki_iovec local = {to, size};
    struct vki_iovec remote = {(void*)address, size};
    const SysRes copied = VG_(do_syscall)(__NR_process_vm_readv, (RegWord)VG_(getpid)(), (RegWord)&local, 1,
                                          (RegWord)&remote, 1, 0, 0, 0);
    if (!sr_isError(copied)) return sr_Res(copied) == size;
    refused = sr_Err(copied) == VKI_EPERM || sr_Err(copied) == VKI_ENOSYS;
    if (!refused) return False;
  }
  VG_(memcpy)(to, (const void*)address, size);
  return True;
}

UWord ReadClientWord(Addr address) {
  UWord word = 0;
  return ReadClient(address, &word, sizeof word) ? word : 0;
}

Bool ReadClientString(Addr address, HChar* to, UInt limit, UInt* size) {
  *size = 0;
  while (*size < limit) {
    /* Never across a page: the next one may not be there. */
    const SizeT in_page = VKI_PAGE_SIZE - ((address + *size) & (VKI_PAGE_SIZE - 1));
    SizeT piece = limit - *size < in_page ? limit - *size : in_page;
    if (piece > 256) piece = 256;
    if (!ReadClient(address + *size, to + *size, piece)) return False;
    const SizeT length = VG_(strnlen)(to + *size, piece);
    *size += (UInt)length;
    if (length < piece) return True;
  }
  return True;
}

static UInt CharacterBytes(UChar first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

Bool IsPrintable(const HChar* text, UInt size) {
  for (UInt at = 0; at < size;) {
    const UChar first = (UChar)text[at];
    const UInt bytes = CharacterBytes(first);
    if (bytes == 0 || first == 0x7f || (first < 0x20 && first != '\t' && first != '\n' && first != '\r')) return False;
    for (UInt i = 1; i < bytes && at + i < size; ++i) {
      if (((UChar)text[at + i] & 0xc0) != 0x80) return False;
    }
    at += bytes;
  }
  return True;
}
