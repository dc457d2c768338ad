#include "src/view/server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "src/view/page.h"

namespace playproof {
namespace {

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Base = std::unique_ptr<event_base, Free<event_base_free>>;
using Http = std::unique_ptr<evhttp, Free<evhttp_free>>;
using Timer = std::unique_ptr<event, Free<event_free>>;
using Buffer = std::unique_ptr<evbuffer, Free<evbuffer_free>>;
using Stream = std::unique_ptr<bufferevent, Free<bufferevent_decref>>;

constexpr std::uint16_t kPortOfHTTP = 80;  // which clients leave out

struct Reply {
  int status = 0;
  const char* reason = "";
  const char* type = "text/plain";
  std::string body;
  bool page = false;  // the page, which is not copied
};

// 128 random bits: whoever is not told them does not find the page.
std::string make_secret() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorCode::kInternal, fmt::format("view: no random numbers: {}", strerror(errno)));
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// The connections that there are. libevent's time-outs are of single reads and writes, so whoever
// sends a byte now and then would stay for ever, and it takes as many as come. Here each has one
// request, and a time for it; where there are too many, the one that has waited longest for a
// request gives way.
class Connections {
 public:
  Connections() {
    constexpr rlim_t kOthers = 32;  // of the descriptors there are
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    if (files.rlim_cur < kMost + kOthers) most_ = std::max<std::size_t>(files.rlim_cur / 2, 1);
  }

