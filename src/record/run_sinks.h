#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_summary.h"

namespace carom::record {

/// An output of a run: it watches the run and writes files of its own. Its class also has
/// - `format`, the word for it in record.formats of a scene; outputs may share one
/// - `file`, the name of its first file
/// - `has_impacts`: every impact of the run is in it
/// - where builds may lack it, `missing()`: what this build lacks, empty if nothing
/// and is made from a RunTitle, a Model and the folder of the results. Throws InputError when it cannot be written.
/// A new output is such a class and one line of the list in run_sinks.cpp.
class RunSink : public Observer {
 public:
  virtual void close() = 0;  // after the run
};

/// The words of record.formats, each once.
std::vector<std::string_view> run_formats();

/// Throws InputError if this build lacks one of the formats.
void require_formats(const std::vector<std::string>& formats);

/// All outputs of one run. Impacts are always written: where no format asked for has them, as impacts.csv.
class RunSinks : public Observer {
 public:
  RunSinks(const std::vector<std::string>& formats, const RunTitle& title, const Model& model,
           const std::filesystem::path& folder);

  const std::vector<std::string>& files() const { return files_; }

  void state(const Model& model, const State& state, const Books& books) override;
  void impact(const Model& model, const ImpactEvent& event) override;
  void close();

 private:
  std::vector<std::unique_ptr<RunSink>> sinks_;
  std::vector<std::string> files_;
};

}  // namespace carom::record
