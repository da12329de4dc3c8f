#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "carom/record/output_file.h"
#include "carom/record/run_sink.h"

namespace carom::record {

/// contacts.csv: one row per closed contact and recorded time: bodies, shapes, point, normal, forces on the second
/// body, slip, mode.
class ContactsCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "contacts.csv";
  static constexpr bool has_impacts = false;
  static bool applies(const RunTitle& title) { return std::holds_alternative<ForcedMotion>(title.scheme); }

  ContactsCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void close() override { file_.close(); }

 private:
  OutputFile file_;
  std::string rows_;
};

/// closures.csv: one row per contact from its touch to its opening: times, peak force, depth, impulse, speeds.
class ClosuresCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "closures.csv";
  static constexpr bool has_impacts = false;
  static bool applies(const RunTitle& title) { return std::holds_alternative<ForcedMotion>(title.scheme); }

  ClosuresCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void closure(const Model& model, const ContactClosure& closure) override;
  void close() override { file_.close(); }

 private:
  OutputFile file_;
  std::string row_;
};

}  // namespace carom::record
