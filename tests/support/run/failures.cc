#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "support/process/process.h"

// At the end of a run, prints every failed test case again, with what its children wrote to stderr.

namespace haul::testing {
namespace {

// Only the end of a long log: the whole log of a daemon would hide the failed assertion.
constexpr off_t shown_max = 8'192;

// Append mode: children keep their write offsets when the log is truncated between test cases.
int open_log() {
  const int log = ::memfd_create("stderr", MFD_CLOEXEC);
  ::fcntl(log, F_SETFL, O_APPEND);
  return log;
}

std::string end_of(int log) {
  std::string text;
  std::array<char, 4'096> part{};
  off_t at = std::max<off_t>(0, ::lseek(log, 0, SEEK_END) - shown_max);
  for (ssize_t size = 0; (size = ::pread(log, part.data(), part.size(), at)) > 0; at += size)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

// Collects failures while doctest prints as usual, and prints them again at the end. A reader who
// looks only at the last lines of a long run sees what failed.
class Failures : public doctest::IReporter {
 public:
  explicit Failures(const doctest::ContextOptions& /*options*/) { set_stderr_of_children(log_); }

  void test_case_start(const doctest::TestCaseData& started) override {
    case_ = &started;
    if (::ftruncate(log_, 0) != 0) text_ += "cannot empty the children's log\n";
  }
  void test_case_end(const doctest::CurrentTestCaseStats& ended) override {
    // A case may fail an assertion and pass: one that is marked may_fail does.
    const std::string asserts = std::exchange(asserts_, {});
    if (ended.failure_flags == 0) return;
    text_ += fmt::format("failed: {} ({}:{})\n{}", case_->m_name, case_->m_file.c_str(),
                         case_->m_line, asserts);
    if (const std::string words = end_of(log_); !words.empty())
      text_ += "its children wrote:\n" + words;
  }
  void test_case_exception(const doctest::TestCaseException& thrown) override {
    asserts_ += fmt::format("  thrown: {}\n", thrown.error_string.c_str());
  }
  void log_assert(const doctest::AssertData& said) override {
    if (!said.m_failed) return;
    asserts_ += fmt::format("  {}:{}: {}\n    {}\n", said.m_file, said.m_line, said.m_expr,
                            said.m_decomp.c_str());
  }
  void test_run_end(const doctest::TestRunStats& /*stats*/) override {
    if (!text_.empty()) fmt::print("\n{}", text_);
  }

  void report_query(const doctest::QueryData& /*query*/) override {}
  void test_run_start() override {}
  void test_case_reenter(const doctest::TestCaseData& /*again*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*started*/) override {}
  void subcase_end() override {}
  void log_message(const doctest::MessageData& /*message*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*skipped*/) override {}

 private:
  int log_ = open_log();
  const doctest::TestCaseData* case_ = nullptr;
  std::string asserts_;
  std::string text_;
};

REGISTER_LISTENER("failures", 1, Failures);

}  // namespace
}  // namespace haul::testing
