import { inflateSync } from 'node:zlib'

const windows1252 = new TextDecoder('windows-1252')

/** Returns the text runs of a PDF in their order. Reads standard fonts only. */
export function pdfText(bytes: Uint8Array): string[] {
  return streams(bytes).flatMap((content) =>
    Array.from(content.matchAll(/\[([^\]]*)\] TJ/g), ([, pieces]) => runOf(pieces!)),
  )
}

/** Returns the number of pages of a PDF and the size of the first page in points. */
export function pdfPages(bytes: Uint8Array): { count: number; size: number[] } {
  const source = Buffer.from(bytes).toString('latin1')
  const [, size = ''] = /\/MediaBox \[([^\]]*)\]/.exec(source) ?? []
  return { count: source.match(/\/Type \/Page\b/g)?.length ?? 0, size: size.split(' ').slice(2).map(Number) }
}

/** Returns the targets of the links in a PDF. */
export const pdfLinks = (bytes: Uint8Array): string[] =>
  Array.from(
    Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/\/URI \(([^)]*)\)/g),
    ([, to]) => to!,
  )

function streams(bytes: Uint8Array): string[] {
  const source = Buffer.from(bytes).toString('latin1')
  return Array.from(source.matchAll(/\/FlateDecode\s*>>\s*stream\n([\s\S]*?)\nendstream/g), ([, compressed]) =>
    inflateSync(Buffer.from(compressed!, 'latin1')).toString('latin1'),
  )
}

const runOf = (pieces: string): string =>
  windows1252.decode(Buffer.from(Array.from(pieces.matchAll(/<([0-9a-f]*)>/gi), ([, hex]) => hex).join(''), 'hex'))
