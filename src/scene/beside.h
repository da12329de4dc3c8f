#pragma once

#include <string>

#include "carom/scene/field.h"

namespace carom::scene {

struct FileBeside {
  std::string path, text;
};

/// The file whose name stands in `file`, relative to the folder of the document, or where only files below another
/// folder are allowed, to that one. Throws ReadError, also for what the document may not name.
FileBeside read_beside(const Field& file);

}  // namespace carom::scene
