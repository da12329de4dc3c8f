#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::server {

/// Who may ask a server that listens at an address: its own page, and programs that are no pages. A page of another
/// site could reach the server through the browser of its user, directly or by a name of its own that leads to this
/// machine; the two headers that a browser writes itself give it away.
struct Guard {
  std::string host;  // that the server listens at
  int port = 0;

  /// The Host header names this server: an address of loopback or `host`, with its port. A server at all addresses
  /// takes any address written in numbers, as only names can lead elsewhere.
  bool knows_host(std::string_view header) const;

  /// The Origin header, of a request with that Host, is the server's own page.
  static bool is_own_origin(std::string_view origin, std::string_view host_header);
};

/// "127.0.0.1:8737", or "[::1]:8737".
std::string with_port(std::string_view host, int port);

/// Whether the media type of a Content-Type header is application/json.
bool is_json(std::string_view content_type);

}  // namespace carom::server
