#include "carom/scene/checkpoints_reader.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "carom/base/checksum.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::string_view kCheckpointsFile = "restart.bin", kCheckpointsFormat = "carom-checkpoints/1\n";

template <class Number>
Number number_from(std::string_view& text) {
  Number number{};
  std::memcpy(&number, text.data(), sizeof number);
  text.remove_prefix(sizeof number);
  return number;
}

}  // namespace

std::vector<simulate::Checkpoint> read_checkpoints(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / std::string(kCheckpointsFile);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream stream(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(stream), {});
  const auto broken = [&](const char* how) {
    return ReadError(printable(path.string()), std::string(how) + "; without the file the run goes on from its end");
  };
  std::string_view text = whole;
  if (!text.starts_with(kCheckpointsFormat)) throw broken("is no file of checkpoints of this version");
  text.remove_prefix(kCheckpointsFormat.size());
  std::vector<simulate::Checkpoint> checkpoints;
  while (!text.empty()) {
    if (text.size() < 16) throw broken("is cut off");
    const auto size = number_from<std::uint64_t>(text), sum = number_from<std::uint64_t>(text);
    if (size > text.size()) throw broken("is cut off");
    const std::string_view inner = text.substr(0, static_cast<std::size_t>(size));
    if (checksum(inner) != sum) throw broken("was changed");
    simulate::Archive archive{std::string(inner)};
    archive& checkpoints.emplace_back();
    text.remove_prefix(inner.size());
  }
  return checkpoints;
}

}  // namespace carom::scene
