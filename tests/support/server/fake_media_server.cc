#include "support/server/fake_media_server.h"

#include <fmt/core.h>

#include <filesystem>

namespace haul::testing {

std::optional<FakeReply> FakeMediaServer::answer(const io::HttpRequest& sent) {
  const SentRequest request = read_sent(sent);
  log.push_back(request);
  if (mood.decides(request)) return mood.reply();
  FakeReply reply = act(request);
  bytes += reply.body.size();
  return reply;
}

std::string FakeMediaServer::told() {
  std::string text;
  for (; told_ < log.size(); ++told_) {
    const SentRequest& each = log[told_];
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.method, each.path);
    for (const std::string& name : telling_)
      if (each.fields.contains(name)) text += fmt::format(" {}={}", name, each.field(name));
  }
  return text;
}

std::vector<std::string> FakeMediaServer::files_in(const std::string& folder) const {
  std::vector<std::string> names;
  const auto here = disk.here(folder);
  std::error_code error;
  if (!here || !std::filesystem::is_directory(*here, error)) return names;
  for (const auto& entry : std::filesystem::directory_iterator{*here})
    if (!entry.is_directory()) names.push_back(entry.path().filename().string());
  return names;
}

std::map<std::string, std::int64_t> FakeMediaServer::videos_in(const std::string& folder) const {
  std::map<std::string, std::int64_t> videos;
  const auto here = disk.here(folder);
  if (!here) return videos;
  for (const auto& [path, size] : videos_below(here->string()))
    videos[disk.there(path)->string()] = size;
  return videos;
}

}  // namespace haul::testing
