#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace carom::server {

/// What a client may cost before it is answered.
struct ConnectionLimits {
  std::chrono::milliseconds to_ask{10'000};   // for the whole request, however it is cut into pieces
  std::chrono::milliseconds to_take{10'000};  // for the next piece of an answer
  std::size_t header_bytes = std::size_t{1} << 16;
  std::size_t body_bytes = std::size_t{1} << 21;
};

/// A connection that a request comes in through and an answer goes out: bytes and time are limited as a whole, so that
/// neither many small pieces nor one without end keep it. Closes the socket.
class Connection : public httplib::Stream {
 public:
  /// `stopping` ends all waiting once it is true.
  Connection(socket_t socket, const ConnectionLimits& limits, const std::atomic<bool>& stopping);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override;

  /// The headers are there: what else comes is the body.
  void begin_body();

  bool is_readable() const override;
  bool is_writable() const override;  // the client is still there
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool wait_for(short events, Clock::time_point until) const;
  void discard_the_rest() const;

  socket_t socket_;
  ConnectionLimits limits_;
  const std::atomic<bool>& stopping_;
  Clock::time_point asked_by_;
  std::size_t may_come_;  // bytes
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0, end_ = 0;  // what is in it
};

}  // namespace carom::server
