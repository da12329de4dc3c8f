#include "carom/record/checkpoints_file.h"

#include <cstring>

#include "carom/base/checksum.h"
#include "carom/record/output_file.h"

namespace carom::record {
namespace {

template <class Number>
void append(std::string& text, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  text.append(bytes, sizeof number);
}

}  // namespace

void write_checkpoints(const std::filesystem::path& path, const std::vector<simulate::Checkpoint>& checkpoints) {
  std::string text = "carom-checkpoints/1\n";
  for (simulate::Checkpoint one : checkpoints) {
    simulate::Archive archive;
    archive& one;
    append(text, static_cast<std::uint64_t>(archive.bytes().size()));
    append(text, checksum(archive.bytes()));
    text += archive.bytes();
  }
  write_file(path, text);
}

}  // namespace carom::record
