#include "carom/record/fields_json.h"

namespace carom::record {

std::string_view unit_in(std::string_view meaning) {
  const std::size_t begin = meaning.find('['), end = meaning.find(']', begin == meaning.npos ? 0 : begin);
  if (begin == meaning.npos || end == meaning.npos) return {};
  const std::string_view inside = meaning.substr(begin + 1, end - begin - 1);
  const bool is_interval = inside.find(',') != inside.npos;
  return is_interval || inside == "-" ? std::string_view() : inside;
}

}  // namespace carom::record
