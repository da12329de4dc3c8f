#ifdef CAROM_WITH_SERVER
#include "carom/server/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace carom::server {
namespace {

constexpr std::chrono::milliseconds kGlance{100};            // how often waiting looks whether the server is stopping
constexpr std::chrono::milliseconds kToHangUp{2000};         // for a client to notice that it was refused
constexpr std::size_t kChunkedSlack = std::size_t{1} << 16;  // bytes: what chunks of a body add to it

}  // namespace

Connection::Connection(socket_t socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping)
    : socket_(socket),
      limits_(limits),
      stopping_(stopping),
      asked_by_(Clock::now() + limits.to_ask),
      may_come_(limits.header_bytes) {}

Connection::~Connection() {
  ::shutdown(socket_, SHUT_WR);
  discard_the_rest();
  ::close(socket_);
}

void Connection::begin_body() {
  may_come_ = limits_.body_bytes + kChunkedSlack;
}

bool Connection::wait_for(short events, Clock::time_point until) const {
  while (!stopping_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd one{socket_, events, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::min(left, kGlance).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool Connection::is_readable() const {
  return begin_ < end_ || wait_for(POLLIN, asked_by_);
}

/// A client that has gone has closed its end, which reads as an end of input.
bool Connection::is_writable() const {
  char next = 0;
  const ssize_t got = ::recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  const bool gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  return !gone && !stopping_;
}

ssize_t Connection::read(char* to, std::size_t size) {
  if (begin_ == end_) {
    if (may_come_ == 0 || !wait_for(POLLIN, asked_by_)) return -1;
    const ssize_t got = ::recv(socket_, buffer_.data(), std::min(buffer_.size(), may_come_), MSG_DONTWAIT);
    if (got <= 0) return got;
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
    may_come_ -= end_;
  }
  const std::size_t count = std::min(size, end_ - begin_);
  std::memcpy(to, buffer_.data() + begin_, count);
  begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, std::size_t size) {
  for (std::size_t sent = 0; sent < size;) {
    if (!wait_for(POLLOUT, Clock::now() + limits_.to_take)) return -1;
    const ssize_t more = ::send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (more < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
    if (more > 0) sent += static_cast<std::size_t>(more);
  }
  return static_cast<ssize_t>(size);
}

/// A socket that is closed with bytes unread takes its answer back: a client that is refused while it sends would not
/// see why. What it sends is read and forgotten, for a short while.
void Connection::discard_the_rest() const {
  std::array<char, 65536> nothing;
  const Clock::time_point until = Clock::now() + kToHangUp;
  while (wait_for(POLLIN, until) && ::recv(socket_, nothing.data(), nothing.size(), MSG_DONTWAIT) > 0) {
  }
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace carom::server
#endif
