import { logoContainsName } from '#kit/logo.ts'
import type { Brand } from './logo.tsx'

/** The operator's brand on a document: the uploaded logo, with the name unless the logo contains it. Without a logo, the name alone. */
export function BrandName({ brand: { name, logo } }: { brand: Pick<Brand, 'name' | 'logo'> }) {
  const isNameInLogo = logo && logoContainsName(logo)
  return (
    <p className="display flex items-center gap-2.5 text-xl wrap-anywhere">
      {logo && (
        <img
          className="logo-picture"
          src={logo.path}
          width={logo.width}
          height={logo.height}
          alt={isNameInLogo ? name : ''}
        />
      )}
      {!isNameInLogo && name}
    </p>
  )
}
