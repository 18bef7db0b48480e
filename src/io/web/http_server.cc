// The server on Boost.Asio and Beast's parser: one coroutine per connection.

#include "io/web/http_server.h"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>  // Asio uses it without including it.

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/mutex.h"
#include "io/web/forwarded.h"
#include "io/web/http_head.h"

namespace haul::io {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kHeadMax = 16'384;
constexpr std::size_t kHeadUsual = 1'024;  // Reserved for the head of an answer.
constexpr std::size_t kReadAtOnce = 8'192;
constexpr std::size_t kBufferMax = kHeadMax + 65'536;  // Also limits chunk headers and trailers.
constexpr std::size_t kDrainMax = 262'144;             // Of a body that is not wanted, see drain().
constexpr std::chrono::seconds kDrainFor{1};
constexpr std::size_t kBytesEachSecond = 1'024;  // Deadlines allow for clients this slow.
// The kernel's buffer for a client that does not read. The default is megabytes.
constexpr int kStreamBuffer = 65'536;
constexpr std::string_view kPulse = ":\n\n";  // A comment in a stream of server-sent events.

// A request that waits for its handler's answer.
struct Pending {
  explicit Pending(asio::io_context& context) : ready{context} {}
  std::optional<WebReply> reply;
  asio::steady_timer ready;
};

// Answers from other threads, often many at once. Only the first one posts a call of hand_out().
class ReplyQueue {
 public:
  // True if the caller must post a call of hand_out().
  bool put(std::shared_ptr<Pending> pending, WebReply reply) {
    const Lock lock{mutex_};
    came_.emplace_back(std::move(pending), std::move(reply));
    return came_.size() == 1;
  }
  void hand_out() {
    std::vector<std::pair<std::shared_ptr<Pending>, WebReply>> came;
    {
      const Lock lock{mutex_};
      came.swap(came_);
    }
    for (auto& [pending, reply] : came) {
      if (!pending->reply) pending->reply = std::move(reply);
      pending->ready.cancel();
    }
  }

 private:
  Mutex mutex_;
  std::vector<std::pair<std::shared_ptr<Pending>, WebReply>> came_ GUARDED_BY(mutex_);
};

// What connections share. The context is destroyed before the maps above it, because its coroutines
// use them.
struct Core : std::enable_shared_from_this<Core> {
  Core(ServerSettings s, WebHandler h, WebRefuse r)
      : settings{std::move(s)}, handler{std::move(h)}, refuse{std::move(r)} {}

  const ServerSettings settings;
  const WebHandler handler;
  const WebRefuse refuse;
  std::atomic<std::size_t> connections = 0;
  std::atomic<bool> waking = false;
  std::map<std::string, std::size_t> by_client;  // See client_of().
  std::set<asio::steady_timer*> streams;         // Timers of streams that have nothing to send.
  std::map<WebStream*, tcp::socket*> writing;    // Streams whose last write is not done yet.
  std::size_t bodies = 0;                        // Bytes of request bodies in memory.
  asio::io_context context{1};
  ReplyQueue replies;
};

auto into(error_code& ec) { return asio::redirect_error(asio::use_awaitable, ec); }

std::string head_of(const WebReply& reply, bool keep_alive) {
  std::string head;
  head.reserve(kHeadUsual);
  head.append("HTTP/1.1 ").append(std::to_string(reply.status)).append(" ");
  head.append(reason_phrase(reply.status)).append("\r\n");
  for (const auto& [name, value] : reply.headers)
    head.append(name).append(": ").append(value).append("\r\n");
  const bool bodiless = reply.status == 204 || reply.status == 304;
  if (const auto length = reply.body_length(); length && !bodiless)
    head.append("Content-Length: ").append(std::to_string(*length)).append("\r\n");
  if (!keep_alive) head += "Connection: close\r\n";
  head += "\r\n";
  return head;
}

// The request without its body.
WebRequest request_of(const http::request<http::string_body>& message, WebTarget target) {
  WebRequest request;
  request.method = std::string{message.method_string()};
  request.target = std::move(target);
  for (const auto& field : message)
    request.headers.emplace_back(lower({field.name_string().data(), field.name_string().size()}),
                                 std::string{field.value()});
  return request;
}

// Which client an address counts for: its network of 64 bits if it is IPv6, otherwise the address.
// Empty, which has no limit, for loopback and for no address.
std::string client_of(const std::string& peer) {
  error_code ec;  // Without an address the result below is 0.0.0.0.
  const auto address = asio::ip::make_address(peer, ec);
  if (address.is_loopback()) return {};
  if (!address.is_v6() || address.to_v6().is_v4_mapped()) return peer;
  return asio::ip::make_network_v6(address.to_v6(), 64).canonical().to_string();
}

// Counts a request or a connection for its client while this object lives.
class Counted {
 public:
  Counted(Core& core, const std::string& peer) : core_{core}, client_{client_of(peer)} {
    ++core_.by_client[client_];
  }
  ~Counted() {
    if (--core_.by_client[client_] == 0) core_.by_client.erase(client_);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  bool is_too_many() const {
    return !client_.empty() && core_.by_client[client_] > core_.settings.per_address_max;
  }

 private:
  Core& core_;
  const std::string client_;
};

// The memory of one body, counted against bodies_max.
class BodyRoom {
 public:
  explicit BodyRoom(Core& core) : core_{core} {}
  ~BodyRoom() { core_.bodies -= taken_; }
  BodyRoom(const BodyRoom&) = delete;
  BodyRoom& operator=(const BodyRoom&) = delete;

