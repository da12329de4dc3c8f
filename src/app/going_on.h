#pragma once

#include <filesystem>

#include "carom/app/scene_run.h"

namespace carom::app {

/// Where a scene that starts from a run (`start`) is the scene of that run, it goes on with it: from the last
/// checkpoint before that time, to the same digits. Else it stays as it is: it starts anew from the recorded state.
ReadyScene in_one_piece(ReadyScene ready);

/// The scene at the end of the run of it whose results are in the folder, which goes on there until the scene's
/// duration: to the same digits, where nothing was changed that moves. A run that was killed goes on from its last
/// checkpoint. Throws InputError if there is no such run, or if it has arrived.
ReadyScene resumed(ReadyScene ready, const std::filesystem::path& folder);

}  // namespace carom::app
