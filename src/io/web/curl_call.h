#pragma once
// One request in libcurl's hands: what haul remembers of it, and the callbacks by which libcurl
// reports. All of it belongs to the loop's thread.

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/clock.h"
#include "io/web/body_buffer.h"
#include "io/web/decode.h"
#include "io/web/head_reader.h"
#include "io/web/http.h"
#include "io/web/http_fault.h"
#include "io/web/http_options.h"

namespace haul::io {

struct CurlCleanup {
  void operator()(void* easy) const;
};
using CurlHandle = std::unique_ptr<void, CurlCleanup>;  // A CURL handle.

struct CurlCall;

// Received bytes on their way to the users, and the calls that the loop has to look after.
struct CurlBodies {
  BodyBuffer<CurlCall> buffer{std::size_t{512} * 1024};
  std::vector<int> unwanted;  // Calls to finish: stopped, or the body cannot be decoded.
  std::set<int> coded;        // Calls that have bytes to decode.
  std::set<int> limited;      // Calls that wait for a speed limit, to begin or to read on.
  std::set<int> answered;     // Calls with an answer that began before the end of their upload.

  void hand_over();
};

// One request from its beginning to its end.
struct CurlCall {
  int number = 0;
  const Clock* clock = nullptr;
  CurlBodies* bodies = nullptr;
  HttpUser* user = nullptr;
  CurlHandle handle;
  std::unique_ptr<HttpOptions> options;
  Reach reach;
  std::unique_ptr<Throttle::Share> share;  // Null if its speed has no limit.
  Millis head_timeout{0};
  HeadReader head;
  bool head_told = false;
  bool stopped = false;
  bool refused_address = false;
  bool was_public = true;
  std::size_t read_max = 0;          // Its user gets no more bytes at once.
  bool decodes = false;              // Its user wants the body decoded.
  std::unique_ptr<Decoder> decoder;  // Null if the body is plain.
  bool is_added = false;             // libcurl has the handle.
  struct Paused {
    bool by_loop = false;    // libcurl reads nothing: decode first, or wait for the speed limit.
    bool by_user = false;    // libcurl reads nothing: its user wants no more bytes for now.
    bool by_source = false;  // libcurl sends nothing: the source of its upload has no bytes now.
  } paused;
  std::shared_ptr<HttpSource> upload;
  std::optional<std::int64_t> upload_left;  // Bytes to send. Nothing if the length is unknown.
  std::int64_t given = 0;                   // Bytes that the source has given.
  bool is_sent = true;     // The source of the upload has given all bytes, or there is none.
  std::int64_t moved = 0;  // Of a call with an upload: bytes of both bodies so far.
  Steady moved_at{};       // When the last of them went or came, or the call was resumed.
  Millis stall_timeout{0};
  Millis answer_timeout{0};
  std::optional<int> result;       // CURLcode: libcurl is done, but its user does not know yet.
  bool has_cookies = false;        // Its handle is not reused: a reset would keep and leak them.
  std::optional<Fault> own_fault;  // Found by haul, not by libcurl.
  std::string wrong_proxy;         // What is wrong with the address of its proxy.
  char error[256] = {};

  // Sets libcurl's options, with callbacks that fill this call.
  void set_up(const HttpRequest& request);
  // Tells libcurl in which directions the call is paused.
  void apply_pause();
  // Does what the user answered to a head or to bytes.
  void obey(Go go);
  // Passes the head to the user. False if the user stops, or the body cannot be decoded.
  bool take_head();
  // Passes bytes of the body to the user.
  void give(std::span<const std::byte> body);
  // Whether libcurl has passed on all bytes of the upload: it buffers what the source gives.
  bool has_gone() const;
  // How libcurl ended the call. Only while the call has its handle.
  CurlEnd end_with(int code) const;
  // Why the call failed.
  Fault fault_of(const CurlEnd& end) const;
};

}  // namespace haul::io
