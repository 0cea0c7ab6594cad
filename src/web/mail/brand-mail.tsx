import type { Letter } from '#kit/letter.ts'
import { font, ink } from './mail-look.ts'

/** The operator's name with a mark made of its first letter. */
export function BrandMail({ brand }: { brand: Letter['brand'] }) {
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
              background: ink.brand,
              borderRadius: '11px',
              color: ink.onBrand,
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
              color: ink.text,
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
