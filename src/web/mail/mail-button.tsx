import { use } from 'react'
import { colors, font, MailAccent, wrapAnywhere } from './mail-styles.ts'

interface Props {
  label: string
  url: string
  plain?: boolean
  isFirst: boolean
}

/** A link that looks like a button; with `plain` the URL is repeated as text for email clients that do not show buttons. */
export function MailButton({ label, url, plain, isFirst }: Props) {
  const accent = use(MailAccent)
  const linkStyle = {
    ...font,
    display: 'inline-block',
    borderRadius: '12px',
    fontSize: '16px',
    lineHeight: '20px',
    fontWeight: 650,
    textAlign: 'center',
    textDecoration: 'none',
  } as const
  return (
    <>
      <table
        role="presentation"
        cellPadding={0}
        cellSpacing={0}
        border={0}
        className="m-action"
        style={{ margin: '6px 0 22px', borderCollapse: 'separate' }}
      >
        <tbody className="m-action">
          <tr className="m-action">
            <td className="m-action" style={{ borderRadius: '12px', background: isFirst ? accent.button : undefined }}>
              {isFirst ? (
                <a
                  href={url}
                  className="m-button"
                  style={{
                    ...linkStyle,
                    padding: '14px 24px',
                    border: `1px solid ${accent.button}`,
                    background: accent.button,
                    color: colors.onBrand,
                  }}
                >
                  {label}
                </a>
              ) : (
                <a
                  href={url}
                  className="m-line"
                  style={{ ...linkStyle, padding: '13px 23px', border: '1px solid #a89b90', color: colors.text }}
                >
                  {label}
                </a>
              )}
            </td>
          </tr>
        </tbody>
      </table>
      {plain && (
        <p
          className="m-soft"
          style={{
            ...font,
            ...wrapAnywhere,
            margin: '-6px 0 20px',
            color: colors.soft,
            fontSize: '13px',
            lineHeight: '20px',
          }}
        >
          If the button does not work, open this link:
          <br />
          <a className="m-link" href={url} style={{ color: accent.link }}>
            {url}
          </a>
        </p>
      )}
    </>
  )
}
