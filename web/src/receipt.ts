// What the receipt of a landed file says: in few words, and as the rows of `haul show --receipts`.
import type { Item, Json } from './types';

const RULES: Record<string, string> = {
  hash: 'proven by its hash',
  pieces: 'proven by the hashes of its pieces',
  etag: 'whole, by ETag and size',
  size: 'whole, by its size',
  unverified: 'its length is not proven',
  engine: 'whole, says its program',
  already_here: 'was here already',
};

const UNCHECKED = 'the certificate was not checked';

export interface ReceiptRow {
  name: string;
  values: string[];
  what?: 'url' | 'time';
}

type Receipt = { [name: string]: Json };

function receipt_of({ evidence }: Item): Receipt {
  return evidence && typeof evidence === 'object' && !Array.isArray(evidence) ? evidence : {};
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');

export function receipt_words(item: Item): string {
  const { kind, beside, unchecked } = receipt_of(item);
  const rule = text(kind);
  // That no certificate was checked is why the file is unverified.
  const words = unchecked === true && rule === 'unverified' ? [] : [RULES[rule] ?? rule];
  if (unchecked === true) words.push(UNCHECKED);
  if (text(beside)) words.push(`newer than ${text(beside).split('/').pop()}`);
  return words.filter((word) => word !== '').join(' · ');
}

function rule_of({ kind, was, compared, unchecked }: Receipt): string {
  const words = [text(kind)];
  if (text(was)) words.push(`was ${text(was)}`);
  if (compared === true) words.push('its bytes were compared');
  if (unchecked === true) words.push(UNCHECKED);
  return words.join(', ');
}

const count = (number: number) => number.toLocaleString('en');

const RANGES_MAX = 32; // A receipt has no more: the shortest are joined.

// How many replies brought the bytes. Without a strong validator haul compares only the size that
// each reply names, as it does for mirrors and for the bytes of a former link.
function ranges_of(receipt: Receipt): string {
  const ranges = Array.isArray(receipt['ranges']) ? receipt['ranges'].length : 0;
  if (ranges === 0) return '';
  const [etag, date] = [text(receipt['etag']), text(receipt['last_modified'])];
  const is_strong = etag ? !etag.startsWith('W/') : date !== '';
  const is_one_source = !text(receipt['sources']) && !text(receipt['former_url']);
  const version = is_strong && is_one_source ? ', each of this version' : '';
  return `${ranges}${ranges < RANGES_MAX ? '' : ' or more'}${version}`;
}

// Only the rows that the receipt has. None if no rule accepted the file.
export function receipt_rows(item: Item): ReceiptRow[] {
  const receipt = receipt_of(item);
  if (!text(receipt['kind'])) return [];
  const rows: ReceiptRow[] = [];
  const add = (name: string, value: Json | undefined, what?: ReceiptRow['what']) => {
    const values = (Array.isArray(value) ? value : [value]).map(text).filter(Boolean);
    if (values.length > 0) rows.push({ name, values, ...(what && { what }) });
  };
  const { segments } = receipt;
  const decoded = receipt['decoded'] === true ? ', decoded' : '';
  add('file', item.path);
  add('rule', rule_of(receipt));
  if (item.size !== null) add('size', `${count(item.size)} bytes${decoded}`);
  for (const hash of ['sha256', 'sha512', 'sha1', 'md5', 'pieces']) add(hash, receipt[hash]);
  add('etag', receipt['etag']);
  add('last modified', receipt['last_modified']);
  add('url', item.url, 'url');
  add('final url', receipt['url'], 'url');
  add('former url', receipt['former_url'], 'url');
  add('started over', receipt['started_over']);
  add('sources', text(receipt['sources']).split(' '), 'url');
  add('ranges', ranges_of(receipt));
  if (typeof segments === 'number') add('segments', count(segments));
  add('engine', receipt['engine']);
  add('beside', receipt['beside']);
  add('landed', receipt['landed_at'], 'time');
  return rows;
}
