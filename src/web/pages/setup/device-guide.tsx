import { Suspense } from 'react'
import type { SetupGuide } from '#features/catalog/contract.ts'
import { setupDeviceOf } from '#features/catalog/setup-rules.ts'
import type { Site } from '#features/settings/contract.ts'
import { ButtonAnchor } from '../../ui/button/button-anchor.tsx'
import { pagePart } from '../../ui/hydration/page-part.ts'
import { Note } from '../../ui/note.tsx'
import { CodeBox } from './code-box.tsx'
import { GuideStep } from './guide-step.tsx'
import { appUrlFor, setupValues } from './setup-values.ts'

const OwnLogin = pagePart(
  () => import('./own-login.tsx'),
  'OwnLogin',
  // The server renders only the example, which has no buttons.
  () => false,
)

interface Props {
  guide: SetupGuide
  site: Site
  /** Logged-in users see their own TV login instead of the example. */
  isLoggedIn: boolean
}

/** The numbered steps of a device. */
export function DeviceGuide({ guide, site, isLoggedIn }: Props) {
  const { name } = setupDeviceOf(guide.device)
  const values = setupValues(guide, site)
  const address = appUrlFor(guide, site)
  const example = (
    <Note className="mt-4">
      For demonstration only: <b>{values.username}</b> and <b>{values.password}</b> show where each one goes. They are
      not a working login.
    </Note>
  )
  const below = {
    nothing: null,
    code: values.code !== '' && <CodeBox code={values.code} />,
    app: address !== '' && (
      <div className="mt-4">
        <ButtonAnchor href={address} variant="line" size="sm" target="_blank" rel="noreferrer">
          {guide.device === 'web' ? 'Open Web App' : 'Get the App'}
          <span className="sr-only"> (opens in a new tab)</span>
        </ButtonAnchor>
      </div>
    ),
    login: isLoggedIn ? (
      <Suspense fallback={example}>
        <OwnLogin example={example} />
      </Suspense>
    ) : (
      example
    ),
  }
  return (
    <>
      <h2 id={guide.device === 'firestick' ? 'apps' : undefined} className="sr-only">
        {guide.steps.length === 4 ? 'Four' : guide.steps.length} steps on {name}
      </h2>
      <ol className="guide-steps">
        {guide.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their position
          <GuideStep key={index} step={step} index={index} values={values}>
            {below[step.below]}
          </GuideStep>
        ))}
      </ol>
    </>
  )
}
