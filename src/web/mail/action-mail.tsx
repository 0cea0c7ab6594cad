import { breaking, font, ink } from './mail-look.ts'

interface Props {
  label: string
  url: string
  plain?: boolean
  isFirst: boolean
}

/** A link as a button, and as its address where it must work in every mail program. */
export function ActionMail({ label, url, plain, isFirst }: Props) {
  const look = {
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
            <td className="m-action" style={{ borderRadius: '12px', background: isFirst ? ink.brand : undefined }}>
              {isFirst ? (
                <a
                  href={url}
                  className="m-button"
                  style={{
                    ...look,
                    padding: '14px 24px',
                    border: `1px solid ${ink.brand}`,
                    background: ink.brand,
                    color: ink.onBrand,
                  }}
                >
                  {label}
                </a>
              ) : (
                <a
                  href={url}
                  className="m-line"
                  style={{ ...look, padding: '13px 23px', border: '1px solid #a89b90', color: ink.text }}
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
          style={{ ...font, ...breaking, margin: '-6px 0 20px', color: ink.soft, fontSize: '13px', lineHeight: '20px' }}
        >
          Does the button not work? Open this address:
          <br />
          <a className="m-link" href={url} style={{ color: ink.link }}>
            {url}
          </a>
        </p>
      )}
    </>
  )
}
