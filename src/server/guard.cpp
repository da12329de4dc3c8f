#include "carom/server/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace carom::server {
namespace {

constexpr int kUsualPort = 80;  // of http, which browsers leave out

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
  return result;
}

/// An address in numbers: 192.168.0.2 or [fe80::1].
bool is_literal(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    const std::string_view inside = host.substr(1, host.size() - 2);
    return std::all_of(inside.begin(), inside.end(), [](char c) {
      return is_digit(c) || c == ':' || c == '.' || (lower(c) >= 'a' && lower(c) <= 'f');
    });
  }
  return std::count(host.begin(), host.end(), '.') == 3 &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_digit(c) || c == '.'; });
}

}  // namespace

std::string with_port(std::string_view host, int port) {
  const bool is_v6 = host.find(':') != std::string_view::npos && !host.starts_with('[');
  return is_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

bool Guard::knows_host(std::string_view header) const {
  std::string given = lower(header);
  if (port == kUsualPort && !given.ends_with(":80")) given += ":80";
  for (const std::string_view own :
       {std::string_view("127.0.0.1"), std::string_view("localhost"), std::string_view("::1"), std::string_view(host)})
    if (given == lower(with_port(own, port))) return true;
  if (host != "0.0.0.0" && host != "::") return false;
  const std::string end = fmt::format(":{}", port);
  return given.ends_with(end) && is_literal(std::string_view(given).substr(0, given.size() - end.size()));
}

bool Guard::is_own_origin(std::string_view origin, std::string_view host_header) {
  return lower(origin) == "http://" + lower(host_header);
}

bool is_json(std::string_view content_type) {
  std::string type = lower(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.pop_back();
  return type == "application/json";
}

}  // namespace carom::server
