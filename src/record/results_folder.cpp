#include "carom/record/results_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "carom/base/error.h"
#include "carom/record/output_file.h"

namespace carom::record {
namespace {

constexpr const char* kLast = "summary.json";  // tells that the rest is there

void move_into(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  if (error) throw OutputError(to.string(), "cannot be written: " + error.message());
}

}  // namespace

ResultsFolder::ResultsFolder(std::filesystem::path folder)
    : folder_(std::move(folder)), unfinished_(folder_ / "unfinished") {
  std::error_code error;
  made_ = !std::filesystem::exists(folder_, error);
  make_folder(folder_);
  lock_.emplace(folder_);
  std::filesystem::remove_all(unfinished_, error);  // of a run that was killed
  make_folder(unfinished_);
}

/// The system gives the lock back when the process ends, however it ends.
FolderLock::FolderLock(const std::filesystem::path& folder) {
  file_ = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw OutputError(folder.string(), std::string("cannot be written: ") + std::strerror(errno));
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  const bool taken = errno == EWOULDBLOCK;
  if (!taken) return;  // a file system without locks
  close(file_);
  throw OutputError(folder.string(), "another run is writing its results there; wait for it or take another --out");
}

FolderLock::~FolderLock() {
  close(file_);
}

ResultsFolder::~ResultsFolder() {
  std::error_code error;
  std::filesystem::remove_all(unfinished_, error);
  if (made_) std::filesystem::remove(folder_, error);  // only if it is empty
}

void ResultsFolder::finish(const std::vector<std::string>& older) {
  std::error_code error;
  std::filesystem::remove(folder_ / kLast, error);
  for (const std::string& name : older) std::filesystem::remove_all(folder_ / name, error);
  std::vector<std::filesystem::path> written;
  for (const auto& entry : std::filesystem::directory_iterator(unfinished_)) written.push_back(entry.path().filename());
  std::sort(written.begin(), written.end());
  for (const std::filesystem::path& name : written)
    if (name != kLast) move_into(unfinished_ / name, folder_ / name);
  if (std::filesystem::exists(unfinished_ / kLast, error)) move_into(unfinished_ / kLast, folder_ / kLast);
}

}  // namespace carom::record
