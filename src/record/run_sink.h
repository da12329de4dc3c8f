#pragma once

#include "carom/record/output_file.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// An output of a run: it watches the run and writes files of its own. Its class also has
/// - `format`, the word for it in record.formats of a scene; outputs may share one
/// - `file`, the name of its first file
/// - `has_impacts`: every impact of the run is in it
/// - where it does not go with every run, `applies(title, model)`
/// - where it is told forces or events, `told_forces` = true
/// - where it has a second file or a folder, `other`: its name
/// - where a scene asks for it by a key of its own, not by a word of record.formats, `has_own_key` = true
/// - where builds may lack it, `missing()`: what this build lacks, empty if nothing
/// and is made from a RunTitle, a Model and the folder of the results. Throws InputError when it cannot be written.
/// A new output is such a class and one line of the list in run_sinks.cpp.
class RunSink : public Observer {
 public:
  virtual void ended(const Model& /*model*/, const RunSummary& /*summary*/) {}  // what the run came to
  virtual void close() = 0;                                                     // after that
  virtual OutputFile* table() { return nullptr; }                               // whose rows can be added to
};

}  // namespace carom::record
