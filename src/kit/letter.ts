/** One part of a letter. Plain words throughout: whoever shows it decides how, and nothing in it is markup. */
export type Block =
  | { kind: 'text'; text: string }
  /** The one thing to do. `plain` repeats the address for readers whose mail program shows no buttons. */
  | { kind: 'button'; label: string; url: string; plain?: boolean }
  | { kind: 'facts'; rows: [label: string, value: string][] }
  | { kind: 'steps'; items: string[] }
  | { kind: 'note'; tone: 'plain' | 'good' | 'warn'; text: string }
  /** Somebody else's words, line breaks kept. */
  | { kind: 'quote'; by: string; text: string }

/** What a mail says, before it is HTML or plain text. */
export type Letter = {
  subject: string
  /** The line that mail programs show beside the subject. */
  preview: string
  heading: string
  greeting: string
  blocks: Block[]
  /** Why the reader got it. */
  reason: string
  brand: { name: string; url: string; email: string; phone: string }
}

/** A text as one line: what ends up in a header must hold nothing that could end one. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

/** The letter as plain text, the same words in the same order. */
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
