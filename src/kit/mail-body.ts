/** One block of an email body. All values are plain text, never markup; the renderer decides how they look. */
export type Block =
  | { kind: 'text'; text: string }
  /** A call to action. `plain` repeats the URL for mail clients that show no buttons. */
  | { kind: 'button'; label: string; url: string; plain?: boolean }
  | { kind: 'facts'; rows: [label: string, value: string][] }
  | { kind: 'steps'; items: string[] }
  | { kind: 'note'; tone: 'plain' | 'good' | 'warn'; text: string }
  /** Quoted text with its line breaks. */
  | { kind: 'quote'; by: string; text: string }

/** The content of an email, independent of its HTML and plain text forms. */
export type MailBody = {
  subject: string
  /** The preview text that mail clients show next to the subject. */
  preview: string
  heading: string
  greeting: string
  blocks: Block[]
  /** Why the recipient got this email. */
  reason: string
  /** The URL that turns off emails of this kind, without a login. */
  unsubscribeUrl?: string
  brand: {
    name: string
    url: string
    email: string
    phone: string
    /**
     * The URL of the operator's logo, with the size in pixels at which it is shown; null to show the first letter of the name.
     * `containsName`: the logo contains the name, so the name is not repeated beside it.
     */
    logo: { url: string; width: number; height: number; containsName: boolean } | null
    /** The accent colors as `#rrggbb`: of buttons, and of links on a light and on a dark background. */
    accent: { button: string; link: string; darkLink: string }
  }
}

/** Replaces line breaks and control characters with spaces, so that the text cannot end an email header. */
export const toSingleLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

/** Returns the email as plain text, with the same content in the same order as the HTML. */
export function mailBodyText({ heading, greeting, blocks, reason, unsubscribeUrl, brand }: MailBody): string {
  const contact = [brand.email, brand.phone].filter(Boolean).join(' · ')
  const parts = [
    heading.toUpperCase(),
    greeting,
    ...blocks.map((block) => blockText(block)),
    ['--', brand.name, brand.url, contact, reason, unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`]
      .filter(Boolean)
      .join('\n'),
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
