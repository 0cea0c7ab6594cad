import type { MailBody } from '#kit/mail-body.ts'
import { LayoutTable } from './layout-table.tsx'
import { MailBlock } from './mail-block.tsx'
import { MailBrand } from './mail-brand.tsx'
import { MailFooter } from './mail-footer.tsx'
import { brandBars, colors, font, MailAccent, paragraph, styleSheet } from './mail-styles.ts'

/** A complete email: tables and inline styles, which every email client supports, and no images but the operator's logo. */
export function MailDocument({ mailBody }: { mailBody: MailBody }) {
  const { subject, preview, heading, greeting, blocks, brand, reason, unsubscribeUrl } = mailBody
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
        <style>{styleSheet(brand.accent)}</style>
      </head>
      <MailAccent value={brand.accent}>
        <body className="m-back" style={{ margin: 0, padding: 0, background: colors.page }}>
          <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>{preview}</div>
          <LayoutTable className="m-back" style={{ background: colors.page }}>
            <tr>
              <td className="m-page" align="center" style={{ padding: '32px 16px', background: colors.page }}>
                <LayoutTable style={{ maxWidth: '600px' }}>
                  <tr>
                    <td style={{ padding: '0 6px 18px' }}>
                      <MailBrand brand={brand} />
                    </td>
                  </tr>
                  <tr>
                    <td
                      className="m-card"
                      style={{
                        background: colors.card,
                        border: `1px solid ${colors.line}`,
                        borderRadius: '18px',
                        overflow: 'hidden',
                      }}
                    >
                      <LayoutTable>
                        <tr>
                          {brandBars(brand.accent.button).map((color) => (
                            <td
                              key={color}
                              width="12.5%"
                              height="6"
                              style={{ background: color, fontSize: 0, lineHeight: 0 }}
                            >
                              {' '}
                            </td>
                          ))}
                        </tr>
                      </LayoutTable>
                      <LayoutTable>
                        <tr>
                          <td className="m-body" style={{ padding: '36px 40px 40px' }}>
                            <h1
                              className="m-title"
                              style={{
                                ...font,
                                margin: '0 0 18px',
                                color: colors.text,
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
                              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                              <MailBlock key={index} block={block} isFirst={index === first} />
                            ))}
                          </td>
                        </tr>
                      </LayoutTable>
                    </td>
                  </tr>
                  <tr>
                    <td style={{ padding: '22px 24px 8px' }}>
                      <MailFooter brand={brand} reason={reason} unsubscribeUrl={unsubscribeUrl} />
                    </td>
                  </tr>
                </LayoutTable>
              </td>
            </tr>
          </LayoutTable>
        </body>
      </MailAccent>
    </html>
  )
}
