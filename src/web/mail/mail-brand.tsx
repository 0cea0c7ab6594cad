import type { MailBody } from '#kit/mail-body.ts'
import { colors, font } from './mail-styles.ts'

/** The operator's logo, or its name and a logo made of its first letter. */
export function MailBrand({ brand }: { brand: MailBody['brand'] }) {
  const { logo, name, accent } = brand
  const nameStyle = { ...font, color: colors.text, fontSize: '19px', fontWeight: 700 }
  const image = logo && (
    <img
      src={logo.url}
      width={logo.width}
      height={logo.height}
      alt={logo.containsName ? name : ''}
      className="m-brand"
      style={{ ...nameStyle, display: 'block', border: 0 }}
    />
  )
  if (logo?.containsName) return image
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          {image ? (
            <td>{image}</td>
          ) : (
            <td
              width="36"
              height="36"
              align="center"
              aria-hidden="true"
              style={{
                ...font,
                background: accent.button,
                borderRadius: '11px',
                color: colors.onBrand,
                fontSize: '20px',
                lineHeight: '36px',
                fontWeight: 800,
              }}
            >
              {[...name.trim()][0]?.toUpperCase()}
            </td>
          )}
          <td
            className="m-brand"
            style={{
              ...font,
              paddingLeft: '11px',
              color: colors.text,
              fontSize: '19px',
              fontWeight: 700,
              letterSpacing: '-0.3px',
            }}
          >
            {name}
          </td>
        </tr>
      </tbody>
    </table>
  )
}
