#include "carom/app/version.h"

#include "carom/record/hdf5_run.h"

// src/CMakeLists.txt knows CAROM_VERSION and, as text, what it was built from and with.

namespace carom::app {

std::string version() {
  return std::string(CAROM_VERSION " (" CAROM_BUILD ", ") + (record::has_hdf5() ? "with" : "without") + " HDF5)";
}

}  // namespace carom::app
