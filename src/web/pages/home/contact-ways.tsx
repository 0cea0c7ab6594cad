import { useSuspenseQuery } from '@tanstack/react-query'
import { Mail, MessageCircle, Phone } from 'lucide-react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../../data.ts'

/** Phone, e-mail and live chat, around the clock. Readable and usable without a script. */
export function ContactWays() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { email, phone } = site.contact
  return (
    <dl className="ways">
      <div>
        <Phone size={22} />
        <dt>Phone</dt>
        <dd>
          <a className="link" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
            {phone}
          </a>
          <span>{site.claims.support}</span>
        </dd>
      </div>
      <div>
        <Mail size={22} />
        <dt>E-mail</dt>
        <dd>
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>
          <span>{site.claims.support}</span>
        </dd>
      </div>
      <div>
        <MessageCircle size={22} />
        <dt>Live chat</dt>
        <dd>
          {site.chat.provider !== 'off'
            ? 'With the chat button at the edge of this page'
            : 'Write to us here, we answer by e-mail'}
          <span>{site.claims.support}</span>
        </dd>
      </div>
    </dl>
  )
}
