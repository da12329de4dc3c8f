#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "carom/record/output_file.h"
#include "carom/record/run_sink.h"

namespace carom::record {

/// The name of a shape within its body; shapes without a name are counted from 1.
std::string shape_text(const Model& model, int body, int part);

/// contacts.csv: one row per closed contact and recorded time: bodies, shapes, point, normal, forces on the second
/// body, slip, mode.
class ContactsCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "contacts.csv";
  static constexpr bool has_impacts = false;
  static constexpr bool told_forces = true;

  ContactsCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void close() override { file_.close(); }
  OutputFile* table() override { return &file_; }

 private:
  OutputFile file_;
  std::string rows_;
};

/// joints.csv: one row per joint and recorded time: force and torque on the second body where they are joined.
class JointsCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "joints.csv";
  static constexpr bool has_impacts = false;
  static constexpr bool told_forces = true;
  static bool applies(const RunTitle&, const Model& model) { return !model.description().joints.empty(); }

  JointsCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override;
  void close() override { file_.close(); }
  OutputFile* table() override { return &file_; }

 private:
  OutputFile file_;
  std::string rows_;
};

/// events.csv: one row per opening, closing, start and end of slip, accumulation, approximate step and stop.
class EventsCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "events.csv";
  static constexpr bool has_impacts = false;
  static constexpr bool told_forces = true;

  EventsCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void event(const Model& model, const RunEvent& event) override;
  void close() override { file_.close(); }
  OutputFile* table() override { return &file_; }

 private:
  OutputFile file_;
};

/// closures.csv: one row per contact from its touch to its opening: times, peak force, depth, impulse, speeds.
class ClosuresCsv : public RunSink {
 public:
  static constexpr std::string_view format = "csv", file = "closures.csv";
  static constexpr bool has_impacts = false;
  static bool applies(const RunTitle& title, const Model&) {
    return std::holds_alternative<ForcedMotion>(title.scheme);
  }

  ClosuresCsv(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  void closure(const Model& model, const ContactClosure& closure) override;
  void close() override { file_.close(); }
  OutputFile* table() override { return &file_; }

 private:
  OutputFile file_;
  std::string row_;
};

}  // namespace carom::record
