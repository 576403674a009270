/* Functions without symbols, which .eh_frame tells, and conditional jumps between them. The labels have no type, so that they name places for nm
 * but no functions. */
__asm__(
    ".text\n"
    ".globl plain\nplain: .cfi_startproc\n nop\n ret\n.cfi_endproc\n"
    /* A part that is jumped to, though its description begins as that of a function does. */
    ".globl chooser\nchooser: .cfi_startproc\n test %edi, %edi\n je part\n cmp $1, %edi\n je named\n cmp $2, %edi\n je inside\n ret\n.cfi_endproc\n"
    ".globl part\npart: .cfi_startproc\n nop\n ret\n.cfi_endproc\n"
    ".globl holder\nholder: .cfi_startproc\n nop\n.globl inside\ninside: nop\n ret\n.cfi_endproc\n"
    ".globl named\n.type named,@function\nnamed: .cfi_startproc\n nop\n ret\n.cfi_endproc\n.size named, . - named\n");

void plain(void);
void chooser(int);
void holder(void);
void named(void);

int main(void) {
  plain();
  chooser(0);
  chooser(1);
  chooser(2);
  chooser(3);
  named();
  holder();
  plain();
  return 0;
}
