#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "simulate/run.h"

namespace carom::record {

/// A text file of a run. Throws InputError when it cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  void write(std::string_view text);
  void close();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::ofstream stream_;
};

/// trajectory.csv: a row a recorded time; time, then for each free body its position and velocity, then the energies.
class TrajectoryCsv : public Observer {
 public:
  TrajectoryCsv(const Model& model, const std::filesystem::path& folder);
  void state(const Model& model, const State& state, const Books& books) override;
  void close() { file_.close(); }

 private:
  OutputFile file_;
  std::string row_;
};

/// impacts.csv: a row an impact; time, bodies, law, status, impulses, energies, certificate.
class ImpactsCsv : public Observer {
 public:
  explicit ImpactsCsv(const std::filesystem::path& folder);
  void impact(const Model& model, const ImpactEvent& event) override;
  void close() { file_.close(); }

 private:
  OutputFile file_;
  std::string row_;
};

/// Several observers as one.
class Observers : public Observer {
 public:
  void add(Observer& observer) { all_.push_back(&observer); }
  void state(const Model& model, const State& state, const Books& books) override {
    for (Observer* one : all_) one->state(model, state, books);
  }
  void impact(const Model& model, const ImpactEvent& event) override {
    for (Observer* one : all_) one->impact(model, event);
  }
  void progress(double t, long impacts) override {
    for (Observer* one : all_) one->progress(t, impacts);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace carom::record
