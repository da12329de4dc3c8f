#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>

namespace carom::testing {

/// A connection to a server on loopback that sends what it is told, byte by byte if need be.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(socket_); }

  bool send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// All that comes until the server closes, or until `enough` is in it.
  std::string receive(std::string_view enough = {}, int seconds = 20) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::string text;
    char piece[65536];
    while (std::chrono::steady_clock::now() < until) {
      pollfd one{socket_, POLLIN, 0};
      if (::poll(&one, 1, 100) <= 0) continue;
      const ssize_t got = ::recv(socket_, piece, sizeof piece, 0);
      if (got <= 0) break;
      text.append(piece, static_cast<std::size_t>(got));
      if (!enough.empty() && text.find(enough) != text.npos) break;
    }
    return text;
  }

  bool connected = false;

 private:
  int socket_;
};

struct Reply {
  int status = 0;  // 0: none came
  std::string headers, body;

  std::string header(const std::string& name) const {
    const std::size_t at = headers.find("\r\n" + name + ": ");
    if (at == headers.npos) return "";
    const std::size_t begin = at + name.size() + 4;
    return headers.substr(begin, headers.find("\r\n", begin) - begin);
  }
};

inline std::string without_chunks(const std::string& text) {
  std::string body;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line = text.find("\r\n", at);
    if (line == text.npos) break;
    const std::size_t size = std::stoul(text.substr(at, line - at), nullptr, 16);
    if (size == 0) break;
    body += text.substr(line + 2, size);
    at = line + 2 + size + 2;
  }
  return body;
}

inline Reply reply_of(const std::string& text) {
  Reply reply;
  const std::size_t end = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || end == text.npos) return reply;
  reply.status = std::stoi(text.substr(9, 3));
  reply.headers = text.substr(0, end + 2);
  reply.body = text.substr(end + 4);
  if (reply.header("Transfer-Encoding") == "chunked") reply.body = without_chunks(reply.body);
  return reply;
}

/// A request with its Host, unless one is given.
inline std::string request(int port, const std::string& method, const std::string& path,
                           const std::string& headers = "", const std::string& body = "") {
  std::string text = method + " " + path + " HTTP/1.1\r\n";
  if (headers.find("Host:") == headers.npos) text += "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  text += headers;
  if (!body.empty() || method == "POST") text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + body;
}

inline Reply ask(int port, const std::string& method, const std::string& path, const std::string& headers = "",
                 const std::string& body = "") {
  const RawClient client(port);
  client.send(request(port, method, path, headers, body));
  return reply_of(client.receive());
}

inline Reply post(int port, const std::string& verb, const std::string& body, const std::string& headers = "") {
  return ask(port, "POST", "/api/" + verb, "Content-Type: application/json\r\n" + headers, body);
}

}  // namespace carom::testing
