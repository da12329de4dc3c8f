#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom::record {

/// The folder of a run's results. Files are written into a folder `unfinished` in it and come to their place together
/// when the run has ended, summary.json last, after older results have gone: so a folder with a summary.json has the
/// results of one run, whole. A run that does not get there leaves older results as they were.
class ResultsFolder {
 public:
  /// Throws OutputError if the folder cannot be made or another run writes into it.
  explicit ResultsFolder(std::filesystem::path folder);
  ~ResultsFolder();  // what was not finished is removed
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& unfinished() const { return unfinished_; }

  /// Removes `older` where they are, then moves everything written into place.
  void finish(const std::vector<std::string>& older);

 private:
  void lock();

  std::filesystem::path folder_, unfinished_;
  int lock_ = -1;
  bool made_ = false;  // the folder was not there before
};

}  // namespace carom::record
