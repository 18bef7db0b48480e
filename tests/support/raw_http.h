#pragma once
// A client that sends the bytes it is told and keeps the bytes it gets, for tests that look at what
// is really on the wire. Nothing it waits for takes longer than ten seconds.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace haul::testing {

struct RawReply {
  enum class End : std::uint8_t { closed, reset, timed_out };

  std::string bytes;
  End end = End::closed;

  std::string_view head() const;  // Without the empty line; whole if there is none.
  std::string_view body() const;
  int status() const;  // Zero: there is no status line.
  // The value of a header, by its exact name; empty if it is not there.
  std::string_view header(std::string_view name) const;
};

class RawConnection {
 public:
  RawConnection(const std::string& address, std::uint16_t port);
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void send(std::string_view bytes) const;
  // So many bytes, fewer only if no more come; or all until the end.
  RawReply read(std::size_t size = SIZE_MAX) const;
  // What has come, waited for at most so long; nothing and `timed_out`: nothing came.
  RawReply read_some(std::chrono::milliseconds patience) const;
  // A head and so many bytes of what follows it, however much may still come.
  RawReply read_body(std::size_t size) const;
  // One answer with a right Content-Length, as it comes on a connection that stays open.
  RawReply read_answer() const;

 private:
  RawReply read_head() const;
  RawReply followed(RawReply head, std::size_t size) const;

  int number_;
};

// A GET of the host "test"; each header ends with its own line end.
std::string raw_request(const std::string& target, const std::string& headers = "");

}  // namespace haul::testing
