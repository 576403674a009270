// The trace text of the Oscilloscope thesis (Gu, 2012, section 3.3.3): one event after another.
//
//   # bug: 342
//   M org/apache/commons/beanutils/LazyDynaClass getDynaProperty
//   (Ljava/lang/String;)Lorg/apache/commons/beanutils/DynaProperty; S org/apache/Main main
//   ([Ljava/lang/String;)V I ALOAD 0
//
// M is an instance method and S a static one: class, method, signature. Both become the method
// event org.apache.commons.beanutils.LazyDynaClass.getDynaProperty, the signature an attribute. I
// is an instruction: the opcode is the event, the operands are its value. A "\" at the end
// continues a line.
//
// Runs are separated by blank lines. A "# key: value" line describes the run that follows, or
// begins one after events: project, bug, test, version, outcome, message, mark (how many events lie
// up to and including the failing one); any other one-word key is a custom field. "# run" begins a
// run. Other lines that begin with # are comments.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& ThesisTextImporter();

}  // namespace oscope
