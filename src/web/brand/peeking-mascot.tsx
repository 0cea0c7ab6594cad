import { use, useEffect, useRef } from 'react'
import { Mascot } from './mascot.tsx'
import { ink } from './mascot-shapes.ts'
import { MascotShown } from './mascot-shown.ts'

const reach = 0.8

function Paw() {
  return (
    <svg className="hero-paw" viewBox="0 0 60 40" aria-hidden="true">
      <path d="M2 40V20a9 9 0 0 1 18-3 10 10 0 0 1 20 0 9 9 0 0 1 18 3v20Z" fill="var(--bar-ember)" />
      <path d="M20 18v9M40 18v9" stroke={ink} strokeOpacity=".28" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  )
}

/** The three-eyed mascot above the color bars. Its pupils follow the mouse, unless the visitor prefers reduced motion. */
export function PeekingMascot() {
  const box = useRef<HTMLDivElement>(null)
  const isShown = use(MascotShown)

  useEffect(() => {
    const element = box.current
    if (!element || !matchMedia('(prefers-reduced-motion: no-preference) and (pointer: fine)').matches) return
    const pupils = element.querySelectorAll('.pupil')
    const follow = (event: PointerEvent) => {
      const face = element.getBoundingClientRect()
      const dx = event.clientX - (face.left + face.width / 2)
      const dy = event.clientY - (face.top + face.height / 2)
      const distance = Math.hypot(dx, dy) || 1
      const pull = Math.min(1, distance / 300)
      // The pupils rest left of the center; the constant 2.6 lets them move equally far to the right.
      const turn = `translate(${((dx / distance) * pull * 3 + 2.6 * pull) * reach} ${(dy / distance) * pull * 3 * reach})`
      for (const pupil of pupils) pupil.setAttribute('transform', turn)
    }
    addEventListener('pointermove', follow, { passive: true })
    return () => removeEventListener('pointermove', follow)
  }, [])

  if (!isShown) return null
  return (
    <div ref={box} className="hero-peeker">
      <Mascot tier={3} eyes={3} size={400} look={[-0.36, 0.14]} />
      <Paw />
      <Paw />
    </div>
  )
}
