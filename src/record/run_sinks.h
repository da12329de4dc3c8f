#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/run_sink.h"

namespace carom::record {

/// The words of record.formats, each once.
std::vector<std::string_view> run_formats();

/// The names of all files and folders that outputs of a run may have.
std::vector<std::string> run_file_names();

/// Throws InputError if this build lacks one of the formats.
void require_formats(const std::vector<std::string>& formats);

/// All outputs of one run. Impacts are always written: where no format asked for has them, as impacts.csv.
class RunSinks : public Observer {
 public:
  RunSinks(const std::vector<std::string>& formats, const RunTitle& title, const Model& model,
           const std::filesystem::path& folder);

  const std::vector<std::string>& files() const { return files_; }

  bool wants_forces() const override { return wants_forces_; }
  bool wants_problems() const override { return false; }
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void impact(const Model& model, const ImpactEvent& event) override;
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override;
  void event(const Model& model, const RunEvent& event) override;
  void closure(const Model& model, const ContactClosure& closure) override;
  void ended(const Model& model, const RunSummary& summary);
  void close();

  /// How long tables are now [bytes], by name. Flushed, so much of them is in their files.
  using Sizes = std::map<std::string, std::uint64_t>;
  Sizes sizes() const;
  void flush();

 private:
  std::vector<std::unique_ptr<RunSink>> sinks_;
  std::vector<std::string> files_;
  bool wants_forces_ = false;
};

}  // namespace carom::record
