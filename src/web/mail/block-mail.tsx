import type { Block } from '#kit/letter.ts'
import { ActionMail } from './action-mail.tsx'
import { FactsMail } from './facts-mail.tsx'
import { breaking, font, ink, paragraph } from './mail-look.ts'
import { StepsMail } from './steps-mail.tsx'
import { TableMail } from './table-mail.tsx'
import { WordsMail } from './words-mail.tsx'

const tones = {
  plain: { background: ink.plain, color: ink.text },
  good: { background: ink.good, color: ink.goodText },
  warn: { background: ink.warn, color: ink.warnText },
}

/** One part of a letter. The first button is the one to press. */
export function BlockMail({ block, isFirst }: { block: Block; isFirst: boolean }) {
  switch (block.kind) {
    case 'text':
      return <WordsMail text={block.text} />
    case 'button':
      return <ActionMail {...block} isFirst={isFirst} />
    case 'facts':
      return <FactsMail rows={block.rows} />
    case 'steps':
      return <StepsMail items={block.items} />
    case 'note':
      return (
        <TableMail style={{ margin: '4px 0 18px' }}>
          <tr>
            <td
              className={`m-${block.tone}`}
              style={{
                ...paragraph,
                ...tones[block.tone],
                padding: '13px 16px',
                borderRadius: '12px',
                fontSize: '15px',
                lineHeight: '22px',
              }}
            >
              {block.text}
            </td>
          </tr>
        </TableMail>
      )
    case 'quote':
      return (
        <TableMail style={{ margin: '4px 0 18px' }}>
          <tr>
            <td
              className="m-quote"
              style={{
                ...font,
                background: ink.plain,
                color: ink.text,
                padding: '14px 18px',
                borderLeft: `4px solid ${ink.brand}`,
                borderRadius: '4px 12px 12px 4px',
              }}
            >
              <p
                className="m-soft"
                style={{
                  ...font,
                  margin: '0 0 4px',
                  color: ink.soft,
                  fontSize: '13px',
                  lineHeight: '18px',
                  fontWeight: 600,
                }}
              >
                {block.by}
              </p>
              {block.text.split('\n').map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a letter is written once
                <p key={index} className="m-text" style={{ ...paragraph, ...breaking, minHeight: '12px' }}>
                  {line}
                </p>
              ))}
            </td>
          </tr>
        </TableMail>
      )
  }
}
