/** Splits a stream of text pieces into the data of its server-sent events. */
export interface SseDecoder {
  /** The data of every event that `text` completed. */
  push(text: string): string[];
  /** The data of a last event whose closing blank line is missing: several servers leave it out. */
  end(): string[];
}

/**
 * Reads server-sent events, whatever the line ends and wherever the pieces are
 * cut. Only `data` is kept; comments (keep-alives) and other fields are ignored.
 * Source: WHATWG HTML, "Server-sent events", interpretation of an event stream.
 */
export function createSseDecoder(): SseDecoder {
  // A line may arrive in thousands of pieces: they are joined once, at its end.
  let pieces: string[] = [];
  let data: string[] = [];
  let endedWithReturn = false;

  function takeLine(end: string, events: string[]): void {
    pieces.push(end);
    const line = pieces.join('');
    pieces = [];
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
    } else if (line === 'data' || line.startsWith('data:')) {
      const value = line.slice(5);
      data.push(value.startsWith(' ') ? value.slice(1) : value);
    }
  }

  function push(text: string): string[] {
    const events: string[] = [];
    // A \r\n cut between its halves is one line end, not two.
    let start = endedWithReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') endedWithReturn = text.endsWith('\r');
    const lineEnd = /\r\n|\r|\n/g;
    lineEnd.lastIndex = start;
    for (let match = lineEnd.exec(text); match; match = lineEnd.exec(text)) {
      takeLine(text.slice(start, match.index), events);
      start = lineEnd.lastIndex;
    }
    if (start < text.length) pieces.push(text.slice(start));
    return events;
  }

  return { push, end: () => push('\n\n') };
}