  [[nodiscard]] bool take(std::size_t bytes) {
    if (bytes > core_.settings.bodies_max - std::min(core_.bodies, core_.settings.bodies_max))
      return false;
    core_.bodies += bytes;
    taken_ += bytes;
    return true;
  }

 private:
  Core& core_;
  std::size_t taken_ = 0;
};

// Each co_await is a statement of its own, because g++ 12 miscompiles one in a condition.
class WebConnection : public std::enable_shared_from_this<WebConnection> {
 public:
  WebConnection(Core& core, tcp::socket socket, std::string peer)
      : core_{core}, stream_{std::move(socket)}, peer_{std::move(peer)} {}

  asio::awaitable<void> run() {
    for (bool goes_on = true; goes_on;) goes_on = co_await serve_one();
    co_await drain();
  }

 private:
  using Parser = http::request_parser<http::string_body>;

  // False if the connection is to be closed.
  asio::awaitable<bool> serve_one() {
    const std::size_t size = co_await read_head();
    if (size == 0) co_return false;
    const std::string_view raw{static_cast<const char*>(buffer_.data().data()), size};
    if (const auto refusal = check_head(raw))
      co_return co_await refuse(refusal->status, refusal->detail);
    Parser parser;
    parser.header_limit(kHeadMax + 1);
    parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // read_body() sets it.
    error_code ec;
    buffer_.consume(parser.put(asio::buffer(raw), ec));
    if (ec || !parser.is_header_done()) co_return co_await refuse(400, "not a request");
    const std::string_view text{parser.get().target().data(), parser.get().target().size()};
    auto target = parse_target(text);
    if (!target) co_return co_await refuse(400, target.error().detail);
    WebRequest request = request_of(parser.get(), *std::move(target));
    request.peer = forwarded_address(peer_, request.headers, core_.settings.trusted_proxies);
    std::optional<Counted> counted;  // admit() counts direct connections.
    if (request.peer != peer_) counted.emplace(core_, request.peer);
    if (counted && counted->is_too_many())
      co_return co_await refuse(429, "too many requests at once from one address");
    BodyRoom room{core_};
    const bool is_whole = co_await read_body(parser, request, text, room);
    if (!is_whole) co_return false;

    const bool keep_alive = parser.get().keep_alive();
    const bool head_only = parser.get().method() == http::verb::head;
    request.body = std::move(parser.get().body());
    WebReply reply = co_await ask(core_.handler, std::move(request));
    if (reply.stream && !head_only) {
      co_await run_stream(std::move(reply));
      co_return false;
    }
    const bool written = co_await write(std::move(reply), keep_alive, head_only);
    co_return written&& keep_alive;
  }

  // Reads until a whole head is in the buffer and returns its size. Zero if there is none.
  asio::awaitable<std::size_t> read_head() {
    bool begun = buffer_.size() > 0;
    stream_.expires_after(begun ? core_.settings.head_deadline : core_.settings.idle_deadline);
    for (;;) {
      const std::string_view have{static_cast<const char*>(buffer_.data().data()), buffer_.size()};
      if (have.starts_with("\r\n")) {  // Some clients send it after a body.
        buffer_.consume(2);
        continue;
      }
      const std::size_t end = have.substr(0, kHeadMax).find("\r\n\r\n");
      if (end != std::string_view::npos) co_return end + 4;
      if (have.size() >= kHeadMax) {
        co_await refuse(431, "the head is over 16 KiB");
        co_return 0;
      }
      error_code ec;
      const auto read = co_await stream_.async_read_some(buffer_.prepare(kReadAtOnce), into(ec));
      if (ec) co_return 0;
      buffer_.commit(read);
      if (!begun) stream_.expires_after(core_.settings.head_deadline);
      begun = true;
    }
  }

