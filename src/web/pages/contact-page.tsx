import { PageHeader } from '../ui/page-header.tsx'
import { ContactWays } from './home/contact-ways.tsx'
import { InquiryCard } from './home/inquiry-card.tsx'

export function ContactPage() {
  return (
    <section className="section">
      <div className="wrap">
        <PageHeader title="Contact Us" lead="Ask us anything about channels, plans or devices. A person answers." />
        <div className="contact-grid">
          <InquiryCard />
          <ContactWays />
        </div>
      </div>
    </section>
  )
}
