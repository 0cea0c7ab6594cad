import type { Letter } from '#kit/letter.ts'
import { breaking, font, ink } from './mail-look.ts'

/** Who wrote, how to reach them, and why the reader got it. */
export function FootMail({ brand, reason }: Pick<Letter, 'brand' | 'reason'>) {
  const look = { ...font, ...breaking, margin: '0 0 8px', color: ink.soft, fontSize: '13px', lineHeight: '20px' }
  return (
    <>
      <p className="m-soft" style={look}>
        {brand.name}
        {brand.email && (
          <>
            {' · '}
            <a className="m-link" href={`mailto:${brand.email}`} style={{ color: ink.link }}>
              {brand.email}
            </a>
          </>
        )}
        {brand.phone && (
          <>
            {' · '}
            <span style={{ whiteSpace: 'nowrap' }}>{brand.phone}</span>
          </>
        )}
        {' · '}
        <a className="m-link" href={brand.url} style={{ color: ink.link }}>
          {brand.url.replace(/^https?:\/\//, '')}
        </a>
      </p>
      <p className="m-soft" style={look}>
        {reason}
      </p>
    </>
  )
}
