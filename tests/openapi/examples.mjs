// Runs the examples of docs/api.md, in their order, and compares the shapes of the answers.
import assert from 'node:assert/strict';

// Each example: a request in a block ```http, a line with the status, and an answer in a block
// ```json, which may be missing.
export function read_examples(page) {
  const blocks = /```http\n([\s\S]*?)```\n\nAnswers `(\d+)`(?::\n\n```json\n([\s\S]*?)```|\.)/g;
  return [...page.matchAll(blocks)].map(([, request, status, answer]) => {
    const [head, body] = request.trim().split('\n\n');
    const [first, ...rest] = head.split('\n');
    const [method, target] = first.split(' ');
    const headers = Object.fromEntries(rest.map((line) => line.split(': ')));
    return { method, target, headers, body, status: Number(status), answer };
  });
}

function type_of(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

// What differs from run to run.
const VARIES = ['correlation_id', 'key', 'prefix', 'detail'];
const is_time = (value) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

// Every member that the example shows is there and has its type, and its value unless that varies.
function check_shape(shown, real, path) {
  assert.equal(type_of(real), type_of(shown), `${path}: another type`);
  if (type_of(shown) === 'object')
    for (const [name, value] of Object.entries(shown)) {
      assert(name in real, `${path}.${name}: missing`);
      check_shape(value, real[name], `${path}.${name}`);
    }
  else if (type_of(shown) === 'list') {
    assert(real.length >= shown.length, `${path}: too short`);
    shown.forEach((each, i) => check_shape(each, real[i], `${path}[${i}]`));
  } else if (!VARIES.includes(path.split('.').pop())) {
    if (is_time(shown)) assert(is_time(real), `${path}: no time`);
    else assert.equal(real, shown, `${path}: another value`);
  }
}

export async function run_examples(answers, page) {
  const examples = read_examples(page);
  const written = page.match(/```http/g)?.length ?? 0;
  assert(written > 0 && examples.length === written, 'an example is not in the form that runs');
  for (const { method, target, headers, body, status, answer } of examples) {
    const where = `${method} ${target}`;
    const reply = await answers.ask(method, target, { body, headers });
    assert.equal(reply.status, status, `${where}: ${JSON.stringify(reply.json)}`);
    if (answer) check_shape(JSON.parse(answer), reply.json, where);
  }
  return examples.length;
}
