/** A parsed email: its unfolded headers by lower-case name, and its parts by media type. */
export type MailParts = {
  headers: Map<string, string[]>
  text: string
  html: string
  files: { name: string; bytes: Buffer }[]
}

/** Parses an email with multipart, quoted-printable and base64 encodings. */
export function mailParts(raw: string): MailParts {
  const { headers, body } = split(raw)
  const parts: MailParts = { headers, text: '', html: '', files: [] }
  collect(headers, body, parts)
  return parts
}

/** Returns a header with its encoded words decoded. */
export const header = ({ headers }: Pick<MailParts, 'headers'>, name: string): string =>
  (headers.get(name)?.[0] ?? '')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decodeQuotedPrintable(text.replaceAll('_', ' ')).toString(),
    )

function collect(headers: Map<string, string[]>, body: string, into: MailParts): void {
  const type = headers.get('content-type')?.[0] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary) {
    for (const piece of body.split(`--${boundary}`).slice(1, -1)) {
      const inner = split(piece.replace(/^\r\n|\r\n$/g, ''))
      collect(inner.headers, inner.body, into)
    }
    return
  }
  const encoding = headers.get('content-transfer-encoding')?.[0]?.toLowerCase()
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body)
        : Buffer.from(body)
  const name = /filename="?([^";]+)"?/.exec(headers.get('content-disposition')?.[0] ?? '')?.[1]
  if (name) into.files.push({ name, bytes })
  else if (type.startsWith('text/html')) into.html = bytes.toString()
  else into.text = bytes.toString().replaceAll('\r\n', '\n')
}

function split(raw: string): { headers: Map<string, string[]>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value])
  }
  return { headers, body: raw.slice(end + 4) }
}

const decodeQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
