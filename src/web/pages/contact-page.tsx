import { InquiryForm } from '#features/inquiries/web/inquiry-form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ContactWays } from './home/contact-ways.tsx'

export function ContactPage() {
  return (
    <section className="section">
      <div className="wrap">
        <PageHeader title="Contact Us" lead="Ask us anything about channels, plans or devices. A person answers." />
        <div className="contact-grid">
          <div className="card">
            <div className="card-body">
              <InquiryForm />
            </div>
          </div>
          <ContactWays />
        </div>
      </div>
    </section>
  )
}
