#include "support/server/fake_telegram_upload.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <utility>

#include "base/ascii.h"

namespace haul::testing {
namespace {

constexpr std::size_t kHeadMax = std::size_t{256} << 10U;
constexpr std::size_t kPlainBodyMax = std::size_t{1} << 20U;
constexpr std::int64_t kPublicChat = -1001;  // Of every public name.

std::string reply_text(const FakeReply& reply) {
  std::string text = fmt::format("HTTP/1.1 {} Said\r\nContent-Length: {}\r\nConnection: close\r\n",
                                 reply.status, reply.body.size());
  for (const auto& [name, value] : reply.headers) text += fmt::format("{}: {}\r\n", name, value);
  return text + "\r\n" + reply.body;
}

std::string boundary_of(std::string_view type) {
  const std::size_t at = type.find("boundary=");
  return at == std::string_view::npos ? "" : std::string{type.substr(at + 9)};
}

}  // namespace

struct FakeTelegramUpload::Request {
  std::string head;
  std::string method;
  std::string path;

  // The value of a header. Empty if it is absent.
  std::string header(std::string_view name) const {
    const std::string all = lower(head);
    const std::size_t at = all.find("\r\n" + std::string{name} + ":");
    if (at == std::string::npos) return {};
    const std::size_t from = at + name.size() + 3;
    return std::string{trimmed(head.substr(from, head.find("\r\n", from) - from))};
  }
};

class FakeTelegramUpload::Connection {
 public:
  // Gets pieces of the body. False: it wants no more.
  using Take = std::function<bool(std::string_view)>;

  explicit Connection(int socket) : socket_{socket} {}

  bool read_head(Request& request) {
    std::size_t end = std::string::npos;
    while ((end = unread_.find("\r\n\r\n")) == std::string::npos)
      if (unread_.size() > kHeadMax || !receive()) return false;
    request.head = unread_.substr(0, end + 4);
    unread_.erase(0, end + 4);
    const std::size_t space = request.head.find(' ');
    request.method = request.head.substr(0, space);
    request.path = request.head.substr(space + 1, request.head.find(' ', space + 1) - space - 1);
    return true;
  }
  // True if the body came to its end.
  bool read_body(const Request& request, const Take& take) {
    if (lower(request.header("transfer-encoding")) == "chunked") return read_chunks(take);
    const std::string length = request.header("content-length");
    return read_plain(length.empty() ? 0 : std::stoull(length), take);
  }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Resets the connection, as the system does for a server that dies.
  void reset() const {
    const sockaddr nowhere{.sa_family = AF_UNSPEC, .sa_data = {}};
    ::connect(socket_, &nowhere, sizeof nowhere);
  }
  // Drops bytes until the client leaves.
  void drain() {
    do unread_.clear();
    while (receive());
  }

 private:
  bool receive() {
    const ssize_t got = ::recv(socket_, bytes_.data(), bytes_.size(), 0);
    if (got > 0) unread_.append(bytes_.data(), static_cast<std::size_t>(got));
    return got > 0;
  }
  bool read_plain(std::size_t size, const Take& take) {
    while (size > 0) {
      if (unread_.empty() && !receive()) return false;
      const std::size_t some = std::min(size, unread_.size());
      if (!take(std::string_view{unread_}.substr(0, some))) return false;
      unread_.erase(0, some);
      size -= some;
    }
    return true;
  }
  bool read_chunks(const Take& take) {
    for (std::size_t size = 1; size > 0;) {
      while (unread_.find("\r\n") == std::string::npos)
        if (!receive()) return false;
      size = std::stoull(unread_, nullptr, 16);
      unread_.erase(0, unread_.find("\r\n") + 2);
      if (!read_plain(size, take)) return false;
      while (unread_.size() < 2)
        if (!receive()) return false;
      unread_.erase(0, 2);
    }
    return true;
  }

  const int socket_;
  std::string unread_;
  std::array<char, std::size_t{256} << 10U> bytes_{};
};

FakeTelegramUpload::FakeTelegramUpload(FakeTelegram& telegram) : telegram_{telegram} {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      ::listen(listener_, 128) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size) != 0)
    throw std::runtime_error{"cannot listen"};
  port_ = ntohs(here.sin_port);
  accepting_ = std::thread{[this] { accept_all(); }};
}

FakeTelegramUpload::~FakeTelegramUpload() {
  ::shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  {
    const std::lock_guard lock{mutex_};
    closing_ = true;
  }
  changed_.notify_all();
  for (const int one : sockets_) ::shutdown(one, SHUT_RDWR);
  for (std::thread& thread : threads_) thread.join();
  for (const int one : sockets_) ::close(one);
  ::close(listener_);
}

void FakeTelegramUpload::accept_all() {
  for (int one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); one >= 0;
       one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) {
    const std::lock_guard lock{mutex_};
    sockets_.push_back(one);
    threads_.emplace_back([this, one] { serve(one); });
  }
}

void FakeTelegramUpload::serve(int socket) {
  const auto connection = std::make_unique<Connection>(socket);
  Request request;
  if (connection->read_head(request)) {
    const std::string method = lower(request.path.substr(request.path.rfind('/') + 1));
    if (method == "senddocument")
      serve_send(*connection, request);
    else
      serve_other(*connection, request);
  }
  ::shutdown(socket, SHUT_WR);
}

