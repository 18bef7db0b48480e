// The receipt of a landed item: one line, which opens the whole of it.
import { clock } from '../format';
import { Address, Pieces } from '../parts/text';
import { receipt_rows, receipt_words, type ReceiptRow } from '../receipt';
import { cut_middle } from '../text';
import type { Item } from '../types';

// Only a URL may be cut: a hash without some of its digits proves nothing.
function Shown({ value, what }: { value: string; what: ReceiptRow['what'] }) {
  if (what === 'url') return <Address text={value} />;
  if (what === 'time') return <time dateTime={value}>{clock(value)}</time>;
  return (
    <bdi class="prose">
      <Pieces text={value} />
    </bdi>
  );
}

export function Receipt({ item }: { item: Item }) {
  const rows = receipt_rows(item);
  if (rows.length === 0) return null;
  return (
    <details class="receipt item-why">
      <summary>
        Receipt: <Pieces text={cut_middle(receipt_words(item), 200)} />
      </summary>
      <dl class="facts">
        {rows.map(({ name, values, what }) => (
          <div key={name}>
            <dt>{name}</dt>
            {values.map((value, index) => (
              <dd key={index}>
                <Shown value={value} what={what} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}
