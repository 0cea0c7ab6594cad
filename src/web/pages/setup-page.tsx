import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Suspense } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { listSetupGuides } from '#features/catalog/contract.ts'
import { type SetupDevice, type SetupTab, setupSelection, setupTabs } from '#features/catalog/setup-rules.ts'
import { FaqList } from '#features/catalog/web/faq-list.tsx'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { pagePart } from '../ui/hydration/page-part.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs/tabs.tsx'
import { ComingSoonGuide } from './setup/coming-soon-guide.tsx'
import { DeviceChoice } from './setup/device-choice.tsx'
import setupSheet from './setup/setup.css?url'
import { SetupAside } from './setup/setup-aside.tsx'

const DevicePicture = pagePart(() => import('./setup/device-picture.tsx'), 'DevicePicture')
const DeviceGuide = pagePart(() => import('./setup/device-guide.tsx'), 'DeviceGuide')

const pictureOf: Record<SetupTab, SetupDevice> = { firestick: 'firestick', android: 'android-tv', other: 'samsung' }
const comingSoon: Record<SetupTab, string> = {
  firestick: 'the Amazon Firestick',
  android: 'Android',
  other: 'other devices',
}
// CSS renders the note as generated content, so that the name and text of a tab are exactly those of the specification.
const tabs = setupTabs.map(({ value, label, note }) => ({
  value,
  label,
  content: (
    <>
      <span className="device-picture" aria-hidden="true">
        <Suspense>
          <DevicePicture device={pictureOf[value]} />
        </Suspense>
      </span>
      <span className="min-w-0">
        <span className="tier-name">{label}</span>
        <span className="tier-term" aria-hidden="true" data-note={note} />
      </span>
    </>
  ),
}))

const questions = [
  {
    id: 1,
    question: 'Where do I find my username and password?',
    answer:
      'In the IPTV Account tab of My Account, once your payment has been verified. They are different from your login for this site.',
  },
  {
    id: 2,
    question: 'The app says that my login is wrong. What can I do?',
    answer:
      'Type your username and password manually, with the exact capitalization and no trailing space. If it still fails, check in My Account that your subscription is active, then contact support.',
  },
  {
    id: 3,
    question: 'Can I set up more than one device?',
    answer: 'Yes, as many as you like. Your plan sets how many of them can play at once.',
  },
]

/** The setup guides. Each tab and device has its own URL. All tabs are in the HTML: without scripts they are shown one below the other. */
export function SetupPage() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: guides } = useSuspenseQuery(query(listSetupGuides))
  const { device } = useSearch({ from: '/setup' })
  const navigate = useNavigate()
  const asked = setupSelection(device, guides)
  const choose = (next: SetupTab) =>
    void navigate({
      to: '/setup',
      search: { device: next === 'firestick' ? undefined : next },
      replace: true,
      resetScroll: false,
    })
  return (
    <div className="wrap page">
      <PageHeader
        title="Setup Guide"
        lead="Start watching in four steps. Have your IPTV username and password ready."
      />
      {/* After a navigation the heading is shown while the style sheet loads. */}
      <Suspense fallback={<Skeleton className="h-240" />}>
        <link rel="stylesheet" href={setupSheet} precedence="page" />
        <div className="setup-tabs">
          <Tabs id="setup" label="Device" look="tiers" tabs={tabs} value={asked.tab} onChange={choose} />
        </div>
        <div className="setup-columns">
          <div className="setup-panels">
            {setupTabs.map(({ value }) => {
              const offered = guides.filter((guide) => guide.tab === value)
              const chosen = offered.find((guide) => guide.device === asked.device) ?? offered[0]
              return (
                <div
                  key={value}
                  role="tabpanel"
                  id={`setup-panel-${value}`}
                  aria-labelledby={`setup-tab-${value}`}
                  tabIndex={0}
                  className={clsx('setup-panel', value !== asked.tab && 'folded')}
                >
                  {chosen ? (
                    <>
                      {offered.length > 1 && <DeviceChoice guides={offered} chosen={chosen.device} />}
                      <Suspense fallback={<Skeleton className="h-240" />}>
                        <DeviceGuide key={chosen.device} guide={chosen} site={site} isLoggedIn={user !== null} />
                      </Suspense>
                    </>
                  ) : (
                    <ComingSoonGuide device={comingSoon[value]} />
                  )}
                </div>
              )
            })}
          </div>
          <SetupAside videoUrl={site.setup.videoUrl} device={asked.device ?? asked.tab} />
        </div>
        <div className="setup-questions">
          <h2>Setup questions</h2>
          <FaqList faqs={questions} group="setup-question" />
        </div>
      </Suspense>
    </div>
  )
}
