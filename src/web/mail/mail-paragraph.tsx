import { use } from 'react'
import { MailAccent, paragraph, wrapAnywhere } from './mail-styles.ts'

const urlPattern = /(https?:\/\/[^\s]*[^\s.,;:!?)])/

/** A paragraph; URLs in it become links. */
export function MailParagraph({ text }: { text: string }) {
  const accent = use(MailAccent)
  return (
    <p className="m-text" style={{ ...paragraph, ...wrapAnywhere, marginBottom: '18px' }}>
      {text.split(urlPattern).map((part, index) =>
        index % 2 === 1 ? (
          <a key={part} className="m-link" href={part} style={{ color: accent.link }}>
            {part.replace(/^https?:\/\//, '')}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}
