#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "carom/simulate/checkpoint.h"

namespace carom::record {

inline constexpr std::string_view checkpoints_file = "restart.bin";

/// "carom-checkpoints/1", then each checkpoint: its length and its sum in eight bytes each, and its bytes. The file is
/// there as a whole or not at all. Throws OutputError.
void write_checkpoints(const std::filesystem::path& path, const std::vector<simulate::Checkpoint>& checkpoints);

}  // namespace carom::record
