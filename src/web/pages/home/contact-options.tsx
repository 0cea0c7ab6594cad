import { useSuspenseQuery } from '@tanstack/react-query'
import { Mail, MessageCircle, Phone } from 'lucide-react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../../data.ts'

/** Phone, email and live chat. Usable without scripts. */
export function ContactOptions() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { email, phone } = site.contact
  return (
    <dl className="contact-options">
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
        <dt>Email</dt>
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
          {site.chat.provider !== 'off' ? (
            <>
              Use the chat button in the corner of this page
              <span>{site.claims.support}</span>
            </>
          ) : (
            'Not open right now. Send us a message here and we will reply by email'
          )}
        </dd>
      </div>
    </dl>
  )
}
