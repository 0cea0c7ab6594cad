import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { SectionHead } from '../../ui/section-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ContactWays } from './contact-ways.tsx'

const InquiryForm = lazy(() => import('#features/inquiries/web/inquiry-form.tsx').then((module) => ({ default: module.InquiryForm })))

/** The form's code is fetched when the section comes near; phone and e-mail stand there from the start. */
export function ContactSection() {
  const section = useRef<HTMLElement>(null)
  const near = useIsNear(section)
  const waiting = (
    <div className="inquiry-wait" aria-hidden="true">
      <Skeleton className="h-full" />
    </div>
  )
  return (
    <section ref={section} className="section bg-sunken" id="contact" aria-labelledby="contact-title">
      <div className="wrap">
        <SectionHead id="contact-title" title="Talk to us" lead="Questions before you subscribe? Write a few lines, a person answers." />
        <div className="contact-grid">
          <div className="card">
            <div className="card-body">
              <noscript>Please write to us by e-mail: the form needs a script.</noscript>
              {near ? (
                <Suspense fallback={waiting}>
                  <InquiryForm />
                </Suspense>
              ) : (
                waiting
              )}
            </div>
          </div>
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
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '600px' })
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [near, target])
  return near
}