  // Null if there is no memory; then libevent makes one.
  bufferevent* begin(event_base* base) {
    look();
    if (open_.size() >= most_) close_one();
    bufferevent* const stream = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
    if (stream == nullptr) return nullptr;
    bufferevent_incref(stream);
    open_.push_back({Stream(stream), Clock::now() + kForRequest});
    return stream;
  }
  // The request is there; now the answer goes out.
  void answer(const bufferevent* stream) {
    for (Connection& one : open_) {
      if (one.stream.get() != stream) continue;
      one.asked = true;
      one.end = Clock::now() + kForAnswer;
    }
  }
  // Forgets those that libevent has given up and closes those whose time is over.
  void look() {
    const auto is_gone = [](const Connection& one) {
      bufferevent_event_cb of_owner = nullptr;
      bufferevent_getcb(one.stream.get(), nullptr, nullptr, &of_owner, nullptr);
      return of_owner == nullptr;  // bufferevent_free() takes it away
    };
    open_.erase(std::remove_if(open_.begin(), open_.end(), is_gone), open_.end());
    for (const Connection& one : open_) {
      if (Clock::now() > one.end) close(one);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMost = 64;
  static constexpr auto kForRequest = std::chrono::seconds(10);
  static constexpr auto kForAnswer = std::chrono::minutes(2);  // through a slow tunnel, too

  struct Connection {
    Stream stream;
    Clock::time_point end;
    bool asked = false;
  };
  // libevent sees its end, and frees it.
  static void close(const Connection& one) {
    shutdown(bufferevent_getfd(one.stream.get()), SHUT_RDWR);
  }
  void close_one() {
    const auto idle =
        std::find_if(open_.begin(), open_.end(), [](const Connection& one) { return !one.asked; });
    const auto chosen = idle == open_.end() ? open_.begin() : idle;
    close(*chosen);
    open_.erase(chosen);
  }

  std::size_t most_ = kMost;
  std::vector<Connection> open_;  // in their order
};

class Server {
 public:
  Server(const Document& document, const std::function<bool()>& stopped)
      : document_(document), stopped_(stopped) {
    event_set_log_callback([](int, const char*) {});  // errors are told by who calls
    base_.reset(event_base_new());
    http_.reset(base_ ? evhttp_new(base_.get()) : nullptr);
    timer_.reset(base_ ? event_new(base_.get(), -1, EV_PERSIST, look_stopped, this) : nullptr);
    if (!http_ || !timer_) throw Error(ErrorCode::kInternal, "view: libevent: out of memory");
    constexpr int kSeconds = 10;
    constexpr ev_ssize_t kMostHeaders = 8192;
    // So that all but GET and HEAD are refused below; libevent has a bit for unknown ones, too.
    constexpr unsigned kEveryMethod = 0xffff;
    evhttp_set_timeout(http_.get(), kSeconds);
    evhttp_set_max_headers_size(http_.get(), kMostHeaders);
    evhttp_set_max_body_size(http_.get(), 0);
    evhttp_set_allowed_methods(http_.get(), kEveryMethod);
    evhttp_set_gencb(http_.get(), on_request, this);
    evhttp_set_bevcb(http_.get(), on_connection, this);
  }

  // The port; throws Error(kUnavailable).
  void bind(std::uint16_t port) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    four.sin_port = htons(port);
    const evutil_socket_t bound = listen(reinterpret_cast<const sockaddr*>(&four), sizeof four);
    if (bound < 0) {
      throw Error(
          ErrorCode::kUnavailable,
          fmt::format("view: port {} of 127.0.0.1 cannot be had: {}", port, std::strerror(errno)));
    }
    socklen_t size = sizeof four;
    getsockname(bound, reinterpret_cast<sockaddr*>(&four), &size);
    port_ = ntohs(four.sin_port);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_addr = in6addr_loopback;
    six.sin6_port = four.sin_port;
    listen(reinterpret_cast<const sockaddr*>(&six), sizeof six);  // a machine may lack it
    page_ = make_page(document_, kServedBytes, true).html;
  }
  std::string address() const { return fmt::format("http://127.0.0.1:{}{}", port_, folder_); }

  void run() {
    constexpr timeval kEvery = {0, 50'000};
    event_add(timer_.get(), &kEvery);
    event_base_dispatch(base_.get());
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  evutil_socket_t listen(const sockaddr* address, int size) {
    constexpr unsigned kOptions = LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC;
    evconnlistener* listener =
        evconnlistener_new_bind(base_.get(), nullptr, nullptr, kOptions, -1, address, size);
    if (listener == nullptr) return -1;
    evhttp_bind_listener(http_.get(), listener);  // which frees it
    evconnlistener_set_error_cb(listener, on_refused);
    listeners_.push_back(listener);
    return evconnlistener_get_fd(listener);
  }

  static void look_stopped(evutil_socket_t, short, void* self) {
    auto& server = *static_cast<Server*>(self);
    if (server.stopped_()) event_base_loopbreak(server.base_.get());
    server.connections_.look();
    for (evconnlistener* listener : server.listeners_) evconnlistener_enable(listener);
  }
  // No descriptor is left: who waits is let in when the timer rings, instead of being tried for at
  // once and for ever.
  static void on_refused(evconnlistener* listener, void*) { evconnlistener_disable(listener); }
  // Nothing may be thrown through libevent, which is C.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
      event_base_loopbreak(base_.get());
    }
  }
  static bufferevent* on_connection(event_base* base, void* self) {
    auto& server = *static_cast<Server*>(self);
    bufferevent* stream = nullptr;
    server.guarded([&] { stream = server.connections_.begin(base); });
    return stream;
  }
  static void on_request(evhttp_request* request, void* self) {
    auto& server = *static_cast<Server*>(self);
    server.guarded([&] {
      evhttp_connection* connection = evhttp_request_get_connection(request);
      server.connections_.answer(evhttp_connection_get_bufferevent(connection));
      server.send(request, server.reply_to(request));
    });
  }

  // Who asks by another name may be a page of elsewhere whose name was made to lead here.
  bool asked_by_name(evhttp_request* request) const {
    int hosts = 0;
    bool good = false;
    const evkeyvalq* headers = evhttp_request_get_input_headers(request);
    for (const evkeyval* header = headers->tqh_first; header != nullptr;
         header = header->next.tqe_next) {
      if (evutil_ascii_strcasecmp(header->key, "Host") != 0) continue;
      ++hosts;
      for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) {
        good = good || header->value == fmt::format("{}:{}", name, port_);
        good = good || (port_ == kPortOfHTTP && std::string_view(header->value) == name);
      }
    }
    return hosts == 1 && good;
  }
  // "node/12" and nothing else; no path of a file ever.
  static std::optional<std::uint64_t> number_of(std::string_view uri) {
    constexpr std::string_view kNode = "node/";
    if (!uri.starts_with(kNode)) return std::nullopt;
    uri.remove_prefix(kNode.size());
    std::uint64_t number = 0;
    const char* end = uri.data() + uri.size();
    const auto [stop, error] = std::from_chars(uri.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
  }
  // An unknown one is a number beyond those that the enumeration can have.
  static int method_of(const evhttp_request* request) {
    return static_cast<int>(evhttp_request_get_command(request));
  }
  Reply reply_to(evhttp_request* request) const {
    if (!asked_by_name(request)) {
      return {403, "Forbidden", "text/plain", "not by this name: localhost, 127.0.0.1 or [::1]\n"};
    }
    const int method = method_of(request);
    if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
      return {405, "Method Not Allowed", "text/plain", "GET and HEAD alone\n"};
    }
    std::string_view uri = evhttp_request_get_uri(request);
    if (!uri.starts_with(folder_)) {
      return {404, "Not Found", "text/plain",
              "the page is at the address that `view` has printed\n"};
    }
    uri.remove_prefix(folder_.size());
    if (uri.empty()) return {200, "OK", "text/html; charset=utf-8", "", true};
    if (const auto number = number_of(uri)) {
      if (auto node = document_.node(*number)) {
        return {200, "OK", "application/json", *std::move(node)};
      }
    }
    return {404, "Not Found", "text/plain", "there is no such node\n"};
  }
  void send(evhttp_request* request, const Reply& reply) const {
    evkeyvalq* headers = evhttp_request_get_output_headers(request);
    const std::pair<const char*, std::string> said[] = {
        {"Content-Type", reply.type},
        {"Content-Security-Policy", page_policy(true) + "; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
        {"Connection", "close"}};
    for (const auto& [key, value] : said) evhttp_add_header(headers, key, value.c_str());
    if (reply.status == 405) evhttp_add_header(headers, "Allow", "GET, HEAD");
    // libevent would send the body of a HEAD too.
    const bool head = method_of(request) == EVHTTP_REQ_HEAD;
    const std::string& text = reply.page ? page_ : reply.body;
    if (head) evhttp_add_header(headers, "Content-Length", std::to_string(text.size()).c_str());
    const Buffer body(evbuffer_new());
    if (!head && reply.page) evbuffer_add_reference(body.get(), text.data(), text.size(), {}, {});
    if (!head && !reply.page) evbuffer_add(body.get(), text.data(), text.size());
    evhttp_send_reply(request, reply.status, reply.reason, body.get());
  }

  const Document& document_;
  const std::function<bool()>& stopped_;
  const std::string folder_ = fmt::format("/{}/", make_secret());
  std::string page_;
  std::uint16_t port_ = 0;
  std::exception_ptr failure_;
  Base base_;
  Connections connections_;
  Http http_;
  std::vector<evconnlistener*> listeners_;  // of http_
  Timer timer_;
};

}  // namespace

void serve(const Document& document, std::uint16_t port,
           const std::function<void(const std::string& address)>& ready,
           const std::function<bool()>& stopped) {
  Server server(document, stopped);
  server.bind(port);
  ready(server.address());
  server.run();
}

}  // namespace playproof
