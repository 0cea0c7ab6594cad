import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { SectionHead } from '../../ui/section-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const ContactDetails = lazyRouteComponent(() => import('./contact-details.tsx'), 'ContactDetails')
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await ContactDetails.preload?.()

/**
 * The contact section is far below the fold. The server renders it. The browser loads its code after the code of the page, and the code of the inquiry
 * form when the section is near the viewport.
 */
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
        <Suspense fallback={<Skeleton className="h-120" />}>
          <ContactDetails isNear={near} />
        </Suspense>
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
