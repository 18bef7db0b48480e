// haul-picture FILE THUMBNAIL PIXELS: decodes a picture that came from outside and prints what it
// is, as one line of JSON: {"type":"png","width":1024,"height":768}. Writes a small JPEG of it to
// THUMBNAIL. haul runs it in a sandbox, because a decoder is the most likely victim of hostile
// bytes. It ends with 0, or with one line on standard error: with 3 if the picture has too many
// pixels, else with 1.

#include <fcntl.h>
#include <unistd.h>
#include <vips/vips.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace {

constexpr int kThumbnailSide = 320;
constexpr int kThumbnailQuality = 82;
constexpr int kSideMax = 32'768;
constexpr int kTooManyPixels = 3;  // The exit code.

struct Unref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
using Image = std::unique_ptr<VipsImage, Unref>;

int fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

// libvips writes one line per problem; the first one is the cause.
std::string vips_says() {
  const std::string_view all = vips_error_buffer();
  const std::string_view first = all.substr(0, all.find('\n'));
  return first.empty() ? "it is damaged" : std::string{first};
}

void be_silent(const char*, GLogLevelFlags, const char*, void*) {}

// Only the three loaders that are needed, whatever this machine's libvips was built with.
void block_all_but_three() {
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  for (const char* loader : {"VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"})
    vips_operation_block_set(loader, FALSE);
}

// Nothing for any other type.
const char* type_of(const char* path) {
  std::array<char, 12> head{};
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  const ssize_t got = ::read(fd, head.data(), head.size());
  ::close(fd);
  const std::string_view seen{head.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  if (seen.starts_with("\x89PNG\r\n\x1a\n")) return "png";
  if (seen.starts_with("\xff\xd8\xff")) return "jpeg";
  if (seen.size() == head.size() && seen.starts_with("RIFF") && seen.substr(8) == "WEBP")
    return "webp";
  return nullptr;
}

// Any damage is an error, so that a picture whose bytes were cut short is never taken for whole.
Image load(const char* path, std::string_view type) {
  VipsImage* out = nullptr;
  int error = 0;
  if (type == "png")
    error = vips_pngload(path, &out, "fail_on", VIPS_FAIL_ON_TRUNCATED, nullptr);
  else if (type == "jpeg")
    error = vips_jpegload(path, &out, "fail_on", VIPS_FAIL_ON_TRUNCATED, nullptr);
  else
    error = vips_webpload(path, &out, "fail_on", VIPS_FAIL_ON_TRUNCATED, nullptr);
  return Image{error == 0 ? out : nullptr};
}

// Decodes every pixel.
Image decoded(const Image& image) { return Image{vips_image_copy_memory(image.get())}; }

Image small(const Image& image) {
  VipsImage* out = nullptr;
  const int error = vips_thumbnail_image(image.get(), &out, kThumbnailSide, "height",
                                         kThumbnailSide, "size", VIPS_SIZE_DOWN, nullptr);
  return Image{error == 0 ? out : nullptr};
}

// A JPEG has no transparency: what shows through becomes white.
Image flat(Image image) {
  if (vips_image_hasalpha(image.get()) == FALSE) return image;
  VipsImage* out = nullptr;
  VipsArrayDouble* white = vips_array_double_newv(1, 255.0);
  const int error = vips_flatten(image.get(), &out, "background", white, nullptr);
  vips_area_unref(VIPS_AREA(white));
  return Image{error == 0 ? out : nullptr};
}

int run(const char* path, const char* thumbnail, std::int64_t pixels_max) {
  const char* type = type_of(path);
  if (type == nullptr) return fail("it is no PNG, JPEG or WebP");
  const Image image = load(path, type);
  if (!image) return fail(vips_says());
  const int width = vips_image_get_width(image.get());
  const int height = vips_image_get_height(image.get());
  if (width < 1 || height < 1 || width > kSideMax || height > kSideMax ||
      std::int64_t{width} * height > pixels_max) {
    fail("it has too many pixels");
    return kTooManyPixels;
  }
  const Image whole = decoded(image);
  if (!whole) return fail(vips_says());
  Image made = small(whole);
  if (made) made = flat(std::move(made));
  if (!made ||
      vips_jpegsave(made.get(), thumbnail, "Q", kThumbnailQuality, "strip", TRUE, nullptr) != 0)
    return fail(vips_says());
  std::printf("{\"type\":\"%s\",\"width\":%d,\"height\":%d}\n", type, width, height);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return fail("usage: haul-picture FILE THUMBNAIL PIXELS");
  g_log_set_default_handler(be_silent, nullptr);
  // No plugins: each is one more decoder.
  ::setenv("VIPSHOME", "/nonexistent", 1);  // NOLINT(concurrency-mt-unsafe): before any thread.
  if (VIPS_INIT(words[0]) != 0) return fail(vips_says());
  block_all_but_three();
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  const int code = run(words[1], words[2], std::strtoll(words[3], nullptr, 10));
  vips_shutdown();
  return code;
}