void FakeTelegramUpload::serve_other(Connection& connection, const Request& request) {
  io::HttpRequest sent{.method = request.method, .url = url() + request.path};
  connection.read_body(request, [&](std::string_view bytes) {
    sent.body += bytes;
    return sent.body.size() <= kPlainBodyMax;
  });
  std::optional<FakeReply> reply;
  with([&](FakeTelegram& telegram) { reply = telegram.answer(sent); });
  if (!reply) return wait_go();
  if (!reply->fault) connection.send(reply_text(*reply));
}

UploadMood FakeTelegramUpload::next_mood() {
  const std::lock_guard lock{mutex_};
  if (mood_.times <= 0) return {};
  --mood_.times;
  return mood_;
}

void FakeTelegramUpload::serve_send(Connection& connection, const Request& request) {
  using Is = UploadMood::Is;
  const UploadMood mood = next_mood();
  FormReader form{boundary_of(request.header("content-type"))};
  const bool is_form = request.header("content-type").starts_with("multipart/form-data");
  std::string body;
  std::int64_t read = 0;
  std::int64_t file_max = 0;
  {
    const std::lock_guard lock{mutex_};
    heads_.push_back(request.head);
    file_max = file_max_;
  }
  const bool breaks = mood.is == Is::cuts || mood.is == Is::hangs || mood.is == Is::answers_early;
  const bool is_whole = connection.read_body(request, [&](std::string_view bytes) {
    read += std::ssize(bytes);
    count(std::ssize(bytes));
    if (breaks && read >= mood.after) return false;
    if (!is_form) body += bytes;
    return is_form ? form.add(bytes) && form.came() <= file_max : body.size() <= kPlainBodyMax;
  });
  {
    const std::lock_guard lock{mutex_};
    is_whole ? ++whole_ : ++unfinished_;
  }
  if (!is_whole && mood.is == Is::cuts) return connection.reset();
  if (!is_whole && mood.is == Is::hangs) return wait_go();
  if (!is_whole && mood.is == Is::answers_early) {
    connection.send(reply_text(mood.reply));
    return connection.drain();
  }
  if (!is_whole && form.came() > file_max) {
    const auto too_big = fmt::format(
        "Request Entity Too Large: file of size {} is too big to be uploaded", form.came());
    connection.send(reply_text(telegram_fault(413, too_big)));
    return connection.drain();
  }
  if (!is_whole) return;
  if (mood.is == Is::answers) return connection.send(reply_text(mood.reply));
  if (mood.is == Is::processes) wait_go();
  const auto reply = act(request, form, body);
  if (!reply) return wait_go();
  if (mood.is != Is::loses_reply && !reply->fault) connection.send(reply_text(*reply));
}

std::optional<FakeReply> FakeTelegramUpload::act(const Request& request, const FormReader& form,
                                                 const std::string& body) {
  const std::lock_guard lock{mutex_};
  if (!form.file())
    return telegram_.answer({.method = request.method, .url = url() + request.path, .body = body});
  if (!request.path.starts_with(fmt::format("/bot{}/", telegram_.token)))
    return telegram_fault(401, "Unauthorized");
  if (!form.is_whole() || form.file()->field != "document" || form.file()->size == 0)
    return telegram_fault(400, "Bad Request: file must be non-empty");
  const auto chat = form.fields().find("chat_id");
  if (chat == form.fields().end()) return telegram_fault(400, "Bad Request: chat_id is empty");
  const std::int64_t id = chat->second.starts_with('@') ? kPublicChat : std::stoll(chat->second);
  if (auto refused = telegram_.refuse_send(id)) return refused;
  return telegram_.take_document({.chat = id,
                                  .name = form.file()->name,
                                  .size = form.file()->size,
                                  .sha256 = form.file()->sha256});
}

void FakeTelegramUpload::with(const std::function<void(FakeTelegram&)>& use) {
  const std::lock_guard lock{mutex_};
  use(telegram_);
}

void FakeTelegramUpload::count(std::int64_t bytes) {
  const std::lock_guard lock{mutex_};
  came_ += bytes;
}

void FakeTelegramUpload::wait_go() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return closing_ || goes_ > 0; });
  if (goes_ > 0) --goes_;
}

void FakeTelegramUpload::set(const UploadMood& mood) {
  const std::lock_guard lock{mutex_};
  mood_ = mood;
}

void FakeTelegramUpload::go() {
  {
    const std::lock_guard lock{mutex_};
    ++goes_;
  }
  changed_.notify_all();
}

void FakeTelegramUpload::set_file_max(std::int64_t size) {
  const std::lock_guard lock{mutex_};
  file_max_ = size;
}

std::vector<FakeDocument> FakeTelegramUpload::delivered() const {
  const std::lock_guard lock{mutex_};
  return telegram_.documents;
}

int FakeTelegramUpload::unfinished() const {
  const std::lock_guard lock{mutex_};
  return unfinished_;
}

int FakeTelegramUpload::whole() const {
  const std::lock_guard lock{mutex_};
  return whole_;
}

std::int64_t FakeTelegramUpload::came() const {
  const std::lock_guard lock{mutex_};
  return came_;
}

std::vector<std::string> FakeTelegramUpload::heads() const {
  const std::lock_guard lock{mutex_};
  return heads_;
}

}  // namespace haul::testing
