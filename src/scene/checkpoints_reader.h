#pragma once

#include <string>
#include <vector>

#include "carom/simulate/checkpoint.h"

namespace carom::scene {

/// What record/checkpoints_file.h has written into the folder; none if there is no such file. Throws ReadError where
/// bytes are missing or were changed.
std::vector<simulate::Checkpoint> read_checkpoints(const std::string& folder);

}  // namespace carom::scene
