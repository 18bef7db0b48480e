// Shows text from outside, always as a text node. Characters that hide or reorder text are shown by
// their code.
import { useState } from 'preact/hooks';
import { cut_middle, pieces, plain, safe_href, split_tail } from '../text';

const NAME_MAX = 400;
const TITLE_MAX = 600;
const TAIL = 9;

export function Pieces({ text, lines = false }: { text: string; lines?: boolean }) {
  return (
    <>
      {pieces(text, lines).map((piece, index) =>
        piece.escaped ? (
          <span key={index} class="escaped">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

// One line that loses its middle if there is no room; the end of the name stays.
export function Name({ text }: { text: string }) {
  const [head, tail] = split_tail(cut_middle(text, NAME_MAX), TAIL);
  return (
    <bdi class="name" title={plain(cut_middle(text, TITLE_MAX))}>
      <span class="name-head">
        <Pieces text={head} />
      </span>
      {tail && (
        <span class="name-tail">
          <Pieces text={tail} />
        </span>
      )}
    </bdi>
  );
}

// Prose, which may wrap.
export function Prose({ text, max = 2_000 }: { text: string; max?: number }) {
  return (
    <bdi class="prose">
      <Pieces text={cut_middle(text, max)} lines />
    </bdi>
  );
}

const LONG = 400;

// Text of any length. Cuts the middle of a long text until the user asks for all of it.
export function Long({ text }: { text: string }) {
  const [all, show] = useState(false);
  if (text.length <= LONG) return <Prose text={text} />;
  return (
    <>
      <Prose text={text} max={all ? 20_000 : LONG} />{' '}
      <button type="button" class="link-button" aria-expanded={all} onClick={() => show(!all)}>
        {all ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
      </button>
    </>
  );
}

// A URL: a link if a browser may open it, else text.
export function Address({ text }: { text: string }) {
  const href = safe_href(text);
  if (!href) return <Long text={text} />;
  return (
    <a class="address" href={href} target="_blank" rel="noopener noreferrer nofollow">
      <Prose text={text} />
    </a>
  );
}
