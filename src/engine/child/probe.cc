#include "engine/child/probe.h"

#include <fmt/core.h>
#include <unistd.h>

#include <future>
#include <sstream>

namespace haul::child {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kAnswersWithin{10};

std::unexpected<Fault> fault(std::string code, std::string detail) {
  return std::unexpected{Fault{FaultKind::permanent, std::move(code), std::move(detail)}};
}

// What the user can do about it.
std::string remedy(const Program& program) {
  return fmt::format("install Debian's package {}, or set the path of a newer one", program.name());
}

Result<std::string> judged(const Program& program, const fs::path& path, int code,
                           const std::string& version, const std::string& complaint) {
  const bool is_version = !version.empty() && version[0] >= '0' && version[0] <= '9';
  if (code != 0 || !is_version)
    return fault("program_broken",
                 fmt::format("{} does not run ({}): {}", path.string(),
                             complaint.empty() ? fmt::format("it ended with {}", code) : complaint,
                             remedy(program)));
  if (!is_at_least(version, program.oldest()))
    return fault("program_too_old",
                 fmt::format("{} {} is too old, haul needs {}: {}", program.name(), version,
                             program.oldest(), remedy(program)));
  return version;
}

}  // namespace

Result<void> check_walls(const ChildSettings& settings, int landlock) {
  const auto gap = io::sandbox_gap(landlock);
  if (settings.confine == io::Confine::prefer || !gap || gap->code != "sandbox_missing") return {};
  return fault(gap->code, fmt::format("{}, and engine.sandbox is \"require\": run a kernel with "
                                      "Landlock (lsm=landlock), or set it to \"prefer\"",
                                      gap->detail));
}

std::optional<fs::path> find_program(const Program& program, const ChildSettings& settings) {
  const auto runs = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (!settings.program.empty()) {
    fs::path path = fs::absolute(settings.program);  // The program starts in another folder.
    return runs(path) ? std::optional{std::move(path)} : std::nullopt;
  }
  std::istringstream folders{settings.search_path};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::path path = fs::path{folder} / program.name(); path.is_absolute() && runs(path))
      return path;
  return std::nullopt;
}

Probe::Probe(const Program& program, const ChildSettings& settings, io::PollLoop& loop,
             const fs::path& work, Done done)
    : program_{program}, settings_{settings}, done_{std::move(done)} {
  if (!find_program(program, settings)) {
    const std::string& given = settings.program;
    done_(fault("program_missing",
                fmt::format("{} is not {}: {}", given.empty() ? program.name() : given,
                            given.empty() ? "installed" : "a program", remedy(program))));
    return;
  }
  io::ChildCommand command = child_command(program, settings, work, new_token());
  command.spec.argv.emplace_back("--version");
  auto child = io::start_child(loop, command, *this);
  if (child)
    child_ = *std::move(child);
  else
    done_(std::unexpected{child.error()});
}

void Probe::on_line(io::Stream stream, const std::string& line) {
  std::string& kept = stream == io::Stream::out ? version_ : complaint_;
  if (kept.empty()) kept = line.substr(0, 200);
}

void Probe::on_end(const io::ChildEnd& end) {
  done_(judged(program_, find_program(program_, settings_).value_or(""), end.code, version_,
               complaint_));
}

Result<std::string> program_version(const Program& program, const ChildSettings& settings,
                                    const Clock& clock) {
  std::string work = (fs::temp_directory_path() / "haul-XXXXXX").string();
  if (::mkdtemp(work.data()) == nullptr) return std::unexpected{io::file_fault(errno, work)};
  std::promise<Result<std::string>> answer;
  auto answered = answer.get_future();
  {
    const auto loop = io::make_poll_loop(clock);
    std::unique_ptr<Probe> probe;
    loop->post([&] {
      probe = std::make_unique<Probe>(program, settings, *loop, work,
                                      [&](Result<std::string> said) { answer.set_value(said); });
    });
    answered.wait_for(kAnswersWithin);
    std::promise<void> gone;
    loop->post([&] {
      probe.reset();
      gone.set_value();
    });
    gone.get_future().wait();
    if (answered.wait_for(Millis{0}) != std::future_status::ready)
      answer.set_value(fault("program_broken", fmt::format("{} does not answer: {}", program.name(),
                                                           remedy(program))));
  }
  std::error_code error;
  fs::remove_all(work, error);
  return answered.get();
}

}  // namespace haul::child
