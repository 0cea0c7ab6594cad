import { useEffect, useRef, useState } from 'react'
import { SectionHead } from '../../ui/section-head.tsx'
import { ContactOptions } from './contact-options.tsx'
import { InquiryCard } from './inquiry-card.tsx'

/** Loads the form when the section is near the viewport. Phone and email are rendered immediately. */
export function ContactSection() {
  const section = useRef<HTMLElement>(null)
  const near = useIsNear(section)
  return (
    <section ref={section} className="section bg-sunken" id="contact" aria-labelledby="contact-title">
      <div className="wrap">
        <SectionHead
          id="contact-title"
          title="Talk to us"
          lead="Questions before you subscribe? Send us a message and a real person will reply."
        />
        <div className="contact-grid">
          <InquiryCard isNear={near} />
          <ContactOptions />
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