  asio::awaitable<bool> read_body(Parser& parser, const WebRequest& head, std::string_view target,
                                  BodyRoom& room) {
    const auto most = core_.settings.body_max ? core_.settings.body_max(head.method, target) : 0;
    const auto length = parser.content_length();
    if (parser.is_done()) co_return true;  // There is no body.
    // Most bodies come with their head. For any other, `admit` is asked before memory is taken. It
    // is asked about a body that is too large as well, because its answer (404, 401) comes first.
    const bool is_too_large = length && *length > most;
    const bool is_here = length && *length <= buffer_.size();
    if ((!is_here || is_too_large) && core_.settings.admit) {
      WebReply admitted = co_await ask(core_.settings.admit, head);
      if (admitted.status != 100) {
        co_await write(std::move(admitted), false, head.method == "HEAD");
        co_return false;
      }
    }
    if (is_too_large) co_return co_await refuse(413, "the body is larger than this route allows");
    const std::size_t expected = length ? static_cast<std::size_t>(*length) : most;
    if (!room.take(expected))
      co_return co_await refuse(503, "too many request bodies are being read; try again");
    parser.body_limit(most);
    parser.eager(true);
    error_code ec;
    if (buffer_.size() > 0) buffer_.consume(parser.put(buffer_.data(), ec));
    if (parser.is_done()) co_return true;
    if (!ec || ec == http::error::need_more) ec = co_await read_rest(parser, expected);
    if (!ec) co_return true;
    if (ec == http::error::body_limit)
      co_return co_await refuse(413, "the body is larger than this route allows");
    if (ec.category() == make_error_code(http::error::bad_chunk).category() &&
        ec != http::error::partial_message)
      co_return co_await refuse(400, "the body is not as its head says");
    co_return false;
  }

  asio::awaitable<error_code> read_rest(Parser& parser, std::size_t expected) {
    stream_.expires_after(core_.settings.head_deadline +
                          std::chrono::seconds{expected / kBytesEachSecond});
    error_code ec;
    if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await asio::async_write(stream_, asio::buffer(kGoOn), into(ec));
      if (ec) co_return ec;
    }
    co_await http::async_read(stream_, buffer_, parser, into(ec));
    co_return ec;
  }

  // The answer comes later and from another thread. The callback may outlive the connection and the
  // server, so it owns the core: the timer needs its context.
  asio::awaitable<WebReply> ask(const WebHandler& handler, WebRequest request) {
    const auto pending = std::make_shared<Pending>(core_.context);
    pending->ready.expires_after(core_.settings.answer_deadline);
    handler(std::move(request), [core = core_.shared_from_this(), pending](WebReply reply) {
      if (core->replies.put(pending, std::move(reply)))
        asio::post(core->context, [core = core.get()] { core->replies.hand_out(); });
    });
    error_code ec;
    if (!pending->reply) co_await pending->ready.async_wait(into(ec));
    std::optional<WebReply> reply = std::move(pending->reply);
    if (reply) co_return *std::move(reply);
    co_return core_.refuse(503, "no answer in time");
  }

  asio::awaitable<bool> write(WebReply reply, bool keep_alive, bool head_only) {
    const std::string head = head_of(reply, keep_alive);
    const std::string body = head_only ? std::string{} : std::move(reply.body);
    stream_.expires_after(core_.settings.write_deadline +
                          std::chrono::seconds{body.size() / kBytesEachSecond});
    error_code ec;
    const std::array<asio::const_buffer, 2> both{asio::buffer(head), asio::buffer(body)};
    co_await asio::async_write(stream_, both, into(ec));
    co_return !ec;
  }

  // Always false: what the client sends after a refused request cannot be trusted.
  asio::awaitable<bool> refuse(int status, std::string_view detail) {
    co_await write(core_.refuse(status, detail), false, false);
    co_return false;
  }

  asio::awaitable<void> run_stream(WebReply reply) {
    stream_.expires_never();
    error_code ignored;
    (void)stream_.socket().set_option(tcp::socket::send_buffer_size(kStreamBuffer), ignored);
    const auto waits = std::make_shared<asio::steady_timer>(core_.context);
    const auto gone = watch(waits);
    std::string out = head_of(reply, false);
    for (WebStream& source = *reply.stream; !*gone;) {
      core_.writing.emplace(&source, &stream_.socket());
      const bool written = co_await write_within(out);
      core_.writing.erase(&source);
      if (!written || source.is_over()) break;
      out = source.next().value_or("");
      if (!out.empty()) continue;
      if (source.is_over()) break;
      waits->expires_after(core_.settings.stream_pulse);
      error_code ec;
      core_.streams.insert(waits.get());
      co_await waits->async_wait(into(ec));
      core_.streams.erase(waits.get());
      if (!ec) out = kPulse;
    }
    (void)stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
  }

