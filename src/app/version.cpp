#include "carom/app/version.h"

#include "carom/record/hdf5_run.h"
#include "carom/record/report_page.h"
#include "carom/robots/xml.h"

// src/CMakeLists.txt knows CAROM_VERSION and, as text, what it was built from and with.

namespace carom::app {

std::string version() {
  const auto part = [](bool there, const char* name) { return std::string(there ? ", with " : ", without ") + name; };
  return std::string(CAROM_VERSION " (" CAROM_BUILD) + part(record::has_hdf5(), "HDF5") +
         part(robots::reads_xml(), "robots") + part(record::has_report(), "reports") + ")";
}

}  // namespace carom::app
