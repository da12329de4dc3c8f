#include "carom/server/page_policy.h"

#include "carom/server/sha256.h"

namespace carom::server {

std::string page_policy(std::string_view page) {
  std::string scripts;
  constexpr std::string_view opening = "<script", closing = "</script";
  for (std::size_t at = page.find(opening); at != page.npos; at = page.find(opening, at)) {
    const std::size_t begin = page.find('>', at), end = page.find(closing, at);
    if (begin == page.npos || end == page.npos || end < begin) break;
    scripts += " 'sha256-" + base64(sha256(page.substr(begin + 1, end - begin - 1))) + "'";
    at = end + closing.size();
  }
  if (scripts.empty()) scripts = " 'none'";
  return "default-src 'none'; script-src" + scripts +
         "; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; media-src blob:; "
         "worker-src blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace carom::server
