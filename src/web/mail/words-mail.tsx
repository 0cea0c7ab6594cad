import { breaking, ink, paragraph } from './mail-look.ts'

const address = /(https?:\/\/[^\s]*[^\s.,;:!?)])/

/** A paragraph; addresses in it can be followed. */
export function WordsMail({ text }: { text: string }) {
  return (
    <p className="m-text" style={{ ...paragraph, ...breaking, marginBottom: '18px' }}>
      {text.split(address).map((part, index) =>
        index % 2 === 1 ? (
          <a key={part} className="m-link" href={part} style={{ color: ink.link }}>
            {part.replace(/^https?:\/\//, '')}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}
