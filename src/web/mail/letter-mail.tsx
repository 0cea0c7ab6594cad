import type { Letter } from '#kit/letter.ts'
import { BlockMail } from './block-mail.tsx'
import { BrandMail } from './brand-mail.tsx'
import { FootMail } from './foot-mail.tsx'
import { bars, font, ink, paragraph, sheet } from './mail-look.ts'
import { TableMail } from './table-mail.tsx'

/** A whole mail: tables and inline styles, which every mail program understands, and no picture of anybody. */
export function LetterMail({ letter }: { letter: Letter }) {
  const { subject, preview, heading, greeting, blocks, brand, reason } = letter
  const first = blocks.findIndex((block) => block.kind === 'button')
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{subject}</title>
        <style>{sheet}</style>
      </head>
      <body className="m-back" style={{ margin: 0, padding: 0, background: ink.page }}>
        <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>{preview}</div>
        <TableMail className="m-back" style={{ background: ink.page }}>
          <tr>
            <td className="m-page" align="center" style={{ padding: '32px 16px', background: ink.page }}>
              <TableMail style={{ maxWidth: '600px' }}>
                <tr>
                  <td style={{ padding: '0 6px 18px' }}>
                    <BrandMail brand={brand} />
                  </td>
                </tr>
                <tr>
                  <td
                    className="m-card"
                    style={{
                      background: ink.card,
                      border: `1px solid ${ink.line}`,
                      borderRadius: '18px',
                      overflow: 'hidden',
                    }}
                  >
                    <TableMail>
                      <tr>
                        {bars.map((colour) => (
                          <td
                            key={colour}
                            width="12.5%"
                            height="6"
                            style={{ background: colour, fontSize: 0, lineHeight: 0 }}
                          >
                            {' '}
                          </td>
                        ))}
                      </tr>
                    </TableMail>
                    <TableMail>
                      <tr>
                        <td className="m-body" style={{ padding: '36px 40px 40px' }}>
                          <h1
                            className="m-title"
                            style={{
                              ...font,
                              margin: '0 0 18px',
                              color: ink.text,
                              fontSize: '30px',
                              lineHeight: '36px',
                              fontWeight: 750,
                              letterSpacing: '-0.6px',
                            }}
                          >
                            {heading}
                          </h1>
                          <p className="m-text" style={{ ...paragraph, marginBottom: '14px' }}>
                            {greeting}
                          </p>
                          {blocks.map((block, index) => (
                            // biome-ignore lint/suspicious/noArrayIndexKey: a letter is written once
                            <BlockMail key={index} block={block} isFirst={index === first} />
                          ))}
                        </td>
                      </tr>
                    </TableMail>
                  </td>
                </tr>
                <tr>
                  <td style={{ padding: '22px 24px 8px' }}>
                    <FootMail brand={brand} reason={reason} />
                  </td>
                </tr>
              </TableMail>
            </td>
          </tr>
        </TableMail>
      </body>
    </html>
  )
}
