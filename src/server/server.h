#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace carom::server {

/// What a server of the laboratory offers, and what it may cost.
struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;          // 0: one that is free
  std::string folder;    // of scenes; nothing outside is read, nothing is written
  int most_runs = 2;     // at a time
  int most_waiting = 8;  // further questions that wait for one to end
  int most_connections = 128;
  std::chrono::milliseconds patience{10'000};     // of those that wait
  std::chrono::milliseconds run_time{60'000};     // of a run; it ends with what there is
  std::chrono::milliseconds to_ask{10'000};       // for a whole request
  std::size_t most_bytes = std::size_t{1} << 21;  // of a request's body
};

/// What has happened so far.
struct ServerCounts {
  long requests = 0, refused = 0;            // refused: by the server, not by what was asked
  long begun = 0, ended = 0, cancelled = 0;  // runs; cancelled: the client had gone, or the server stopped
};

/// Whether this build has a server; else what it lacks.
std::string_view missing_for_server();

/// The laboratory for browsers: its page, the scenes of a folder and app::answer over HTTP (docs/laboratory.md).
class Server {
 public:
  /// Listens. Throws InputError if it cannot, and if this build has no server.
  explicit Server(const ServerOptions& options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8737/"

  void serve();  // answers until stop()
  void stop();   // from another thread: runs are cancelled

  ServerCounts counts() const;

 private:
  class Laboratory;
  std::unique_ptr<Laboratory> laboratory_;
};

}  // namespace carom::server
