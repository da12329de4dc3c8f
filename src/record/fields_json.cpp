#include "carom/record/fields_json.h"

namespace carom::record {

std::string_view unit_in(std::string_view meaning) {
  for (std::size_t begin = meaning.find('['); begin != meaning.npos; begin = meaning.find('[', begin + 1)) {
    const std::size_t end = meaning.find(']', begin);
    if (end == meaning.npos) break;
    const std::string_view inside = meaning.substr(begin + 1, end - begin - 1);
    const bool is_list = inside.find(',') != inside.npos;  // an interval, or the parts of a vector
    if (!is_list && inside != "-") return inside;
  }
  return {};
}

}  // namespace carom::record
