import { PageHeader } from '../ui/page-header.tsx'
import { ContactDetails } from './home/contact-details.tsx'

export function ContactPage() {
  return (
    <div className="wrap page">
      <PageHeader
        title="Contact Us"
        lead="Ask us anything about channels, plans or devices. A real person will reply."
      />
      <ContactDetails />
    </div>
  )
}
