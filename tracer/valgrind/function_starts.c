/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table lists a start and a description (FDE) for each stretch of code, in order. A stretch that the compiler moved
 * out of its function begins in the middle of that function's work, so its description begins by saying where the frame
 * is; a function's own begins with nothing on the stack but the return address, as the common part (CIE) says
 * already. */
#include "tracer/valgrind/function_starts.h"

#include <elf.h>
#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_vki.h>

enum {
  kMaxSegments = 8192,
  kMaxPrograms = 64,
  kSigned4 = 0x0b,
  kUnsigned4 = 0x03,
  kTableEncoding = 0x3b, /* pairs of signed words, relative to the table's header */
  kAdvance = 0x40,       /* call frame instructions */
  kUndefined = 0x07,
  kArgsSize = 0x2e
};

typedef struct {
  Int start, description; /* relative to the header */
} TableEntry;

typedef struct {
  Int object_plus_one;
  UInt epoch;
  Addr header; /* of .eh_frame_hdr */
  UInt count;
  const TableEntry* entries; /* in the program's memory; NULL: there is no table */
} Table;

/* Bytes of the program, read one after the other and never past `end`. */
typedef struct {
  const UChar* at;
  const UChar* end;
} Reader;

static Bool IsReadable(Addr address, SizeT size) { return VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ); }

static UChar ReadByte(Reader* reader) { return reader->at < reader->end ? *reader->at++ : 0; }

static ULong ReadLeb(Reader* reader) {
  ULong value = 0;
  for (UInt shift = 0; shift < 64; shift += 7) {
    const UChar byte = ReadByte(reader);
    value |= (ULong)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) break;
  }
  return value;
}

static void Skip(Reader* reader, ULong count) {
  const ULong left = (ULong)(reader->end - reader->at);
  reader->at += count < left ? count : left;
}

/* Where the file of `address` has its first byte mapped; 0: nowhere. */
static Addr ImageOf(Addr address) {
  static Addr starts[kMaxSegments];
  const NSegment* const code = VG_(am_find_nsegment)(address);
  if (code == NULL || code->kind != SkFileC) return 0;
  const Int count = VG_(am_get_segment_starts)(SkFileC, starts, kMaxSegments);
  Addr image = 0;
  for (Int i = 0; i < count && starts[i] <= address; ++i) {
    const NSegment* const segment = VG_(am_find_nsegment)(starts[i]);
    if (segment->offset == 0 && segment->dev == code->dev && segment->ino == code->ino) image = segment->start;
  }
  return image;
}

