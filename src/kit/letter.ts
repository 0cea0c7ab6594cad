/** One block of an email body. It contains plain text only; the renderer decides how it looks. */
export type Block =
  | { kind: 'text'; text: string }
  /** The main action. `plain` repeats the URL as text, for mail programs that show no buttons. */
  | { kind: 'button'; label: string; url: string; plain?: boolean }
  | { kind: 'facts'; rows: [label: string, value: string][] }
  | { kind: 'steps'; items: string[] }
  | { kind: 'note'; tone: 'plain' | 'good' | 'warn'; text: string }
  /** Text written by another person; line breaks are kept. */
  | { kind: 'quote'; by: string; text: string }

/** The content of an email, before it is rendered as HTML or plain text. */
export type Letter = {
  subject: string
  /** The preview text that mail programs show next to the subject. */
  preview: string
  heading: string
  greeting: string
  blocks: Block[]
  /** Why the recipient gets this email. */
  reason: string
  brand: { name: string; url: string; email: string; phone: string }
}

/** Replaces line breaks and control characters by spaces, so that the text is safe in a header. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

/** Renders an email as plain text, with the same content as the HTML version. */
export function letterText({ heading, greeting, blocks, reason, brand }: Letter): string {
  const contact = [brand.email, brand.phone].filter(Boolean).join(' · ')
  const parts = [
    heading.toUpperCase(),
    greeting,
    ...blocks.map((block) => blockText(block)),
    ['--', brand.name, brand.url, contact, reason].filter(Boolean).join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
    case 'steps':
      return block.items.map((item, index) => `${index + 1}. ${item}`).join('\n')
    case 'note':
      return `* ${block.text}`
    case 'quote':
      return `${block.by}:\n${block.text.replace(/^/gm, '> ')}`
  }
}
