import { Mascot } from '#web/brand/mascot.tsx'
import { eyeCount } from '#web/brand/mascot-shapes.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'

/** What the next screen would be, by the screens of the plan. */
const nth: Record<number, string> = { 1: 'second', 2: 'third', 3: 'fourth', 4: 'fifth' }

/** A link to plans with more screens. `screens`: how many may play at the same time; 0 without a running plan. */
export function MoreScreens({ screens }: { screens: number }) {
  return (
    <section className="card more-screens" aria-labelledby="more-screens">
      <Mascot tier={3} eyes={eyeCount(screens + 1)} size={76} look={[0.2, 0.1]} mouth={false} />
      <div>
        <h2 id="more-screens">
          {screens === 0 ? 'Choose a plan' : screens in nth ? `Need a ${nth[screens]}?` : 'Need another screen?'}
        </h2>
        <p>
          {screens === 0
            ? 'Its connections are the screens that can play at the same time.'
            : 'A plan with more connections plays on more screens. You pay only for the days that are left.'}
        </p>
      </div>
      <ButtonLink to="/pricing" variant="line">
        {screens === 0 ? 'See All Plans' : 'Change Plan'}
      </ButtonLink>
    </section>
  )
}