static Addr HeaderOf(const Object* object, Addr image) {
  const Elf64_Ehdr* const elf = (const Elf64_Ehdr*)image;
  if (image == 0 || !IsReadable(image, sizeof *elf) || VG_(memcmp)(elf->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  if (elf->e_phentsize != sizeof(Elf64_Phdr) || elf->e_phnum > kMaxPrograms) return 0;
  const Elf64_Phdr* const programs = (const Elf64_Phdr*)(image + elf->e_phoff);
  if (!IsReadable((Addr)programs, elf->e_phnum * sizeof *programs)) return 0;
  for (UInt i = 0; i < elf->e_phnum; ++i) {
    if (programs[i].p_type == PT_GNU_EH_FRAME) return object->bias + programs[i].p_vaddr;
  }
  return 0;
}

/* The tables are where they are until an object is loaded or unloaded. */
static const Table* TableOf(const Object* object, Addr address) {
  static Table tables[16];
  const UInt epoch = VG_(current_DiEpoch)().n;
  Table* const table = &tables[object->id % 16];
  if (table->object_plus_one == object->id + 1 && table->epoch == epoch) return table;
  *table = (Table){object->id + 1, epoch, HeaderOf(object, ImageOf(address)), 0, NULL};
  const UChar* const header = (const UChar*)table->header;
  if (header == NULL || !IsReadable(table->header, 12)) return table;
  const Bool known =
      header[0] == 1 && (header[1] & 0x0f) == kSigned4 && header[2] == kUnsigned4 && header[3] == kTableEncoding;
  const UInt count = *(const UInt*)(header + 8);
  if (!known || !IsReadable(table->header + 12, (SizeT)count * sizeof(TableEntry))) return table;
  table->count = count;
  table->entries = (const TableEntry*)(header + 12);
  return table;
}

static const TableEntry* LastBefore(const Table* table, Addr address) {
  UInt low = 0, high = table->count;
  while (low < high) {
    const UInt middle = low + (high - low) / 2;
    if (table->header + (Addr)(Long)table->entries[middle].start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? NULL : &table->entries[low - 1];
}

/* A reader of the entry of .eh_frame at `address`, behind its length. */
static Bool ReadFrameEntry(Addr address, Reader* reader) {
  if (!IsReadable(address, 4)) return False;
  const UInt size = *(const UInt*)address;
  if (size < 4 || size >= 0xfffffff0u || !IsReadable(address + 4, size)) return False;
  reader->at = (const UChar*)address + 4;
  reader->end = reader->at + size;
  return True;
}

static ULong EncodedBytes(UChar encoding) {
  switch (encoding & 0x0f) {
    case 0x02:
    case 0x0a: return 2;
    case kUnsigned4:
    case kSigned4: return 4;
    default: return 8;
  }
}

/* How many bytes an address of the common part's descriptions has. 0: not understood. */
static ULong AddressBytes(Reader common, Bool* has_augmentation) {
  Skip(&common, 4);
  const UChar version = ReadByte(&common);
  const UChar* const letters = common.at;
  while (ReadByte(&common) != '\0') {
  }
  *has_augmentation = letters < common.end && *letters == 'z';
  if (!*has_augmentation) return 8;
  ReadLeb(&common);
  ReadLeb(&common);
  if (version == 1) {
    ReadByte(&common);
  } else {
    ReadLeb(&common);
  }
  ReadLeb(&common);
  for (const UChar* letter = letters + 1; letter < common.end && *letter != '\0'; ++letter) {
    if (*letter == 'R') return EncodedBytes(ReadByte(&common));
    if (*letter == 'P') {
      Skip(&common, EncodedBytes(ReadByte(&common)));
    } else if (*letter == 'L') {
      ReadByte(&common);
    }
  }
  return 8;
}

/* Reads a description: how long its code is, and whether that is a moved part. */
static Bool ReadDescription(Addr description, ULong* code_bytes, Bool* is_part) {
  Reader reader, common;
  if (!ReadFrameEntry(description, &reader)) return False;
  const Addr common_address = (Addr)reader.at - *(const UInt*)reader.at;
  if (!ReadFrameEntry(common_address, &common)) return False;
  Bool has_augmentation;
  const ULong width = AddressBytes(common, &has_augmentation);
  if ((ULong)(reader.end - reader.at) < 4 + 2 * width || width < 4) return False;
  *code_bytes = width == 4 ? *(const UInt*)(reader.at + 4 + width) : *(const ULong*)(reader.at + 4 + width);
  Skip(&reader, 4 + 2 * width);
  if (has_augmentation) Skip(&reader, ReadLeb(&reader));
  UChar first = 0;
  while (reader.at < reader.end && first == 0) first = ReadByte(&reader);
  const Bool advances = (first & 0xc0) == kAdvance || (first >= 0x02 && first <= 0x04);
  *is_part = first != 0 && !advances && first != kUndefined && first != kArgsSize;
  return True;
}

/* "jmp *offset(%rip)", perhaps behind endbr64 and with a prefix: the way to a function elsewhere. */
static Bool IsLinkageStub(Addr start) {
  static const UChar kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  if (!IsReadable(start, 8)) return False;
  const UChar* code = (const UChar*)start;
  if (VG_(memcmp)(code, kEndbr64, sizeof kEndbr64) == 0) code += sizeof kEndbr64;
  if (*code == 0xf2) ++code;
  return code[0] == 0xff && code[1] == 0x25;
}

Bool FindFunctionStart(const Object* object, Addr address, Addr* start, Addr* end) {
  const Table* const table = TableOf(object, address);
  if (table->entries == NULL) return False;
  const TableEntry* const entry = LastBefore(table, address);
  if (entry == NULL) return False;
  const Addr found = table->header + (Addr)(Long)entry->start;
  ULong code_bytes;
  Bool is_part;
  if (!ReadDescription(table->header + (Addr)(Long)entry->description, &code_bytes, &is_part)) return False;
  if (address - found >= code_bytes) return False;
  *start = found;
  *end = found + code_bytes;
  return !is_part && !IsLinkageStub(found);
}
