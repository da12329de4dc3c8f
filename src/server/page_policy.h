#pragma once

#include <string>
#include <string_view>

namespace carom::server {

/// The Content-Security-Policy of a page that has its scripts in it: those run and no others, styles are inline, and
/// nothing is fetched but from the page's own server.
std::string page_policy(std::string_view page);

}  // namespace carom::server
