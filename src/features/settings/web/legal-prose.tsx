import { textBlocks } from './text-blocks.ts'

/** Renders a legal text with headings, paragraphs and lists. Everything else is plain text. */
export function LegalProse({ text, heading: Heading = 'h2' }: { text: string; heading?: 'h2' | 'h4' }) {
  return (
    <div className="prose">
      {textBlocks(text).map((block, index) => {
        const key = `${index}-${block.kind}`
        if (block.kind === 'list')
          return (
            <ul key={key}>
              {block.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )
        return block.kind === 'heading' ? (
          <Heading key={key} className={Heading === 'h4' ? 'mt-4 text-lg' : undefined}>
            {block.text}
          </Heading>
        ) : (
          <p key={key}>{block.text}</p>
        )
      })}
    </div>
  )
}
