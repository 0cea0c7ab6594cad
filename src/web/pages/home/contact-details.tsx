import { ContactOptions } from './contact-options.tsx'
import { InquiryCard } from './inquiry-card.tsx'

/** The inquiry form beside phone, email and live chat. */
export function ContactDetails({ isNear }: { isNear?: boolean | undefined }) {
  return (
    <div className="contact-grid">
      <InquiryCard isNear={isNear} />
      <ContactOptions />
    </div>
  )
}
