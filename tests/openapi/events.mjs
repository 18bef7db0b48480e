// Compares the messages of the event stream with the schemas of the OpenAPI document, while one job
// downloads a file.
import assert from 'node:assert/strict';

const SIZE = 64 * 1024;
const DEADLINE_MS = 60_000; // Of the whole test.

// A file whose second half the server sends only when the test asks for it. So the download lasts
// until its progress was heard, on a machine of any speed.
export class HalfFile {
  constructor() {
    this.released = new Promise((done) => (this.release = done));
  }

  answer(request, reply) {
    reply.writeHead(200, { 'Content-Length': SIZE, 'Content-Type': 'application/octet-stream' });
    if (request.method === 'HEAD') return reply.end();
    reply.write(Buffer.alloc(SIZE / 2, 'a'));
    this.released.then(() => reply.end(Buffer.alloc(SIZE / 2, 'b')));
  }
}

// One message, from the lines before its blank line. Nothing for a comment.
function message_of(frame) {
  const lines = frame.split('\n').filter((line) => !line.startsWith(':'));
  if (lines.length === 0) return undefined;
  const fields = lines.map((line) => /^(event|id|data): (.*)$/.exec(line)?.slice(1));
  assert(fields.every(Boolean), `a line of the stream is no field: ${frame}`);
  const message = Object.fromEntries(fields);
  assert.equal(Object.keys(message).length, fields.length, `a field comes twice: ${frame}`);
  return { ...message, data: JSON.parse(message.data) };
}

async function* messages(stream) {
  let text = '';
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = message_of(text.slice(0, end));
      text = text.slice(end + 2);
      if (message) yield message;
    }
  }
}

// Hears one job from its first event to its last. Fails if a message is not as its schema says, or
// if a kind of message does not come.
export async function hear_everything(answers, url, half) {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  // No id is called like this, so the stream begins with a resync.
  // It keeps the reply: Node cancels a body that nothing reads yet, once its reply is collected.
  const { reply, schema } = await answers.listen('/api/v1/events', signal, { 'Last-Event-ID': 'x' });
  const request = JSON.stringify({ lifecycle: 'batch', request: { url, hash: 'sha256' } });
  const { json: job } = await answers.ask('POST', '/api/v1/jobs', { body: request });

  const missing = new Set(['resync', 'moved', 'note', 'progress', 'item_progress']);
  let last = '';
  try {
    for await (const message of messages(reply.body)) {
      answers.check(schema, message, `event ${message.event}`);
      missing.delete(message.event);
      if (message.event !== 'resync') assert.equal(message.data.job, job.id);
      if (!missing.has('progress') && !missing.has('item_progress')) half.release();
      last = `${message.event} ${message.data.type ?? ''}`;
      if (message.event === 'note' && message.data.type === 'JOB_DONE') break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    assert.fail(`no JOB_DONE in time; not heard: ${[...missing].join(', ')}; last: ${last}`);
  }
  assert.deepEqual([...missing], [], 'messages that the stream did not send');

  const { json: items } = await answers.ask('GET', `/api/v1/jobs/${job.id}/items`);
  assert.match(items.items[0].evidence.sha256, /^[0-9a-f]{64}$/); // The schema of a receipt held.
}
