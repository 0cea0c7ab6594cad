import { useEffect, useRef, useState } from 'react'
import { SectionHead } from '../../ui/section-head.tsx'
import { ContactWays } from './contact-ways.tsx'
import { InquiryCard } from './inquiry-card.tsx'

/** The form is fetched when the section comes near; phone and e-mail stand there from the start. */
export function ContactSection() {
  const section = useRef<HTMLElement>(null)
  const near = useIsNear(section)
  return (
    <section ref={section} className="section bg-sunken" id="contact" aria-labelledby="contact-title">
      <div className="wrap">
        <SectionHead
          id="contact-title"
          title="Talk to us"
          lead="Questions before you subscribe? Write a few lines, a person answers."
        />
        <div className="contact-grid">
          <InquiryCard wanted={near} />
          <ContactWays />
        </div>
      </div>
    </section>
  )
}

function useIsNear(target: React.RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || !target.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '600px',
    })
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [near, target])
  return near
}
