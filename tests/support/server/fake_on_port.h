#pragma once
// Serves a fake that answers requests in memory on a port of loopback, for tests with a real haul.

#include <functional>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "io/web/http_server.h"
#include "support/io/fake_reply.h"

namespace haul::testing {

class FakeOnPort {
 public:
  // `fake` is called under a lock, on the server's thread.
  explicit FakeOnPort(FakeServer fake);
  FakeOnPort(const FakeOnPort&) = delete;
  FakeOnPort& operator=(const FakeOnPort&) = delete;

  std::string url() const;
  // Another fake answers from now on.
  void serve(FakeServer fake);
  // Runs `use` while the fake answers nothing, so that a test may read and change it.
  void with(const std::function<void()>& use);

 private:
  void answer(WebRequest request, const io::WebAnswer& then);

  Mutex mutex_;
  FakeServer fake_ GUARDED_BY(mutex_);
  std::unique_ptr<io::HttpServer> server_;
};

}  // namespace haul::testing
