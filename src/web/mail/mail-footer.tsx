import type { MailBody } from '#kit/mail-body.ts'
import { colors, font, wrapAnywhere } from './mail-styles.ts'

/** The footer of an email: the sender, its contact details and why the recipient got the email. */
export function MailFooter({ brand, reason, unsubscribeUrl }: Pick<MailBody, 'brand' | 'reason' | 'unsubscribeUrl'>) {
  const lineStyle = {
    ...font,
    ...wrapAnywhere,
    margin: '0 0 8px',
    color: colors.soft,
    fontSize: '13px',
    lineHeight: '20px',
  }
  return (
    <>
      <p className="m-soft" style={lineStyle}>
        {brand.name}
        {brand.email && (
          <>
            {' · '}
            <a className="m-link" href={`mailto:${brand.email}`} style={{ color: brand.accent.link }}>
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
        <a className="m-link" href={brand.url} style={{ color: brand.accent.link }}>
          {brand.url.replace(/^https?:\/\//, '')}
        </a>
      </p>
      <p className="m-soft" style={lineStyle}>
        {reason}
        {unsubscribeUrl && (
          <>
            {' '}
            <a className="m-link" href={unsubscribeUrl} style={{ color: brand.accent.link }}>
              Unsubscribe
            </a>
          </>
        )}
      </p>
    </>
  )
}
