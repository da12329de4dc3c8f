#pragma once

#include <string>

#include "carom/scene/field.h"

namespace carom::scene {

struct FileBeside {
  std::string path, text;
};

/// The file whose name stands in `file`, relative to the folder of the document.
FileBeside read_beside(const Field& file);

}  // namespace carom::scene
