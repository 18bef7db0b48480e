// Makes a form from the request fields of a lifecycle, and the request from the filled form.
import type { Field, Json, Lifecycle } from './types';

export type Control = 'text' | 'area' | 'number' | 'check' | 'choice' | 'list' | 'json';
export type Values = Record<string, string | boolean>;
export type Wrong = Record<string, string>;

const CONTROLS = new Map<string, Control>([
  ['number', 'number'],
  ['boolean', 'check'],
  ['list', 'list'],
  ['object', 'json'],
]);

// A field of an unknown type is a text.
export function control_of(field: Field): Control {
  const control = CONTROLS.get(field.type);
  if (field.values.length && !control) return 'choice';
  return control ?? (field.lines ? 'area' : 'text');
}

// The controls of a form: an object with known fields has one for each of them, named by its path.
export function controls_of(fields: Field[]): Field[] {
  return fields.flatMap((field) =>
    field.fields?.length
      ? field.fields.map((inner) => ({ ...inner, name: `${field.name}.${inner.name}` }))
      : field,
  );
}

// What is said below a control. The lengths of texts and lists are left to the error.
export function about_of(field: Field): string {
  const expects = field.expects ?? '';
  if (!expects || field.values.length || expects.startsWith('at most')) return field.about;
  return `${field.about}: ${expects}`;
}

// Sets a value by its path, such as limits.per_host.
function put(request: { [name: string]: Json }, path: string, value: Json): void {
  const [first, inner] = path.split('.', 2) as [string, string | undefined];
  if (inner === undefined) request[first] = value;
  else request[first] = { ...(request[first] as { [name: string]: Json }), [inner]: value };
}

interface Read {
  value?: Json;
  wrong?: string;
}

function read_json(text: string, field: Field): Read {
  try {
    const value = JSON.parse(text) as Json;
    const is_object = value !== null && typeof value === 'object' && !Array.isArray(value);
    return is_object ? { value } : { wrong: 'must be an object, such as {"name": "value"}' };
  } catch {
    return { wrong: `not JSON: ${field.name} is an object, such as {"name": "value"}` };
  }
}

function read_number(text: string): Read {
  const value = Number(text.trim());
  return Number.isSafeInteger(value) ? { value } : { wrong: 'must be a whole number' };
}

function read(field: Field, entered: string | boolean | undefined): Read {
  if (typeof entered === 'boolean') return entered ? { value: true } : {};
  const control = control_of(field);
  const text = entered ?? '';
  if (text.trim() === '') return {};
  if (control === 'number') return read_number(text);
  if (control === 'json') return read_json(text, field);
  if (control === 'list') {
    const rows = text
      .split(/\r\n|\r|\n/)
      .map((row) => row.trim())
      .filter(Boolean);
    return { value: rows };
  }
  return { value: control === 'area' ? text : text.trim() };
}

// Leaves empty fields out of the request; an empty required field is an error.
export function request_of(
  fields: Field[],
  values: Values,
): { request: { [name: string]: Json }; wrong: Wrong } {
  const request: { [name: string]: Json } = {};
  const wrong: Wrong = {};
  for (const field of fields) {
    const got = read(field, values[field.name]);
    if (got.wrong) wrong[field.name] = got.wrong;
    else if (got.value !== undefined) put(request, field.name, got.value);
    else if (field.required && control_of(field) !== 'check') wrong[field.name] = 'required';
  }
  return { request, wrong };
}

// Whether pasted links can become jobs of this lifecycle, one link each.
export function takes_links(table: Lifecycle): boolean {
  const has = (name: string) => table.request.some((field) => field.name === name);
  return has('url') && has('urls');
}

// Why the daemon cannot run such jobs. Empty if it can.
export function setup_of(table: Lifecycle): string {
  return table.not_ready ? `The daemon cannot run ${table.name} jobs: ${table.not_ready}.` : '';
}

// The server names a field by its path (`request.filters.min_size`); the form has a control for the
// whole path or for its first name. Errors that no control can show are returned in `rest`.
export function errors_of(
  fields: Field[],
  server: Wrong | undefined,
): { wrong: Wrong; rest: string[] } {
  const wrong: Wrong = {};
  const rest: string[] = [];
  for (const [path, why] of Object.entries(server ?? {})) {
    const names = path
      .replace(/^\/?request[./]/, '')
      .replace(/^\//, '')
      .split(/[./[]/);
    const within = fields.find((one) => one.name === `${names[0]}.${names[1]}`);
    const field = within ?? fields.find((one) => one.name === names[0]);
    if (!field) rest.push(`${path}: ${why}`);
    else {
      const more = names.slice(within ? 2 : 1);
      wrong[field.name] = more.length ? `${more.join('.').replace(/]/g, '')}: ${why}` : why;
    }
  }
  return { wrong, rest };
}