  asio::awaitable<bool> write_within(const std::string& text) {
    if (text.empty()) co_return true;
    asio::steady_timer late{core_.context, core_.settings.write_deadline};
    late.async_wait([self = shared_from_this()](error_code ec) {
      if (!ec) (void)self->stream_.socket().close(ec);
    });
    error_code ec;
    co_await asio::async_write(stream_.socket(), asio::buffer(text), into(ec));
    late.cancel();
    co_return !ec;
  }

  // The client of a stream sends nothing. A read that ends means that the client has gone.
  std::shared_ptr<bool> watch(const std::shared_ptr<asio::steady_timer>& waits) {
    const auto gone = std::make_shared<bool>(false);
    const auto byte = std::make_shared<char>();
    stream_.socket().async_read_some(
        asio::buffer(byte.get(), 1),
        [self = shared_from_this(), gone, byte, waits](error_code, std::size_t) {
          *gone = true;
          waits->cancel();
        });
    return gone;
  }

  // A socket closed with unread bytes resets the connection, and the client may lose the answer.
  asio::awaitable<void> drain() {
    error_code ec;
    (void)stream_.socket().shutdown(tcp::socket::shutdown_send, ec);
    stream_.expires_after(kDrainFor);
    for (std::size_t drained = 0; !ec && drained < kDrainMax;) {
      buffer_.clear();
      drained += co_await stream_.async_read_some(buffer_.prepare(kReadAtOnce), into(ec));
    }
  }

  Core& core_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kBufferMax};
  const std::string peer_;
};

class Server final : public HttpServer {
 public:
  Server(ServerSettings settings, WebHandler handler, WebRefuse refuse)
      : core_{std::make_shared<Core>(std::move(settings), std::move(handler), std::move(refuse))},
        acceptor_{core_->context} {
    const tcp::endpoint at{asio::ip::make_address(core_->settings.address), core_->settings.port};
    acceptor_.open(at.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    boost::system::error_code failed;
    (void)acceptor_.bind(at, failed);  // Returns `failed`, too.
    if (!failed) (void)acceptor_.listen(asio::socket_base::max_listen_connections, failed);
    if (failed)
      throw std::runtime_error{
          fmt::format("cannot listen at {}:{}: {}. Stop what listens there, or set server.listen",
                      core_->settings.address, core_->settings.port, failed.message())};
    port_ = acceptor_.local_endpoint().port();
    asio::co_spawn(core_->context, accept(), [](const std::exception_ptr&) {});
    thread_ = std::thread{[this] { core_->context.run(); }};
  }
  ~Server() override {
    core_->context.stop();
    thread_.join();
  }

  std::uint16_t port() const override { return port_; }
  std::size_t connections() const override { return core_->connections; }

  void wake_streams() override {
    if (core_->waking.exchange(true)) return;  // A call is posted already.
    asio::post(core_->context, [core = core_.get()] {
      core->waking = false;
      for (asio::steady_timer* each : core->streams) each->cancel();
      // A client that does not read must not keep an ended stream open.
      for (const auto& [source, socket] : core->writing) {
        error_code ignored;
        if (source->is_over()) (void)socket->close(ignored);
      }
    });
  }

 private:
  asio::awaitable<void> accept() {
    for (;;) {
      error_code ec;
      tcp::socket socket = co_await acceptor_.async_accept(into(ec));
      if (!ec) {
        admit(std::move(socket));
        continue;
      }
      // No descriptors are left.
      asio::steady_timer pause{core_->context, std::chrono::milliseconds{50}};
      co_await pause.async_wait(into(ec));
    }
  }

  void admit(tcp::socket socket) {
    error_code ec;
    const auto address = socket.remote_endpoint(ec).address();
    if (ec || core_->connections >= core_->settings.connections_max) return;
    const std::string peer = address.to_string();
    const bool is_proxy = is_trusted(peer, core_->settings.trusted_proxies);  // Has no limit.
    const auto counted = std::make_shared<Counted>(*core_, is_proxy ? std::string{} : peer);
    if (counted->is_too_many()) return;
    ++core_->connections;
    (void)socket.set_option(tcp::no_delay(true), ec);
    const auto connection = std::make_shared<WebConnection>(*core_, std::move(socket), peer);
    asio::co_spawn(core_->context, connection->run(),
                   [core = core_.get(), counted, connection](const std::exception_ptr&) {
                     --core->connections;
                   });
  }

  const std::shared_ptr<Core> core_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<HttpServer> make_http_server(ServerSettings settings, WebHandler handler,
                                             WebRefuse refuse) {
  ensure(handler && refuse, "a server has a handler, and words for what it refuses");
  return std::make_unique<Server>(std::move(settings), std::move(handler), std::move(refuse));
}

}  // namespace haul::io
