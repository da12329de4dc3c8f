#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "carom/record/output_file.h"
#include "carom/record/run_sink.h"

namespace carom::record {

/// Whether a body is in the trajectory: free bodies, and those that move as told.
bool moves(const Body& body);

/// trajectory.csv: one row per recorded time; time, then for each free body its position and velocity, then the
/// energies, with what is stored in contacts where the scheme is compliant.
class TrajectoryCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "trajectory.csv";
  static constexpr bool has_impacts = false;

  TrajectoryCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void close() override { file_.close(); }
  OutputFile* table() override { return &file_; }

 private:
  OutputFile file_;
  std::string row_;
};

/// impacts.csv: one row per impact; time, bodies, law, status, impulses, energies, certificate.
class ImpactsCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "impacts.csv";
  static constexpr bool has_impacts = true;

  ImpactsCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void impact(const Model& model, const ImpactEvent& event) override;
  void close() override { file_.close(); }
  OutputFile* table() override { return &file_; }

 private:
  OutputFile file_;
  std::string row_;
};

}  // namespace carom::record
