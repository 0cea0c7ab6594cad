import { PageHeader } from '../ui/page-header.tsx'
import { ContactOptions } from './home/contact-options.tsx'
import { InquiryCard } from './home/inquiry-card.tsx'

export function ContactPage() {
  return (
    <div className="wrap page">
      <PageHeader
        title="Contact Us"
        lead="Ask us anything about channels, plans or devices. A real person will reply."
      />
      <div className="contact-grid">
        <InquiryCard />
        <ContactOptions />
      </div>
    </div>
  )
}
