#pragma once
// A client that sends exact bytes and keeps the bytes it receives, for tests of what is really on
// the wire. No wait takes longer than ten seconds.

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

  std::string_view head() const;  // Without the empty line; all bytes if there is none.
  std::string_view body() const;
  int status() const;  // 0 if there is no status line.
  // The value of a header by its exact name. Empty if it is absent.
  std::string_view header(std::string_view name) const;
};

class RawConnection {
 public:
  RawConnection(const std::string& address, std::uint16_t port);
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void send(std::string_view bytes) const;
  // The same. False if the other side takes no more.
  bool try_send(std::string_view bytes) const;
  // Reads this many bytes, or fewer if the connection ends or times out. By default reads to the
  // end.
  RawReply read(std::size_t size = SIZE_MAX) const;
  // Waits at most this long and returns what has arrived. Empty with `timed_out` if nothing has.
  RawReply read_some(std::chrono::milliseconds patience) const;
  // Reads a head and this many bytes of the body, even if more would follow.
  RawReply read_body(std::size_t size) const;
  // Reads one answer by its Content-Length, on a connection that stays open.
  RawReply read_answer() const;

 private:
  RawReply read_head() const;
  RawReply followed(RawReply head, std::size_t size) const;

  int number_;
};

// A GET with "Host: test". Each header in `headers` ends with its own CRLF.
std::string raw_request(const std::string& target, const std::string& headers = "");

}  // namespace haul::testing
