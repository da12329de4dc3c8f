#include "carom/server/server.h"

#include "carom/base/error.h"

#ifdef CAROM_WITH_SERVER
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>

#include "carom/app/laboratory.h"
#include "carom/record/json.h"
#include "carom/record/lab_page.h"
#include "carom/server/connection.h"
#include "carom/server/connection_threads.h"
#include "carom/server/guard.h"
#include "carom/server/page_policy.h"
#include "carom/server/run_slots.h"
#include "carom/server/scene_folder.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace carom::server {
namespace {

using httplib::Request;
using httplib::Response;
using record::Json;
using Clock = std::chrono::steady_clock;

constexpr int kBacklog = 128;  // connections that wait to be accepted
constexpr std::chrono::milliseconds kBetweenProgress{100};
constexpr std::string_view kApi = "/api/", kScenes = "/api/scenes";
constexpr const char* kJson = "application/json";
constexpr const char* kRetryAfter = "2";  // [s]

constexpr std::string_view kNoPage =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Carom</title><p>This tool was built without the "
    "laboratory's page (node and npm). Its questions are answered under /api/.";

/// An address of its own, so that two servers never share a port unnoticed.
void socket_options(socket_t socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

void refuse(Response& response, int status, std::string_view why) {
  response.status = status;
  response.set_content(app::refusal(why), kJson);
}

Json progress_json(const app::Progress& now) {
  return {{"progress", {{"t", now.t}, {"duration", now.duration}, {"impacts", now.impacts}, {"law", now.law}}}};
}

/// What runs take goes back to the system, for a server stands idle for hours: what threads have at the end of their
/// heaps when it is freed, what lies between when a run is over.
void keep_little_memory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}
void give_memory_back() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

/// httplib with connections of our own.
class Server::Laboratory : public httplib::Server {
 public:
  explicit Laboratory(const ServerOptions& options)
      : options_(options),
        scenes_(options.folder),
        slots_(options.most_runs, options.most_waiting),
        page_(record::lab_page().empty() ? kNoPage : record::lab_page()),
        policy_(page_policy(page_)) {
    new_task_queue = [this] { return new ConnectionThreads(options_.most_connections); };
    set_socket_options(socket_options);
    set_pre_routing_handler([this](const Request& request, Response& response) {
      ++requests;
      return answered(request, response) ? HandlerResponse::Handled : HandlerResponse::Unhandled;
    });
    Post("/api/[a-z]+", [this](const Request& request, Response& response, const httplib::ContentReader& reader) {
      ask(request, response, reader);
    });
    set_default_headers({{"X-Content-Type-Options", "nosniff"},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Cache-Control", "no-store"}});
    set_exception_handler([](const Request&, Response& response, std::exception_ptr) {
      refuse(response, 500, "the server could not answer");
    });
    listen_at_address();
    keep_little_memory();
  }

  void end() {
    stopping = true;
    slots_.close();
    const socket_t listening = svr_sock_.exchange(INVALID_SOCKET);
    if (listening == INVALID_SOCKET) return;
    ::shutdown(listening, SHUT_RDWR);
    ::close(listening);
  }

  Guard guard;
  std::atomic<long> requests = 0, refused = 0, begun = 0, ended = 0, cancelled = 0;
  std::atomic<bool> stopping = false;

 private:
  void listen_at_address() {
    guard = {options_.host, options_.port};
    errno = 0;
    if (options_.port == 0)
      guard.port = bind_to_any_port(options_.host);
    else if (!bind_to_port(options_.host, options_.port))
      guard.port = -1;
    if (guard.port <= 0)
      throw InputError(with_port(options_.host, options_.port),
                       fmt::format("cannot be listened at{}{}; choose another port, or 0 for one that is free",
                                   errno == 0 ? "" : ": ", errno == 0 ? "" : std::strerror(errno)));
    ::listen(svr_sock_, kBacklog);
  }

  bool process_and_close_socket(socket_t socket) override {
    ConnectionLimits limits;
    limits.to_ask = options_.to_ask;
    limits.body_bytes = options_.most_bytes;
    Connection connection(socket, limits, stopping);
    bool closed = false;
    const long runs = ended;
    const bool whole = process_request(connection, true, closed, [&](Request& request) {
      request.ranges.clear();  // everything is sent whole
      connection.begin_body();
    });
    if (ended != runs) give_memory_back();
    return whole;
  }

  /// What needs no body: refusals, the page, scenes. False: it is a question.
  bool answered(const Request& request, Response& response) {
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !guard.knows_host(host))
      return refused_with(response, 403, "this server is asked by its own address only");
    if (request.has_header("Origin") && (request.get_header_value_count("Origin") != 1 ||
                                         !Guard::is_own_origin(request.get_header_value("Origin"), host)))
      return refused_with(response, 403, "this server answers its own page only");
    const std::string& path = request.path;
    const bool is_page = path == "/", is_list = path == kScenes, is_scene = path.starts_with("/api/scenes/");
    if (is_page || is_list || is_scene) {
      if (request.method != "GET" && request.method != "HEAD") return refused_method(response, "GET, HEAD");
      return is_page   ? page(response)
             : is_list ? scene_list(response)
                       : scene(path.substr(kScenes.size() + 1), response);
    }
    if (!path.starts_with(kApi) || !app::is_lab_verb(std::string_view(path).substr(kApi.size())))
      return refused_with(response, 404, "there is nothing of this name");
    if (request.method != "POST") return refused_method(response, "POST");
    if (!is_json(request.get_header_value("Content-Type")))
      return refused_with(response, 415, "questions are application/json");
    if (request.has_header("Content-Encoding")) return refused_with(response, 415, "questions are not compressed");
    if (request.get_header_value<std::uint64_t>("Content-Length") > options_.most_bytes) return too_large(response);
    return false;
  }

  bool refused_with(Response& response, int status, std::string_view why) {
    ++refused;
    refuse(response, status, why);
    return true;
  }

  bool refused_method(Response& response, const char* allowed) {
    response.set_header("Allow", allowed);
    return refused_with(response, 405, fmt::format("is asked by {}", allowed));
  }

  bool too_large(Response& response) {
    return refused_with(response, 413, fmt::format("a question has at most {} bytes", options_.most_bytes));
  }

  bool page(Response& response) const {
    response.set_header("Content-Security-Policy", policy_);
    response.set_header("Cross-Origin-Opener-Policy", "same-origin");
    response.set_content(page_.data(), page_.size(), "text/html; charset=utf-8");
    return true;
  }

  bool scene_list(Response& response) const {
    Json list = Json::array();
    for (const SceneFolder::Entry& one : scenes_.list())
      list.push_back({{"name", one.name}, {"title", one.title}, {"about", one.about}});
    Json result = Json::object();
    result["scenes"] = std::move(list);
    response.set_content(result.dump(), kJson);
    return true;
  }

  bool scene(const std::string& name, Response& response) {
    const std::optional<std::string> text = scenes_.text(name);
    if (!text) return refused_with(response, 404, "there is no such scene");
    response.set_content(*text, "text/plain; charset=utf-8");
    return true;
  }

  void ask(const Request& request, Response& response, const httplib::ContentReader& reader) {
    const std::string verb = request.path.substr(kApi.size());
    auto body = std::make_shared<std::string>();
    bool fits = true;
    const bool whole = reader([&](const char* data, std::size_t size) {
      fits = body->size() + size <= options_.most_bytes;
      if (fits) body->append(data, size);
      return fits;
    });
    if (!fits) return static_cast<void>(too_large(response));
    if (!whole) return static_cast<void>(refused_with(response, 400, "the question did not come to its end"));
    if (!app::takes_long(verb)) return response.set_content(app::answer(verb, *body, {}, lab_options()), kJson);
    auto slot = std::make_shared<RunSlots::Slot>(slots_.take(options_.patience));
    if (!*slot) {
      response.set_header("Retry-After", kRetryAfter);
      return static_cast<void>(refused_with(response, 503, "too many runs at once; try again in a moment"));
    }
    if (!app::tells_progress(verb)) return response.set_content(app::answer(verb, *body, {}, lab_options()), kJson);
    response.set_chunked_content_provider("application/x-ndjson",
                                          [this, verb, body, slot](std::size_t, httplib::DataSink& sink) {
                                            tell(verb, *body, sink);
                                            sink.done();
                                            return true;
                                          });
  }

  /// Works on a question while it tells how far it is, until the client goes or time is up.
  void tell(const std::string& verb, const std::string& body, httplib::DataSink& sink) {
    std::atomic<bool> give_up = false;
    Clock::time_point told = Clock::now();
    app::Control control{.cancelled = &give_up, .deadline = told + options_.run_time};
    control.progress = [&](const app::Progress& now) {
      const Clock::time_point moment = Clock::now();
      if (stopping) give_up = true;
      if (give_up || moment - told < kBetweenProgress) return;
      told = moment;
      const std::string line = progress_json(now).dump() + "\n";
      if (!sink.is_writable() || !sink.write(line.data(), line.size())) give_up = true;
    };
    ++begun;
    const std::string line = "{\"result\":" + app::answer(verb, body, control, lab_options()) + "}\n";
    ++ended;
    if (give_up)
      ++cancelled;
    else
      sink.write(line.data(), line.size());
  }

  app::LabOptions lab_options() const {
    app::LabOptions lab;
    lab.folder = scenes_.path().string();
    lab.most_bytes = options_.most_bytes;
    return lab;
  }

  ServerOptions options_;
  SceneFolder scenes_;
  RunSlots slots_;
  std::string_view page_;
  std::string policy_;
};

std::string_view missing_for_server() {
  return "";
}

Server::Server(const ServerOptions& options) : laboratory_(std::make_unique<Laboratory>(options)) {}
Server::~Server() {
  stop();
}

int Server::port() const {
  return laboratory_->guard.port;
}

std::string Server::address() const {
  return "http://" + with_port(laboratory_->guard.host, port()) + "/";
}

void Server::serve() {
  laboratory_->listen_after_bind();
}

void Server::stop() {
  laboratory_->end();
}

ServerCounts Server::counts() const {
  const Laboratory& from = *laboratory_;
  return {from.requests, from.refused, from.begun, from.ended, from.cancelled};
}

}  // namespace carom::server

#else

namespace carom::server {

class Server::Laboratory {};

std::string_view missing_for_server() {
  return "cpp-httplib (Debian: libcpp-httplib-dev); install it and build again";
}

Server::Server(const ServerOptions&) {
  throw InputError("carom serve", "this tool was built without " + std::string(missing_for_server()));
}
Server::~Server() = default;

int Server::port() const {
  return 0;
}

std::string Server::address() const {
  return "";
}

void Server::serve() {}

void Server::stop() {}

ServerCounts Server::counts() const {
  return {};
}

}  // namespace carom::server
#endif
