#include "cli/draw/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace haul::cli {
namespace {

class DescriptorScreen final : public Screen {
 public:
  explicit DescriptorScreen(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view text) override {
    while (!text.empty() && !gone_) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written > 0)
        text.remove_prefix(static_cast<std::size_t>(written));
      else if (written < 0 && errno == EAGAIN)
        await_room();
      else if (written == 0 || errno != EINTR)
        gone_ = true;
    }
  }

  ScreenSize size() const override {
    winsize window{};
    if (ioctl(descriptor_, TIOCGWINSZ, &window) != 0) return {};
    return {.columns = window.ws_col, .rows = window.ws_row};
  }

 private:
  // The descriptor may be shared with a program that made it non-blocking, such as ssh.
  void await_room() const {
    pollfd wait{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    poll(&wait, 1, 1000);
  }

  int descriptor_;
  bool gone_ = false;
};

}  // namespace

std::unique_ptr<Screen> open_screen(int descriptor) {
  return std::make_unique<DescriptorScreen>(descriptor);
}

}  // namespace haul::cli
