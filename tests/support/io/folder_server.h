#pragma once
// A media server without a network: it lists every file that is on the disk. Its answers come at
// once, or not until the test says so.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "seam/media_server.h"

namespace haul::testing {

class FolderServer final : public MediaServer {
 public:
  enum class Answers : std::uint8_t { at_once, never };

  void set(Answers answers) {
    const Lock lock{mutex_};
    answers_ = answers;
  }
  // The fault of every later answer. None if it is empty.
  void fail(std::optional<Fault> fault) {
    const Lock lock{mutex_};
    fault_ = std::move(fault);
  }
  std::vector<std::string> told() const {
    const Lock lock{mutex_};
    return told_;
  }
  FindFiles asked() const {
    const Lock lock{mutex_};
    return asked_;
  }
  int open_questions() const {
    const Lock lock{mutex_};
    return open_;
  }

  std::string_view name() const override { return "folder"; }
  std::unique_ptr<ServerQuestion> tell(std::vector<std::string> folders, Told done) override {
    ensure_tellable(folders, done);
    const Now now = begin();
    if (now.is_held) return std::make_unique<Question>(*this);
    if (now.fault) {
      done(std::unexpected{*now.fault});
      return std::make_unique<Question>(*this);
    }
    {
      const Lock lock{mutex_};
      told_ = std::move(folders);
    }
    done({});
    return std::make_unique<Question>(*this);
  }
  std::unique_ptr<ServerQuestion> find(FindFiles wanted, Found done) override {
    ensure_findable(wanted, done);
    const Now now = begin();
    if (now.is_held) return std::make_unique<Question>(*this);
    if (now.fault) {
      done(std::unexpected{*now.fault});
      return std::make_unique<Question>(*this);
    }
    std::vector<PlacedFile> found;
    for (const WantedFile& file : wanted.files) {
      std::error_code error;
      const auto size = std::filesystem::file_size(file.path, error);
      if (!error && std::cmp_equal(size, file.size)) found.push_back({file.path, file.size});
    }
    {
      const Lock lock{mutex_};
      asked_ = std::move(wanted);
    }
    done(std::move(found));
    return std::make_unique<Question>(*this);
  }

 private:
  struct Now {
    bool is_held = false;
    std::optional<Fault> fault;
  };
  class Question final : public ServerQuestion {
   public:
    explicit Question(FolderServer& server) : server_{server} {}
    ~Question() override {
      const Lock lock{server_.mutex_};
      --server_.open_;
    }

   private:
    FolderServer& server_;
  };

  Now begin() {
    const Lock lock{mutex_};
    ++open_;
    return {.is_held = answers_ == Answers::never, .fault = fault_};
  }

  mutable Mutex mutex_;
  Answers answers_ GUARDED_BY(mutex_) = Answers::at_once;
  std::optional<Fault> fault_ GUARDED_BY(mutex_);
  std::vector<std::string> told_ GUARDED_BY(mutex_);
  FindFiles asked_ GUARDED_BY(mutex_);
  int open_ GUARDED_BY(mutex_) = 0;
};

}  // namespace haul::testing
