import { use } from 'react'
import type { Block } from '#kit/mail-body.ts'
import { LayoutTable } from './layout-table.tsx'
import { MailButton } from './mail-button.tsx'
import { MailFacts } from './mail-facts.tsx'
import { MailParagraph } from './mail-paragraph.tsx'
import { MailSteps } from './mail-steps.tsx'
import { colors, font, MailAccent, paragraph, wrapAnywhere } from './mail-styles.ts'

const tones = {
  plain: { background: colors.plain, color: colors.text },
  good: { background: colors.good, color: colors.goodText },
  warn: { background: colors.warn, color: colors.warnText },
}

/** One block of an email. Only the first button is a primary button. */
export function MailBlock({ block, isFirst }: { block: Block; isFirst: boolean }) {
  const accent = use(MailAccent)
  switch (block.kind) {
    case 'text':
      return <MailParagraph text={block.text} />
    case 'button':
      return <MailButton {...block} isFirst={isFirst} />
    case 'facts':
      return <MailFacts rows={block.rows} />
    case 'steps':
      return <MailSteps items={block.items} />
    case 'note':
      return (
        <LayoutTable style={{ margin: '4px 0 18px' }}>
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
        </LayoutTable>
      )
    case 'quote':
      return (
        <LayoutTable style={{ margin: '4px 0 18px' }}>
          <tr>
            <td
              className="m-quote"
              style={{
                ...font,
                background: colors.plain,
                color: colors.text,
                padding: '14px 18px',
                borderLeft: `4px solid ${accent.button}`,
                borderRadius: '4px 12px 12px 4px',
              }}
            >
              <p
                className="m-soft"
                style={{
                  ...font,
                  margin: '0 0 4px',
                  color: colors.soft,
                  fontSize: '13px',
                  lineHeight: '18px',
                  fontWeight: 600,
                }}
              >
                {block.by}
              </p>
              {block.text.split('\n').map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                <p key={index} className="m-text" style={{ ...paragraph, ...wrapAnywhere, minHeight: '12px' }}>
                  {line}
                </p>
              ))}
            </td>
          </tr>
        </LayoutTable>
      )
  }
}
