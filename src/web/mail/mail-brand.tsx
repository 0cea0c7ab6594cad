import type { MailBody } from '#kit/mail-body.ts'
import { colors, font } from './mail-styles.ts'

/** The operator's logo, or its name and a logo made of its first letter. */
export function MailBrand({ brand }: { brand: MailBody['brand'] }) {
  if (brand.logo)
    return (
      <img
        src={brand.logo.url}
        width={brand.logo.width}
        height={brand.logo.height}
        alt={brand.name}
        className="m-brand"
        style={{ ...font, display: 'block', border: 0, color: colors.text, fontSize: '19px', fontWeight: 700 }}
      />
    )
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          <td
            width="36"
            height="36"
            align="center"
            aria-hidden="true"
            style={{
              ...font,
              background: colors.brand,
              borderRadius: '11px',
              color: colors.onBrand,
              fontSize: '20px',
              lineHeight: '36px',
              fontWeight: 800,
            }}
          >
            {[...brand.name.trim()][0]?.toUpperCase()}
          </td>
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
            {brand.name}
          </td>
        </tr>
      </tbody>
    </table>
  )
}
