// The request fields of each lifecycle, as GET /lifecycles returns them.

const text = (name, about, more = {}) => ({
  name,
  type: 'string',
  required: false,
  about,
  ...more,
});
const need = (name, about, more = {}) => text(name, about, { required: true, ...more });

export const requests = {
  batch: [
    text('url', 'A page, a file or a gallery.'),
    text('urls', 'Several, one on each line.', { type: 'list' }),
    text('engine', 'Who fetches it. Auto looks at the link.', {
      values: ['auto', 'http', 'yt-dlp', 'gallery-dl'],
    }),
    text('folder', 'Below the download folder.'),
    text('name', 'What the file is called, when there is one.'),
    text('filters', 'exclude_extensions, only_types, min_size, max_size, date_from, date_to.', {
      type: 'object',
    }),
    text('discover', 'Follow the links of the page.', { type: 'boolean' }),
    text('pages_max', 'How many pages at most.', { type: 'number' }),
    text('checksum', 'sha256:… of the file.'),
    text('headers', 'One on each line: Name: value.', { type: 'list' }),
    text('user_agent', null),
    text('cookies', 'Netscape format. Kept, never shown again.', { secret: true }),
    text('proxy', null),
    text('segments', 'Connections for one large file.', { type: 'number' }),
    text('limits', 'per_host, delay, speed_limit.', { type: 'object' }),
    text('naming', null),
  ],
  book: [
    need('book_id', 'An unknown book is made.'),
    text('title', null),
    need('media_type', null, { values: ['text', 'audio'] }),
    need('uri', 'A magnet, or the address of a .torrent.'),
    need('source', 'The code of the provider.'),
    text('source_url', null),
    text('delete_files_on_cancel', null, { type: 'boolean' }),
  ],
  media: [
    text('kind', null, { values: ['movie', 'series'] }),
    need('title', null),
    text('year', null, { type: 'number' }),
    text('season', null, { type: 'number' }),
    text('episode', null, { type: 'number' }),
    text('quality', null),
    text('uri', 'A magnet or an address.'),
    text('engine', null, { values: ['qbittorrent', 'http'] }),
    need('release_name', 'Exactly as the release is called.'),
  ],
  relay: [
    need('user_id', null, { type: 'number' }),
    need('chat_id', null, { type: 'number' }),
    need('file_id', 'Path on the disk.'),
    need('nonce', 'Makes the same file another delivery.'),
  ],
  image: [
    need('prompt', 'What to draw.'),
    text('params', 'What the provider takes: size, style, seed.', { type: 'object' }),
  ],
};
