#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace carom::record {

/// One run at a time works in a folder. Throws OutputError if another does.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

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
  std::filesystem::path folder_, unfinished_;
  std::optional<FolderLock> lock_;
  bool made_ = false;  // the folder was not there before
};

}  // namespace carom::record
